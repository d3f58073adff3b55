"""Textos de la sección 13 del catálogo: shogi, con sus términos y su traducción."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "sh-move-released": (
        "{move} {played}",
        "La jugada se completa al soltar la pieza.",
    ),
    "sh-matta": (
        "Matta (rectificar): {side} volvieron a mover la pieza de {square}",
        (
            "La pieza estuvo suelta en {square} {down_ms} y se movió otra vez antes de la "
            "respuesta. Rectificar pierde. ¿Estaba suelta o aún en la mano? {outcome}"
        ),
    ),
    "sh-two-moves": (
        "Nite-zashi (dos jugadas seguidas): {side} {attempt}",
        (
            "{Side} movieron aunque le toca al otro bando: {attempt}. Una jugada ilegal "
            "(hansoku) pierde en el acto en un torneo. {outcome}"
        ),
    ),
    "sh-illegal-movement": (
        "Hansoku (jugada ilegal): {side} {attempt}",
        (
            "{attempt}: {reason}. Una jugada ilegal (hansoku) pierde en el acto en un torneo. "
            "{outcome}"
        ),
    ),
    "sh-must-promote": (
        "Sin promover donde ya no podría mover: {side} {attempt}",
        (
            "{attempt}: había que dar la vuelta a la pieza. Una jugada ilegal (hansoku) pierde "
            "en el acto en un torneo. {outcome}"
        ),
    ),
    "sh-drop-dead-end": (
        "Soltada donde no podría mover: {side} {attempt}",
        (
            "{attempt}: peón y lanza no se sueltan en la última fila, ni el caballo en las dos "
            "últimas. Una jugada ilegal (hansoku) pierde en el acto en un torneo. {outcome}"
        ),
    ),
    "sh-drop-promoted": (
        "Soltada promovida: {side} {attempt}",
        (
            "{attempt}: las piezas se sueltan por su cara simple. Una jugada ilegal (hansoku) "
            "pierde en el acto en un torneo. {outcome}"
        ),
    ),
    "sh-drop-occupied": (
        "Soltada en casilla ocupada: {side} {attempt}",
        (
            "{attempt}: hace falta una casilla vacía. Una jugada ilegal (hansoku) pierde en el "
            "acto en un torneo. {outcome}"
        ),
    ),
    "sh-nifu": (
        "Nifu (dos peones): {side} {attempt}",
        (
            "{attempt}: ya hay un peón propio sin promover en esa columna. Una jugada ilegal "
            "(hansoku) pierde en el acto en un torneo. {outcome}"
        ),
    ),
    "sh-uchifuzume": (
        "Uchifuzume (mate de peón soltado): {side} {attempt}",
        (
            "{attempt}: no se puede soltar un peón que dé mate en el acto. Una jugada ilegal "
            "(hansoku) pierde en el acto en un torneo. {outcome}"
        ),
    ),
    "sh-drop-not-in-hand": (
        "Una pieza que nadie tenía en mano: {side} {attempt}",
        (
            "{attempt}: ninguna captura la puso en mano. Una pieza caída de vuelta al tablero "
            "se ve igual. Una jugada ilegal (hansoku) pierde en el acto en un torneo. {outcome}"
        ),
    ),
    "sh-mate": (
        "Tsumi (mate): ganan {winner}, {result}",
        "El rey está en jaque y ninguna jugada lo evita.",
    ),
    "sh-king-left-in-check": (
        "Ote-hochi (jaque sin atender): {side} {attempt}",
        (
            "{attempt}: {reason}. Una jugada ilegal (hansoku) pierde en el acto en un torneo. "
            "{outcome}"
        ),
    ),
    "sh-found-later": (
        "Jugada ilegal hallada después: {side} {attempt}",
        (
            "{attempt}: {reason}. Se siguió jugando; se vuelve a ella y el infractor ha "
            "perdido allí (JSA 8.2). {outcome}"
        ),
    ),
    "sh-sennichite": (
        "Sennichite (cuarta repetición)",
        (
            "El mismo tablero, manos y turno por cuarta vez, tras las medias jugadas {plies}. "
            "{outcome}"
        ),
    ),
    "sh-perpetual-check": (
        "Jaque perpetuo de {side}",
        (
            "Cuarta repetición, y todas las jugadas de {side} desde la primera fueron jaque. "
            "Ese bando pierde (JSA 8.7). {outcome}"
        ),
    ),
    "sh-jishogi-agreed": (
        "Jishogi (empate por entrada) acordado",
        "Puntos: negras {points_black}, blancas {points_white}. {outcome}",
    ),
    "sh-declaration": (
        "Nyugyoku-sengen (declaración de rey entrado) de {side}: {result}",
        (
            "{king_entered:El rey ha entrado|El rey no ha entrado}. Otras piezas en el campo: "
            "{others} (se necesitan 10). {in_check:El rey está en jaque|El rey no está en "
            "jaque}. Puntos: {points} (se necesitan {needed}). {outcome}"
        ),
    ),
    "sh-500-moves": (
        "Alcanzada la media jugada {last_ply}",
        "El reglamento termina aquí la partida sin decisión. {outcome}",
    ),
    "sh-time-byoyomi": (
        "Byoyomi agotado: {side}",
        "El tiempo principal y el periodo de {side} han terminado. {released} {outcome}",
    ),
    "sh-no-legal-move": (
        "Sin jugada legal: {side}",
        "Sin jugada legal y sin jaque. {outcome}",
    ),
    "sh-wrong-start": (
        "Colocación incorrecta en {squares}",
        "La posición no es la inicial: {squares}. Corríjase antes de la partida.",
    ),
    "sh-handicap-wrong-first": (
        "Empezó el bando equivocado",
        "Con ventaja empieza quien la da (uwate, blancas). Se jugó {attempt}.",
    ),
    "sh-friendly-undo": (
        "Jugada retirada de común acuerdo",
        "En una partida amistosa los jugadores pueden acordar retirar una jugada.",
    ),
}
