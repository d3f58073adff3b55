"""Textos de la sección 3 del catálogo: realizar jugadas."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "move-made": (
        "{move} {played} hecha",
        "Se hizo una jugada legal (4.7).",
    ),
    "move-completed": (
        "{move} {played} completada",
        "Hecha y pulsada (6.2.1).[ Relojes: {white_clock}, {black_clock}.]",
    ),
    "move-opp-before-press": (
        "{move} {played} antes de que pulsara el adversario",
        "Legal; el adversario aún puede pulsar (6.2.2). No se dice a nadie (12.6).",
    ),
    "move-press-after-reply": (
        "{played} pulsada tras la respuesta",
        "Se le debe permitir pulsar (6.2.2): no es una pulsación sin jugada.",
    ),
    "move-next-without-press": (
        "{Side} no llegaron a pulsar tras {played}",
        (
            "Quedó completada al hacerse la siguiente jugada (6.2.1.2). El contador de jugadas "
            "del reloj va una por debajo."
        ),
    ),
    "move-opp-too-early": (
        "{move} {Side} jugaron {played} con la pieza del adversario en el aire",
        (
            "{Side} no tenían el turno (1.3): la pieza de {square} se posó {early_ms} antes "
            "que la contraria. Restablecer; el adversario aún elige su casilla; caben 11.5 y "
            "12.9."
        ),
    ),
    "move-out-of-turn": (
        "{Side} jugaron fuera de turno: {attempt}",
        "{Side} no tenían el turno (1.2). Restablecer la posición (7.6); cabe 12.9.",
    ),
    "move-twice-after-press": (
        "{Side} jugaron otra vez ({attempt})[ tras completar {before}]",
        (
            "Dos jugadas de un bando: restablecer; 12.9, no 7.5.5. Quizá creyeron que el "
            "adversario había movido."
        ),
    ),
    "move-twice-before-press": (
        "{move} {Side} hicieron dos jugadas ({moves}) y pulsaron",
        (
            "Vale la primera, {first} (4.7); lo demás se restablece. Si es 7.5.1 o 12.9 lo "
            "decide el árbitro."
        ),
    ),
    "move-piece-swapped": (
        "{move} {Side} intercambiaron piezas propias en {squares} y pulsaron{verdict}",
        "{block}",
    ),
    "move-unexplained-press": (
        "{move} {Side} pulsaron; el tablero no encaja con ninguna jugada[: {squares}]",
        (
            "Ninguna jugada legal lleva a lo que muestra el tablero.[ Las más próximas: "
            "{nearest}.] Descarte primero un fallo del sensor; si no, es jugada ilegal (7.5.1) "
            "o hay piezas desplazadas (7.4)."
        ),
    ),
}
