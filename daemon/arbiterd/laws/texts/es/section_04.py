"""Textos de la sección 4 del catálogo: enroque."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "castle-ok": (
        "{move} {played}",
        "El enroque se hizo al colocar la torre (4.7.2).",
    ),
    "castle-touch-both": (
        "{move} {Side} tocaron rey y torre y no enrocaron ({played})",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Tocados rey y torre y siendo "
            "legal, deben enrocar en ese lado (4.4.1): {obligation}."
        ),
    ),
    "castle-rook-first": (
        "{move} {Side} tocaron primero la torre y enrocaron",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Si fue deliberado, no pueden "
            "enrocar en ese lado en esta jugada (4.4.2): mueven la torre o, si no se puede, el "
            "rey: {obligation}."
        ),
    ),
    "castle-rook-first-pressed": (
        "{move} {Side} tocaron primero la torre, enrocaron y pulsaron",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Es infracción del artículo "
            "4, no jugada ilegal (3.10.2). El árbitro que lo vio restablece y hace cumplir: "
            "{obligation}; el adversario puede reclamar hasta que toque una pieza (4.8)."
        ),
    ),
    "castle-rook-released-first": (
        "{move} {Side} soltaron la torre en {square} antes que el rey",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. La torre estuvo en {square} "
            "durante {dwell_ms} antes de levantar el rey: vale la jugada de torre (4.7): "
            "{obligation}."
        ),
    ),
    "castle-illegal-unpressed": (
        "{move} Enroque ilegal de {side} ({attempt}), sin pulsar",
        (
            "{Reason}. Deben hacer otra jugada de rey, incluido el otro enroque; si no hay, "
            "cualquiera legal (4.4.3). No se interviene antes de la pulsación."
        ),
    ),
    "castle-illegal-pressed": (
        "{move} Enroque ilegal de {side}: {reason}{verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "castle-king-only-pressed": (
        ("{move} {Side} movieron el rey como en el enroque, dejaron la torre y pulsaron{verdict}"),
        (
            "El enroque era legal. El árbitro decide: jugada ilegal, o enroque sin terminar "
            "que se completa ({squares}). {block}"
        ),
    ),
    "castle-wrong-rook-square": (
        "{move} {Side} enrocaron con una pieza en casilla equivocada{verdict}",
        "Se esperaba: {squares}. Es posible una torre desplazada. {block}",
    ),
    "castle-king-released-then-other": (
        "{move} {Side} soltaron el rey en {square} y luego jugaron {played}",
        (
            "El rey estuvo en {square} durante {dwell_ms}. Una vez soltado solo queda el "
            "enroque de ese lado, si es legal (4.7.2): {obligation}."
        ),
    ),
    "castle-960": (
        "{move} {played} (Chess960)",
        "El enroque se hizo cuando rey y torre estuvieron en sus casillas (II.3.2).",
    ),
    "castle-two-hands": (
        "{move} Enroque de {side}, quizá con las dos manos",
        (
            "Rey y torre salieron y llegaron dentro de una misma lectura. Es solo una "
            "sospecha: dos manos y pulsar cuenta como ilegal (7.5.4), pero alguien tiene que "
            "haberlo visto."
        ),
    ),
}
