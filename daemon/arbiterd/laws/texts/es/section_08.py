"""Textos de la sección 8: manejo del reloj."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "press-no-move": (
        "Pulsación sin jugada: {side}{verdict}",
        (
            "{move} {Side} pulsaron el reloj y el tablero seguía igual. Se trata como jugada "
            "ilegal (7.5.3). {block} Una pulsación por error en lugar de una pausa queda a su "
            "criterio (6.2.4)."
        ),
    ),
    "press-piece-in-hand": (
        "Pulsación con una pieza en la mano: {side} ({held}){verdict}",
        (
            "{move} {Side} pulsaron el reloj mientras la pieza de {held} no estaba en ninguna "
            "casilla. La jugada no estaba hecha, así que la pulsación se trata como ilegal "
            "(7.5.3). Una pieza cuyo chip no se lee da la misma imagen: mire primero. {block}"
        ),
    ),
    "press-before-move-then-move": (
        "Primero el reloj y después la jugada: {side}",
        (
            "{move} {Side} pulsaron y {interval_ms} después estaba {played} en el tablero[ "
            "(una lectura del tablero tarda {scan_ms})]. Pulsar antes de mover infringe 6.2.4; "
            "usted decide si se sanciona por 12.9 o se trata como 7.5.3. Una bobina que ve la "
            "pieza con retraso da la misma imagen si la pieza se levantó antes de pulsar."
        ),
    ),
    "press-wrong-hand": (
        "Pulsación con la otra mano: {side}",
        (
            "El reloj se pulsa con la mano que movió (6.2.3). No es jugada ilegal; si se "
            "repite, 12.9."
        ),
    ),
    "press-held": (
        "Dedo sobre el reloj: {side}",
        (
            "No se puede mantener el dedo sobre el pulsador ni encima de él (6.2.3). Devuelva "
            "el tiempo perdido según su criterio; 12.9."
        ),
    ),
    "press-burst": (
        "{presses:pulsación|pulsaciones} sin jugada",
        (
            "La palanca cambió {presses:vez|veces} en {within_ms} sin que se hiciera ninguna "
            "jugada (6.2.4). Cada pulsación puede haber añadido un incremento: corrija los "
            "tiempos. 11.5 y 12.9 si fue a propósito."
        ),
    ),
    "press-neighbour": (
        "Se pulsó el reloj del tablero vecino",
        (
            "Corrija ambos relojes: este según lo que mostraba antes de la pulsación, el otro "
            "por la jugada que quedó sin ella (6.2.1)."
        ),
    ),
    "clock-paused-by-player": (
        "Reloj detenido: vaya al tablero",
        (
            "Ambos relojes están parados y ningún árbitro los detuvo[; corría el de {ran}]. Un "
            "jugador solo puede detenerlos para pedir ayuda (6.11.2). Puede ser una "
            "reclamación, una irregularidad, falta de pieza para coronar, un abandono o un "
            "acuerdo: pregunte. Sin motivo válido, 12.9 (6.11.4).[ Blancas {white_clock}, "
            "negras {black_clock}.]"
        ),
    ),
    "clock-paused-long": (
        "Ambos relojes llevan parados {stands_ms}",
        (
            "Ambos relojes llevan parados {stands_ms} y no consta ningún árbitro. Usted decide "
            "cuándo se reanuda (6.11.3)."
        ),
    ),
    "paused-board-changes": (
        "Piezas movidas con los relojes parados: {squares}",
        (
            "Cambiaron casillas con ambos relojes parados y sin acto del árbitro: {squares}. "
            "Mire y haga reponer las piezas (7.4)."
        ),
    ),
    "clock-wrong-side-running": (
        "Corre el reloj equivocado: el de {running}",
        (
            "Corre el reloj de {running}, pero mueven {to_move} y no queda ninguna pulsación "
            "pendiente. Corríjalo (6.2.1); el tiempo gastado, según su criterio."
        ),
    ),
    "clock-increment-wrong": (
        "Incremento de {credited_ms} en lugar de {expected_ms}",
        (
            "Las últimas {presses:pulsación|pulsaciones} añadieron {credited_ms}; el ritmo "
            "prevé {expected_ms}. Detenga el reloj, prográmelo y ajuste los tiempos según su "
            "criterio (6.10.2). Jugadas completadas: blancas {white_moves}, negras "
            "{black_moves}."
        ),
    ),
    "clock-time-jump": (
        "El tiempo de {clock_of} saltó a {shown_clock}",
        (
            "El reloj de {clock_of} muestra {shown_clock} donde se esperaba {expected_clock}, "
            "sin pulsación, periodo ni orden que lo explique. Un defecto evidente obliga a "
            "cambiar el reloj (6.10.1)."
        ),
    ),
    "clock-lost": (
        "Ya no se recibe el reloj",
        (
            "El reloj de la mesa sigue siendo válido (6.10.1).[ Últimos tiempos: blancas "
            "{white_clock}, negras {black_clock}.] No moleste a los jugadores; revise el cable "
            "después o en una pausa.[ Nota: {note}]"
        ),
    ),
    "clock-defect-replaced": (
        "Otro reloj u otros tiempos",
        (
            "El reloj se recibe de nuevo[ y muestra blancas {white_now_clock}, negras "
            "{black_now_clock}][; antes {white_clock} y {black_clock}][. Mueven {to_move}]. Si "
            "se cambió, los tiempos se fijan según su criterio (6.10.1).[ Nota: {note}]"
        ),
    ),
    "clock-counter-mismatch": (
        "El contador del reloj puede ir corto",
        (
            "[Pulsaciones que faltan antes del control de la jugada {required}: blancas "
            "{white_missed}, negras {black_missed}. ]Un reloj que cuenta pulsaciones añadirá "
            "el tiempo con ese retraso: ajuste el contador (6.10.2). No diga a los jugadores "
            "el número de jugadas (12.6).[ Nota: {note}]"
        ),
    ),
    "clock-extra-time-early-or-late": (
        "Tiempo extra tras {completed:jugada|jugadas} en lugar de {required}",
        (
            "El reloj añadió {added_clock} con {completed:jugada completada|jugadas "
            "completadas}; el ritmo prevé {required}. Pulsaciones que probablemente faltan: "
            "{missed_presses}. Corrija los tiempos y el contador (6.10.2)."
        ),
    ),
    "clock-edited": (
        "Tiempos modificados en el reloj",
        (
            "Con ambos relojes parados cambiaron los tiempos (7.1).[ Blancas: "
            "{white_delta_ms}.][ Negras: {black_delta_ms}.]"
        ),
    ),
    "low-time": (
        "{Clock_of}: menos de cinco minutos",
        (
            "A {clock_of} les quedan {left_clock} sin incremento de treinta segundos: no hay "
            "obligación de anotar en este periodo (8.4). Esté presente y anote; nunca diga el "
            "número de jugadas (12.6)."
        ),
    ),
}
