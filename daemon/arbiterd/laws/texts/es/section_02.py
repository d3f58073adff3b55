"""Textos de la sección 2 del catálogo: pieza tocada."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "touch-own-then-other": (
        "{move} {side}: tocó {touched} y jugó {played}",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Debe mover la primera "
            "pieza tocada que pueda moverse (4.3.1): {obligation}. ¿Se avisó antes de "
            "componer? ¿Fue claramente accidental? {note}"
        ),
    ),
    "touch-own-no-legal-move": (
        "{move} {side}: tocó {piece}{square}, sin jugada",
        "La pieza tocada no tiene ninguna jugada legal, así que no obliga (4.5).",
    ),
    "touch-own-several": (
        "{move} {side}: tocó varias piezas ({touched}) y jugó {played}",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Debe mover la primera "
            "pieza tocada que pueda moverse (4.3.1): {obligation}."
        ),
    ),
    "touch-opp-capturable": (
        "{move} {side}: tocó una pieza del adversario ({touched}) y no la capturó",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Se puede capturar y por "
            "tanto debe capturarse (4.3.2): {obligation}. Pudo ser el adversario quien la "
            "compuso: pregunte."
        ),
    ),
    "touch-opp-not-capturable": (
        "{move} {side}: tocó {piece}{square}, que no se puede capturar",
        "La pieza contraria tocada no se puede capturar: cualquier jugada legal vale (4.5).",
    ),
    "touch-both-own-first": (
        "{move} {side}: tocó de ambos colores, primero la propia ({touched}), y jugó {played}",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Capturar una con la otra;"
            " si no, mover la propia; si no, capturar la otra; si no, libre (4.3.3). Queda:"
            " {obligation}."
        ),
    ),
    "touch-both-opp-first": (
        "{move} {side}: tocó de ambos colores, primero la contraria ({touched}), y jugó {played}",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Capturar una con la otra;"
            " si no, capturar la primera con lo que sea; si no, mover la propia; si no, "
            "libre (4.3.3). Queda: {obligation}."
        ),
    ),
    "touch-both-order-unclear": (
        "{move} {side}: tocó de ambos colores a la vez ({touched}) y jugó {played}",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Cuál fue primero cae "
            "dentro de una lectura del tablero y no se sabe: la propia cuenta como primera "
            "(4.3.3). Queda: {obligation}."
        ),
    ),
    "touch-j-adoube-late": (
        "{side}: avisó tarde de que componía ({touched})",
        (
            "Anotado por {by}. Tocadas: {touched}. Hay que avisar antes de tocar (4.2.1), "
            "así que la pieza tocada debe moverse: {obligation}. Los sensores solo dan la "
            "duración. {note}"
        ),
    ),
    "touch-adjust-announced": (
        "Se avisó de que se componía",
        "Anotado por {by}: los toques se anunciaron antes y no obligan (4.2.1). {note}",
    ),
    "touch-brush": (
        "{move} Roce: {squares}",
        (
            "Fuera de su casilla menos tiempo del que necesita una mano: accidental, sin "
            "obligación (4.2.2)."
        ),
    ),
    "adjust-on-opponent-time": (
        "Piezas de {side} levantadas y devueltas en el tiempo del adversario ({squares})",
        (
            "O bien compusieron {side} sin tener el turno, lo que no está permitido (4.2.1, "
            "6.2.5), o bien las tocó el adversario y debe capturar si puede (4.3.2): "
            "{obligation}. Los sensores no saben de quién era la mano."
        ),
    ),
    "touch-right-lost": (
        "{opponent}: tocó {touched_square}, ya no puede reclamar {move}",
        (
            "{opponent}: tocó una pieza {after_ms} después de la infracción de {side} "
            "y ya no puede reclamarla (4.8). El árbitro que la vio a tiempo "
            "actúa igualmente."
        ),
    ),
    "touch-refusal": (
        "{side}: se le indicó qué mover y jugó {played}",
        (
            "Se había confirmado una orden sobre la pieza tocada; se permitía "
            "{obligation}. La negativa persistente pierde la partida (11.7). {note}"
        ),
    ),
    "touch-lifted-long": (
        "{piece}{square} lleva mucho tiempo en el aire",
        (
            "La pieza está fuera del tablero y no ocurre nada más. Hay obligación; no hay "
            "nada que decir."
        ),
    ),
    "move-corrected-before-press": (
        "{move} {side}: colocó {piece}{square} ilegalmente y luego jugó {played}",
        (
            "Tocadas por este orden: {touched}. Jugado: {played}. Una colocación ilegal se "
            "puede corregir antes de pulsar sin penalización (7.5.1), pero la pieza tocada "
            "obliga (4.3): {obligation}."
        ),
    ),
    "move-released-then-changed": (
        "{move} {side}: soltó en {square} durante {dwell_ms} y luego jugó {played}",
        (
            "La pieza estuvo en {square} durante {dwell_ms} y siguió. Si se soltó allí, "
            "allí queda (4.7): {obligation}. Una mano que no la soltó no se puede ver."
        ),
    ),
    "move-released-changed-pressed": (
        "{move} {side}: soltó en {square}, jugó {played} y pulsó",
        (
            "La pieza estuvo en {square} durante {dwell_ms}, siguió y se pulsó el reloj. "
            "Vale la primera casilla (4.7): {obligation}. No es jugada ilegal según 7.5.5; "
            "la sanción es discrecional (12.9). El adversario puede reclamar hasta que "
            "toque una pieza (4.8)."
        ),
    ),
    "move-between-squares": (
        "{piece}{square} no se detecta, vista por última vez cerca de {near}",
        (
            "La pieza movida no está en ninguna casilla: está entre dos, o falla su chip. "
            "Se centra en su propio tiempo (7.4.1)."
        ),
    ),
}
