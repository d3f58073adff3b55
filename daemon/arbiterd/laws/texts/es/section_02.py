"""Textos de la sección 2 del catálogo: pieza tocada."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "touch-own-then-other": (
        "{move} {Side} tocaron {touched} y jugaron {played}",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Debe mover la primera pieza "
            "tocada que pueda moverse (4.3.1): {obligation}. ¿Se avisó antes de componer? ¿Fue "
            "claramente accidental?[ {unsettled}]"
        ),
    ),
    "touch-own-no-legal-move": (
        "{move} {Side} tocaron {piece} de {square}, sin jugada legal",
        "La pieza tocada no tiene ninguna jugada legal, así que no obliga (4.5).",
    ),
    "touch-own-several": (
        "{move} {Side} tocaron varias piezas, {touched}, y jugaron {played}",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Debe mover la primera pieza "
            "tocada que pueda moverse (4.3.1): {obligation}."
        ),
    ),
    "touch-opp-capturable": (
        "{move} {Side} tocaron una pieza del adversario y no la capturaron: {touched}",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Se puede capturar y por "
            "tanto debe capturarse (4.3.2): {obligation}. Pudo ser el adversario quien la "
            "compuso: pregunte.[ {unsettled}]"
        ),
    ),
    "touch-opp-not-capturable": (
        "{move} {Side} tocaron {piece} de {square}, que no se puede capturar",
        "La pieza contraria tocada no se puede capturar: cualquier jugada legal vale (4.5).",
    ),
    "touch-both-own-first": (
        (
            "{move} {Side} tocaron piezas de ambos colores, primero la propia: {touched}; "
            "jugaron {played}"
        ),
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Capturar una con la otra; si "
            "no, mover la propia; si no, capturar la otra; si no, libre (4.3.3). Queda: "
            "{obligation}."
        ),
    ),
    "touch-both-opp-first": (
        (
            "{move} {Side} tocaron piezas de ambos colores, primero la contraria: {touched}; "
            "jugaron {played}"
        ),
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Capturar una con la otra; si "
            "no, capturar la primera con lo que sea; si no, mover la propia; si no, libre "
            "(4.3.3). Queda: {obligation}."
        ),
    ),
    "touch-both-order-unclear": (
        "{move} {Side} tocaron piezas de ambos colores a la vez: {touched}; jugaron {played}",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Cuál fue primero cae dentro "
            "de una lectura del tablero y no se sabe: la propia cuenta como primera (4.3.3). "
            "Queda: {obligation}."
        ),
    ),
    "touch-j-adoube-late": (
        "Aviso tardío de que se componía: {side}[; {touched}]",
        (
            "Anotado por {by}.[ Tocadas: {touched}.] Hay que avisar antes de tocar (4.2.1), "
            "así que la pieza tocada debe moverse: {obligation}. Los sensores solo dan la "
            "duración.[ {note}]"
        ),
    ),
    "touch-adjust-announced": (
        "Se avisó de que se componía",
        "Anotado por {by}: los toques se anunciaron antes y no obligan (4.2.1).[ Nota: {note}]",
    ),
    "touch-brush": (
        "{move} Roce en {squares}",
        (
            "Fuera de su casilla menos tiempo del que necesita una mano: accidental, sin "
            "obligación (4.2.2)."
        ),
    ),
    "adjust-on-opponent-time": (
        "Piezas de {side} levantadas y devueltas en el tiempo del adversario ({squares})",
        (
            "O bien {side} compusieron sin tener el turno, lo que no está permitido (4.2.1, "
            "6.2.5), o bien tocó el adversario y debe capturar si puede (4.3.2)[: "
            "{obligation}]. Los sensores no saben de quién era la mano."
        ),
    ),
    "touch-right-lost": (
        "{Opponent} tocaron {touched_square}: ya no pueden reclamar la jugada de {side}",
        "El derecho a reclamar termina cuando se toca una pieza (4.8).",
    ),
    "touch-refusal": (
        "Pieza ordenada y no jugada: {side} ({played})",
        (
            "Se había confirmado una orden sobre la pieza tocada; se permitía {obligation}. La "
            "negativa persistente pierde la partida (11.7).[ {note}]"
        ),
    ),
    "touch-lifted-long": (
        "{Piece} de {square} lleva mucho tiempo en el aire",
        (
            "La pieza está fuera del tablero y no ocurre nada más. Hay obligación; no hay nada "
            "que decir."
        ),
    ),
    "move-corrected-before-press": (
        "{move} {Side} colocaron {piece} en {square} ilegalmente y luego jugaron {played}",
        (
            "Tocadas por este orden: {touched}. Jugada: {played}. Una colocación ilegal se "
            "puede corregir antes de pulsar sin penalización (7.5.1), pero la pieza tocada "
            "obliga si puede mover (4.3)[: {obligation}]."
        ),
    ),
    "move-released-then-changed": (
        "{move} {Side} soltaron en {square} durante {dwell_ms} y luego jugaron {played}",
        (
            "La pieza estuvo en {square} durante {dwell_ms} y siguió. Si se soltó allí, allí "
            "queda (4.7): {obligation}. Una mano que no la soltó no se puede ver."
        ),
    ),
    "move-released-changed-pressed": (
        "{move} {Side} soltaron en {square}, jugaron {played} y pulsaron",
        (
            "La pieza estuvo en {square} durante {dwell_ms}, siguió y se pulsó el reloj. Vale "
            "la primera casilla (4.7): {obligation}. No es jugada ilegal según 7.5.5; la "
            "sanción es discrecional (12.9). El adversario puede reclamar hasta que toque una "
            "pieza (4.8)."
        ),
    ),
    "move-between-squares": (
        "{Piece} de {square} no se detecta; se vio por última vez cerca de {near}",
        (
            "La pieza movida no está en ninguna casilla: está entre dos, o falla su chip. El "
            "jugador la centra en su propio tiempo (7.4.1)."
        ),
    ),
}
