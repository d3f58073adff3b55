"""Textos de la sección 11 del catálogo: piezas desplazadas y averías."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "displaced-own-restored": (
        "Piezas desplazadas y devueltas[: {squares}]",
        "Devueltas antes de pulsar, en el propio tiempo (7.4.1).",
    ),
    "displaced-pressed": (
        "{move} {Side} pulsaron con otras piezas fuera de sitio: {squares}",
        (
            "[Se jugó {attempt}; ]las piezas de {squares} no están en su lugar. Parar; se "
            "restablecen en su tiempo; cabe 12.9 (7.4). Podría ser una jugada ilegal con dos "
            "piezas: pregunte."
        ),
    ),
    "displaced-on-opp-time": (
        "Piezas desplazadas en {squares}",
        (
            "Ninguna jugada de quien tiene el turno lo explica; no se sabe quién fue. El "
            "jugador perjudicado para el reloj y no pulsa; el árbitro da o quita tiempo (7.4). "
            "Un primer accidente nunca pierde."
        ),
    ),
    "displaced-two": (
        "Dos piezas en casillas inexplicables: {squares}",
        ("Parar, devolver, ver quién fue (7.4). Una manga intercambia piezas vecinas fácilmente."),
    ),
    "displaced-board-knocked": (
        "Tablero volcado: {squares}",
        (
            "Muchas casillas cambiaron en segundos. Parar; restablecer la última posición "
            "buena del registro[; relojes {white_clock} y {black_clock}] (7.4.2). Si fue "
            "deliberado: 12.9, hasta la pérdida de la partida."
        ),
    ),
    "displaced-found-later": (
        "{move} Piezas donde ninguna jugada las puso[ ({squares})] y se siguió jugando",
        (
            "[{goes_back:Se vuelve a la posición anterior, o a la última identificable "
            "(7.6).|} ]Sin la penalización de 7.5.5."
        ),
    ),
    "displaced-put-back-wrong": (
        "Una pieza caída se devolvió mal: {squares}",
        (
            "Debe estar en la primera casilla y está en la segunda. Restablecer (7.6). Avise "
            "al jugador cuyo reloj corre, no a ambos."
        ),
    ),
    "disturbance-external": (
        "Perturbación externa",
        (
            "Anotado por {by}. Tiempo extra a uno o a ambos (12.5); si hay alarma, parar todo "
            "y anotar los tiempos.[ Nota: {note}]"
        ),
    ),
    "tech-flicker": (
        "La casilla {square} parpadea",
        "Cambia más deprisa que una mano, o se lee mal; se ignora.",
    ),
    "tech-unknown-piece": (
        "No se puede leer la pieza de {squares}",
        (
            "Hay una pieza de tipo desconocido: no se decide nada por esa casilla. Cámbiela "
            "tras la partida."
        ),
    ),
    "tech-board-lost": (
        "Sin datos del tablero",
        (
            "{Why}. La partida sigue; no moleste a los jugadores; el registro se completa "
            "después (8.5).[ Últimos relojes: {white_clock}, {black_clock}.]"
        ),
    ),
    "tech-gap": (
        "Hay medias jugadas que no se vieron; líneas que encajan: {count}",
        (
            "Lo que muestra el tablero no está a una jugada.[ Candidatas: {candidates}.] Si es "
            "una, confírmela; si no, pida las planillas (8.5.3). Podría ser una irregularidad "
            "del juego."
        ),
    ),
    "tech-clock-board-skew": (
        "Reloj y tablero difieren {skew_ms} en el orden",
        (
            "Los sucesos llegaron desordenados dentro de la latencia del reloj; se ordenaron "
            "dentro de ella y no más allá."
        ),
    ),
    "tech-record-vs-scoresheet": (
        "Una planilla difiere del registro",
        (
            "Anotado por {by}. Vale el registro acordado por los jugadores o la decisión del "
            "árbitro.[ Nota: {note}]"
        ),
    ),
    "record-not-kept": (
        "No anota las jugadas: {side}",
        (
            "Anotado por {by}. Primero advertencia (8.1, 12.9); en rápido y relámpago no se "
            "exige anotar.[ Nota: {note}]"
        ),
    ),
    "record-in-advance": (
        "Anota las jugadas por adelantado: {side}",
        (
            "Anotado por {by}. Solo se permite para una reclamación o un aplazamiento (8.1.2). "
            "Primero advertencia.[ Nota: {note}]"
        ),
    ),
    "tech-analysis-after-end": (
        "Jugadas tras el resultado",
        "El registro queda cerrado con el resultado; esto es análisis (11.4).",
    ),
}
