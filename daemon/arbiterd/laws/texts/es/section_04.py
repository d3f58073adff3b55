"""Textos de la sección 4 del catálogo: enroque."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "castle-ok": (
        "{move} enroque realizado",
        "Realizado al colocar la torre (4.7.2).",
    ),
    "castle-touch-both": (
        "{move} {side}: tocó rey y torre y no enrocó ({played})",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Tocados rey y torre y "
            "siendo legal, debe enrocar en ese lado (4.4.1): {obligation}."
        ),
    ),
    "castle-rook-first": (
        "{move} {side}: tocó primero la torre y enrocó",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Si fue deliberado, no "
            "puede enrocar ahí en esta jugada (4.4.2): mueve la torre o, si no, el rey: "
            "{obligation}."
        ),
    ),
    "castle-rook-first-pressed": (
        "{move} {side}: tocó primero la torre, enrocó y pulsó",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Es infracción del "
            "artículo 4, no jugada ilegal (3.10.2). El árbitro que lo vio restablece y hace"
            " cumplir: {obligation}; el adversario puede reclamar hasta que toque una pieza"
            " (4.8)."
        ),
    ),
    "castle-rook-released-first": (
        "{move} {side}: soltó la torre en {square} antes que el rey",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. La torre estuvo en "
            "{square} durante {dwell_ms} antes de levantar el rey: vale la jugada de torre "
            "(4.7): {obligation}."
        ),
    ),
    "castle-illegal-unpressed": (
        "{move} {side}: enroque ilegal ({attempt}), sin pulsar",
        (
            "{reason}. Debe jugar otra jugada de rey, incluido el otro enroque; si no hay, "
            "cualquiera legal (4.4.3). No se interviene antes de la pulsación."
        ),
    ),
    "castle-illegal-pressed": (
        "{move} {side}: enroque ilegal, {reason}{verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "castle-king-only-pressed": (
        "{move} {side}: movió el rey como en el enroque, dejó la torre y pulsó{verdict}",
        (
            "El enroque era legal. El árbitro decide: jugada ilegal, o enroque sin terminar que se "
            "completa ({squares}). {block}"
        ),
    ),
    "castle-wrong-rook-square": (
        "{move} {side}: enrocó con una pieza en casilla equivocada{verdict}",
        "Se esperaba: {squares}. Es posible una torre desplazada. {block}",
    ),
    "castle-king-released-then-other": (
        "{move} {side}: soltó el rey en {square} y luego jugó {played}",
        (
            "El rey estuvo en {square} durante {dwell_ms}. Una vez soltado solo queda el "
            "enroque de ese lado, si es legal (4.7.2): {obligation}."
        ),
    ),
    "castle-960": (
        "{move} enroque realizado (Chess960)",
        "Realizado cuando rey y torre estuvieron en sus casillas (II.3.2).",
    ),
    "castle-two-hands": (
        "{move} {side}: enrocó, quizá con las dos manos",
        (
            "Rey y torre salieron y llegaron dentro de una misma lectura. Es solo una "
            "sospecha: dos manos y pulsar cuenta como ilegal (7.5.4), pero alguien tiene "
            "que haberlo visto."
        ),
    ),
}
