"""Textos de la sección 9: banderas."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "flag-last-period": (
        "Bandera de {side}",
        (
            "La bandera de {side} se mostró a las {flag_at}[ (con una precisión de "
            "{flag_late_ms})]. Las jugadas no están hechas: partida perdida cuando usted lo "
            "señale (6.8, 6.9). ¿Pueden dar mate {opponent}?: {opponent_can_mate}. Se propone "
            "{result}. {else}"
        ),
    ),
    "flag-unwinnable": (
        "Bandera de {side}, pero {opponent} no pueden dar mate",
        (
            "A las {flag_at} {flag_seen} de {side}. Para {opponent} no existe ninguna "
            "serie de jugadas legales que dé mate: tablas ({articles}).[ "
            "{proof}] Se propone {result}."
        ),
    ),
    "flag-period-short": (
        "Bandera de {side} con {completed} de {required} jugadas",
        (
            "A las {flag_at} {flag_seen} de {side} con {completed:jugada "
            "completada|jugadas completadas}; se exigen {required}. Una jugada hecha y no "
            "pulsada no está completada (6.2.1). ¿Pueden dar mate {opponent}?: "
            "{opponent_can_mate}. Se propone {result}. {else}"
        ),
    ),
    "flag-period-reached": (
        "Bandera con {required} jugadas completadas: se sigue",
        (
            "Constan {completed} jugadas completadas de {side}, de las {required} exigidas: no "
            "se pierde nada (6.4). Algunos relojes añaden el tiempo del periodo siguiente solo "
            "al llegar a cero."
        ),
    ),
    "flag-count-uncertain": (
        "Bandera de {side}, recuento dudoso ({completed} a {completed_at_most} de {required})",
        (
            "A las {flag_at} {flag_seen} de {side}. El registro tiene entre "
            "{completed} y {completed_at_most} jugadas completadas, {pressed} con pulsación; "
            "se exigen {required}. Detenga el reloj y que ambos completen la planilla (8.5). "
            "Si no se demuestra que se excedió el tiempo, la siguiente jugada es la primera "
            "del nuevo periodo (8.6)."
        ),
    ),
    "flag-both-order-known": (
        "Ambas banderas: primero la de {first}",
        (
            "Se muestran ambas banderas y la de {first} cayó primero: ese bando pierde, o son "
            "tablas si el adversario no puede dar mate (6.9). ¿Puede?: {opponent_can_mate}. Se "
            "propone {result}."
        ),
    ),
    "flag-both-order-unknown": (
        "Ambas banderas, orden desconocido",
        "Se muestran ambas banderas y no se puede decir cuál cayó primero. {ruled}",
    ),
    "flag-then-mate": (
        "Bandera de {side} y después mate: vale el mate",
        (
            "La bandera de {side} se mostró a las {flag_at}[ (con una precisión de "
            "{flag_late_ms})]; la jugada de mate se hizo a las {made_at}. Nadie había señalado "
            "la bandera: cae cuando se advierte (6.8), así que vale el mate. Si usted o un "
            "jugador la señaló antes, cuenta la bandera. Se propone {result}."
        ),
    ),
    "mate-then-flag": (
        "Bandera tras el final",
        (
            "La partida ya había terminado en el tablero cuando se mostró la bandera de {side} "
            "a las {flag_at} (5.1.1)."
        ),
    ),
    "flag-then-stalemate-or-dead": (
        "Bandera de {side} y después tablas en el tablero: valen las tablas",
        (
            "La bandera de {side} se mostró a las {flag_at}[ (con una precisión de "
            "{flag_late_ms})]; la jugada que terminó la partida se hizo a las {made_at}. Nadie "
            "había señalado la bandera (6.8): valen las tablas. Se propone {result}."
        ),
    ),
    "flag-after-agreement-or-resign": (
        "Bandera tras el resultado",
        (
            "La bandera de {side} se mostró a las {flag_at}; el resultado se mantiene[ "
            "({stands_result})]."
        ),
    ),
    "flag-during-claim": (
        "Bandera de {side} durante una reclamación: resuélvala primero",
        (
            "La bandera de {side} se mostró a las {flag_at} con una reclamación[ de {claimant}] "
            "abierta ({claim}). La reclamación fue antes y se resuelve antes (9.5.1)."
        ),
    ),
    "flag-piece-in-hand": (
        "Bandera de {side} con una pieza en la mano ({held})",
        (
            "A las {flag_at} {flag_seen} de {side} con la pieza de {held} en el aire. "
            "La jugada no está hecha: cuenta la posición anterior (6.9).[ Tocadas: {touched}; "
            "permitidas: {obligation}.][ Solo queda una jugada, {forced_move}: llevaría a "
            "{after_forced_move}.] Se propone según la posición anterior: {result}."
        ),
    ),
    "flag-while-paused": (
        "Bandera con ambos relojes parados",
        (
            "La bandera de {side} apareció a las {flag_at} con ambos relojes parados. "
            "Compruebe el reloj (6.10.1)."
        ),
    ),
    "flag-claimed-without": (
        "{Side} reclaman bandera y el reloj no la muestra",
        (
            "[El reloj muestra blancas {white_clock}, negras {black_clock} y ninguna bandera "
            "del adversario. ]Mire el reloj de la mesa: es lo que vale (6.8)."
        ),
    ),
}
