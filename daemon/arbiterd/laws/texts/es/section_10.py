"""Textos de la sección 10: final de la partida, resultados, tablas y reclamaciones."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "end-checkmate": (
        "Mate: ganan {winner}, {result}",
        (
            "La posición es mate. La partida terminó al hacerse la jugada, a las {made_at}, "
            "con o sin pulsación (5.1.1), si cumplió los artículos 3 y 4.[ Por decidir sobre "
            "esa jugada: {pending}.]"
        ),
    ),
    "end-stalemate": (
        "Ahogado",
        (
            "El bando al que toca jugar no tiene jugada legal y no está en jaque: tablas al "
            "hacerse la jugada, a las {made_at} (5.2.1).[ Por decidir sobre esa jugada: "
            "{pending}.]"
        ),
    ),
    "end-dead": (
        "Posición muerta",
        ("Ningún bando tiene una serie de jugadas legales que dé mate: tablas (5.2.2).[ {proof}]"),
    ),
    "end-fivefold": (
        "Misma posición por quinta vez",
        (
            "La posición apareció tras las medias jugadas {plies} (0 es el inicio). La partida "
            "es tablas; el árbitro interviene (9.6.1)."
        ),
    ),
    "end-seventyfive": (
        "Setenta y cinco jugadas",
        (
            "{quiet_plies} medias jugadas sin mover peón ni capturar. La partida es tablas; el "
            "árbitro interviene (9.6.2). El mate en la última jugada tendría prioridad."
        ),
    ),
    "end-repetition": (
        "Repetición: {result}",
        (
            "La posición se dio tras las medias jugadas {plies} (0 es el comienzo). Según las "
            "reglas de este juego, con ello termina la partida. Se propone: {result}."
        ),
    ),
    "end-no-move": (
        "Sin jugada legal: {result}",
        (
            "El bando que debe mover no tiene ninguna jugada legal y, según las reglas de este "
            "juego, con ello termina la partida. Terminó al hacerse la última jugada, a las "
            "{made_at}. Se propone: {result}."
        ),
    ),
    "end-played-on": (
        "Siguen jugando: la partida terminó en la media jugada {end_ply}, {result}",
        (
            "La partida había terminado en la media jugada {end_ply} ({end}). Lo jugado "
            "después no cuenta; el final vale desde esa jugada. Se propone {result}."
        ),
    ),
    "end-played-on-result": (
        "Siguen jugando tras el resultado {result}",
        (
            "Se mueven piezas y se pulsa el reloj aunque hay resultado. El resultado vale "
            "(5.1.2, 5.2.3, 6.9); si se anotó mal, retírelo."
        ),
    ),
    "takeback-after-press": (
        "Jugadas completadas deshechas[: {withdrawn}]",
        (
            "El tablero volvió a la posición anterior a [{withdrawn}, ]lo que ya constaba como "
            "completado. El Reglamento no conoce deshacer jugadas, ni de acuerdo: restablezca la "
            "posición y los tiempos "
            "(4.7, 12.9). Si fue una corrección ordenada por un árbitro, descarte este aviso."
        ),
    ),
    "end-false-mate": (
        "Se anunció mate y no lo es",
        (
            "[Hay {legal_moves:respuesta legal|respuestas legales} (solo para usted). ]El "
            "anuncio no tiene efecto; se sigue jugando. Quien lo cree y se rinde ha abandonado "
            "(5.1.2)."
        ),
    ),
    "resign-signal": (
        "¿Abandono de {side}? Pregunte",
        (
            "El rey de {side} no está en su casilla y nada más cambió[; {clock_stands:los "
            "relojes están parados|un reloj corre}]. Tumbar el rey o parar el reloj puede "
            "querer decir otra cosa: aclárelo (5.1.2)."
        ),
    ),
    "resign-unwinnable": (
        "Abandono de {side}; ¿pueden dar mate {opponent}?: {opponent_can_mate}",
        (
            "Abandono de {side}. Si el adversario no tiene ninguna serie de jugadas legales "
            "que dé mate, son tablas (5.1.2); cuentan las líneas forzadas.[ "
            "{proof}] Se propone {result}. {else}"
        ),
    ),
    "result-kings-white": (
        "Reyes en el centro: 1-0",
        (
            "Ambos reyes están en casillas blancas del centro: los jugadores indican victoria "
            "blanca. Confírmelo con ambas planillas (8.7)."
        ),
    ),
    "result-kings-black": (
        "Reyes en el centro: 0-1",
        (
            "Ambos reyes están en casillas negras del centro: los jugadores indican victoria "
            "negra. Confírmelo con ambas planillas (8.7)."
        ),
    ),
    "result-kings-draw": (
        "Reyes en el centro: tablas",
        (
            "Un rey está en casilla blanca y otro en casilla negra del centro: los jugadores "
            "indican tablas. Confírmelo con ambas planillas (8.7)."
        ),
    ),
    "result-mismatch": (
        "Resultado {said}, pero {by_position:el tablero dice|el que consta es} {board}",
        (
            "El resultado indicado es {said}; {by_position:por la posición es|el que consta es} "
            "{board}. Pregunte a ambos y mire las planillas (8.7)."
        ),
    ),
    "result-missing": (
        "Falta el resultado",
        "La partida lleva {rest_ms} en reposo y no se ha anotado resultado (8.7).",
    ),
    "result-handshake-unclear": (
        "¿Cómo terminó? Pregunte a ambos por separado",
        (
            "Los jugadores pararon sin decir si hubo victoria o tablas (5.1.2, 5.2.3). Solo "
            "por las reglas[: en el tablero, {on_board}]: ¿pueden dar mate las blancas?: "
            "{white_can_mate}; ¿las negras?: {black_can_mate}; {quiet_plies:media "
            "jugada|medias jugadas} sin mover peón ni capturar.[ Nota: {note}]"
        ),
    ),
    "result-signed-differs": (
        "Las planillas o actas no coinciden",
        "Los resultados firmados no son iguales. Decide el árbitro (8.7).",
    ),
    "result-board-reset": (
        "Piezas colocadas de nuevo: ¿terminó la partida?",
        (
            "Tras {plies:media jugada|medias jugadas} las piezas volvieron a la posición "
            "inicial y no hay resultado. Pregunte (8.7)."
        ),
    ),
    "draw-offer": (
        "Oferta de tablas de {side}",
        (
            "La oferta vale hasta que se acepte, se rechace de palabra o tocando una pieza, o "
            "termine la partida (9.1.2.1)."
        ),
    ),
    "draw-offer-wrong-time": (
        "Oferta de tablas de {side} a destiempo ({when})",
        (
            "El momento es tras hacer la jugada y antes de pulsar. La oferta vale igualmente y "
            "no se puede retirar; el adversario puede esperar la jugada. Considere 11.5 "
            "(9.1.2.1)."
        ),
    ),
    "draw-offer-repeated": (
        "Otra oferta de tablas de {side} ({count})",
        (
            "Es la oferta número {count} de este bando sin ninguna del adversario entre "
            "medias. Las ofertas repetidas pueden molestar (11.5, 12.9)."
        ),
    ),
    "draw-agreed-too-early": (
        "Tablas acordadas antes de tiempo",
        (
            "Medias jugadas hechas: {plies}; las tablas de común acuerdo exigen "
            "{least_moves:jugada|jugadas} de ambos ({rule}). No se permiten: la partida sigue."
        ),
    ),
    "claim-3-written-ok": (
        "Reclamación de triple repetición de {side}: correcta",
        (
            "Con {announced} la posición se da {occurrences:vez|veces} (medias jugadas "
            "{plies}). Tablas (9.2.1, 9.5.2). Se compararon piezas, turno, enroques y captura "
            "al paso legal (9.2.3)."
        ),
    ),
    "claim-3-onboard-ok": (
        "Reclamación de triple repetición de {side}: correcta",
        (
            "La posición ha aparecido {occurrences:vez|veces} (medias jugadas {plies}). Tablas "
            "(9.2.2, 9.5.2). Se compararon piezas, turno, enroques y captura al paso legal "
            "(9.2.3)."
        ),
    ),
    "claim-3-wrong": (
        "Reclamación de triple repetición de {side}: incorrecta, {occurrences:vez|veces}",
        (
            "La posición apareció {occurrences:vez|veces} (medias jugadas {plies}).[ "
            "Posiciones que parecen iguales y no lo son: {differs}.] El adversario gana "
            "{penalty} (9.5.3)[; la jugada anunciada debe hacerse: {announced}]."
        ),
    ),
    "claim-after-touch": (
        "Reclamación de {side} tras tocar: rechazada",
        (
            "En este turno {side} tocaron una pieza, {touched}, y perdieron el derecho a "
            "reclamar en esta jugada (9.4). El adversario gana {penalty} (9.5.3).[ Debe "
            "jugarse lo tocado (4.3): {obligation}.] El derecho vuelve en la jugada siguiente."
        ),
    ),
    "claim-not-on-move": (
        ("Reclamación de {side}{judged: sin tener el turno: rechazada|: falta una media jugada}"),
        (
            "[En el registro hay {record_ends:media jugada|medias jugadas}, y desde entonces se "
            "pulsó el reloj o el tablero calla. La reclamación se resuelve en cuanto el tablero "
            "muestre lo que falta. ]Solo reclama quien tiene el turno (9.2, 9.4)[; {side} habían "
            "hecho su jugada a las {moved_at}].[ El adversario gana {penalty} (9.5.3).]"
        ),
    ),
    "claim-50-written-ok": (
        "Reclamación de cincuenta jugadas de {side}: correcta",
        (
            "Con {announced} ambos bandos completan cincuenta jugadas sin mover peón ni "
            "capturar ({quiet_plies} medias jugadas antes, desde la media jugada "
            "{last_zeroing_ply}). Tablas (9.3.1)."
        ),
    ),
    "claim-50-onboard-ok": (
        "Reclamación de cincuenta jugadas de {side}: correcta",
        (
            "{quiet_plies} medias jugadas sin mover peón ni capturar, desde la media jugada "
            "{last_zeroing_ply}. Tablas (9.3.2)."
        ),
    ),
    "claim-50-wrong": (
        (
            "Reclamación de cincuenta jugadas de {side}: incorrecta, {quiet_plies:media "
            "jugada|medias jugadas}"
        ),
        (
            "Solo {quiet_plies:media jugada|medias jugadas} sin mover peón ni capturar, desde "
            "la media jugada {last_zeroing_ply}. El adversario gana {penalty}; el reloj del "
            "reclamante no cambia (9.5.3).[ La jugada anunciada debe hacerse: {announced}.]"
        ),
    ),
    "claim-withdrawn": (
        "Una reclamación no se retira",
        "Se termina la comprobación y vale su resultado (9.5.1).",
    ),
    "claim-move-illegal": (
        "Reclamación de {side} con jugada ilegal: {announced}",
        (
            "La jugada anunciada es ilegal. Debe hacerse otra con esa pieza: {obligation}. La "
            "reclamación es incorrecta y el adversario gana {penalty} (9.5.3); no cuenta como "
            "jugada ilegal de 7.5.5."
        ),
    ),
    "claim-not-written": (
        "Reclamación de {side}: la jugada no está escrita",
        (
            "[Lo que se introdujo, {entered}, no se puede leer aquí como jugada. ]Para una "
            "posición que va a aparecer, primero se escribe o introduce la jugada y se declara: "
            "haga que la reclamación sea legal (9.2.1). No diga qué jugada ni si la hay (12.6)."
        ),
    ),
    "claim-quickplay": (
        "Reclamación de {side} según las Directrices III",
        (
            "{time_told:|Aquí no se oye ningún reloj: compruebe usted que quedan menos de dos "
            "minutos.}[A {side} les quedan {left_clock}.][ Últimas jugadas: {last_moves}.] Puede "
            "declarar tablas, aplazar, o rechazar y dar al adversario {if_refused_ms} (III.4, "
            "III.5)."
        ),
    ),
    "claim-illegal": (
        "{Side} reclaman jugada ilegal{verdict}",
        (
            "El registro muestra una jugada ilegal de {opponent}; {in_time:se reclamó a "
            "tiempo|se reclamó demasiado tarde, así que vale}.[ {block}]"
        ),
    ),
    "claim-touch": (
        "{Side} reclaman pieza tocada",
        (
            "{on_record:Consta en el registro|No consta en el registro}; {in_time:se reclamó a "
            "tiempo|se reclamó demasiado tarde}. El derecho termina cuando el reclamante toca "
            "una pieza (4.8).[ Jugadas permitidas: {obligation}.]"
        ),
    ),
    "claim-flag": (
        "{Side} reclaman bandera",
        (
            "El reloj muestra la bandera del adversario[ desde las {flag_at}]. La bandera "
            "válidamente reclamada ha caído (6.8).[ Se propone {result}.]"
        ),
    ),
    "claim-illegal-unfounded": (
        "Reclamación de {side}: la jugada fue legal",
        (
            "El registro muestra {move_played} y es legal; los sensores {sensors_sure:están "
            "seguros|no están seguros}. Una reclamación infundada puede ser una molestia: "
            "11.5, 12.9; no hay sanción fija."
        ),
    ),
}
