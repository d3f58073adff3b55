"""Palabras con las que se escriben los hechos."""

from __future__ import annotations

WORDS = {
    "penalty: warning": "advertencia",
    "penalty: add-time": "tiempo para el adversario",
    "penalty: take-time": "menos tiempo",
    "penalty: loss-of-game": "pérdida de la partida",
    "penalty: fine": "multa",
    "penalty: exclusion": "exclusión de la ronda",
    "penalty: expulsion": "expulsión",
    "K": "el rey",
    "Q": "la dama",
    "R": "la torre",
    "B": "el alfil",
    "N": "el caballo",
    "P": "el peón",
    "a K": "un rey",
    "a Q": "una dama",
    "a R": "una torre",
    "a B": "un alfil",
    "a N": "un caballo",
    "a P": "un peón",
    "result: replay": "se juega otra partida",
    "gu-mate": "mate",
    "sh-mate": "mate",
    "gu-stalemate": "ahogado",
    "gu-dead": "posición muerta",
    "gu-threefold": "repetición",
    "sh-sennichite": "sennichite",
    "sh-perpetual-check": "jaque perpetuo",
    "sh-no-legal-move": "sin jugada legal",
    "sh-500-moves": "empate por entrada",
    "end-no-move": "sin jugada legal",
    "end-repetition": "repetición",
    "claim-3-written-ok": "triple repetición",
    "claim-3-onboard-ok": "triple repetición",
    "claim-3-wrong": "triple repetición",
    "claim-50-written-ok": "cincuenta jugadas",
    "claim-50-onboard-ok": "cincuenta jugadas",
    "claim-50-wrong": "cincuenta jugadas",
    "row: touch": "una pieza tocada",
    "row: illegal": "una jugada ilegal",
    "row: displaced": "piezas desplazadas",
    "row: mate": "el final en el tablero",
    "row: end": "el final en el tablero",
    "row: claim": "una reclamación",
    "row: other": "otra decisión",
    "the board does not answer": "el tablero no responde",
    "The board does not answer": "El tablero no responde",
    "a piece cannot move like that": "la pieza no se mueve así",
    "decimal mark": ",",
    "letters of pieces": "RDTACP",
    "outcome: result": "Resultado propuesto: {result}.",
    "else": "Si usted ve que no pueden, es {otherwise}.",
    "released: none": "No se jugó dentro del periodo.",
    "released: before": "Antes se soltó una pieza y no se pulsó el reloj: ¿se jugó a tiempo?",
    "outcome: clocks": "{gains}.",
    "clock white": "blancas",
    "clock black": "negras",
    "and": " y ",
    "or O": " u ",
    "white": "las blancas",
    "black": "las negras",
    "a player": "un jugador",
    "the opponent": "el adversario",
    "nothing": "nada",
    "any legal move": "cualquier jugada legal",
    "time for the opponent": "tiempo para el adversario",
    "checkmate": "mate",
    "stalemate": "ahogado",
    "pause": "una parada del reloj",
    "kings in the centre": "reyes en el centro",
    "each side has one king": "cada bando tiene un rey",
    "more than eight pawns": "más de ocho peones",
    "more pieces than pawns could become": "más piezas de las que los peones permiten",
    "flicker": "parpadeo",
    "another piece": "otra pieza",
    "an order": "una orden",
    "yes": "sí",
    "no": "no",
    "the piece cannot move so": "la pieza no se mueve así",
    "the path is blocked": "el camino está bloqueado",
    "an own piece stands there": "hay una pieza propia en esa casilla",
    "the king is left in check": "el rey queda en jaque",
    "the king moves into check": "el rey se pone en jaque",
    "the piece is pinned": "la pieza está clavada",
    "the right to castle is lost": "se ha perdido el derecho a enrocar",
    "the king is in check": "el rey está en jaque",
    "the king passes an attacked square": "el rey pasa por una casilla atacada",
    "a piece stands in the way of the castling": "hay una pieza en el camino del enroque",
    "en passant is possible on the next move only": (
        "la captura al paso solo vale en la jugada siguiente"
    ),
    "the capture en passant exposes the king": "la captura al paso expone al rey",
    "the pawn did not make a double step": "el peón no avanzó dos casillas",
    "the pawn on its last rank is not exchanged": "el peón en la última fila no se ha cambiado",
    "a pawn cannot become that": "un peón no puede convertirse en eso",
    "the other side has the move": "el turno es del otro bando",
    "a king cannot be captured": "un rey no se captura",
    "no move was made": "no se hizo ninguna jugada",
    "more than one move's squares changed": "cambiaron casillas de más de una jugada",
    "the pawn on the open river is not replaced by a plank": (
        "el peón sobre el río abierto no se ha cambiado por una tabla"
    ),
    "the river square carries no plank": "la casilla del río no tiene tabla",
    "an open river square lies in the way": "hay una casilla del río sin tabla en el camino",
    "a king never stands on the river": "un rey nunca se sitúa en el río",
    "a pawn never captures here": "aquí un peón no captura",
    "a pawn must be transformed now": "hay que transformar un peón ahora",
    "possible": "sí",
    "impossible": "no",
    "being-examined": "en examen",
    "not-proven": "no probado",
    "before-move": "antes de mover",
    "after-move": "tras mover",
    "opponent's-time": "en el tiempo del adversario",
    "end-checkmate": "mate",
    "end-stalemate": "ahogado",
    "end-dead": "posición muerta",
    "end-fivefold": "quíntuple repetición",
    "end-seventyfive": "setenta y cinco jugadas",
    "material": "con estas piezas no existe ninguna posición de mate",
    "terminal": "la partida ya ha terminado en el tablero",
    "forced": "solo existe una serie de jugadas, y no lleva a ningún mate",
    "closed-set": "se han visto todas las posiciones que aún pueden darse, y ninguna es mate",
    "mobility": (
        "con los peones detenidos para siempre, ninguna pieza puede llegar a donde daría mate"
    ),
    "side to move": "turno",
    "castling": "derechos de enroque",
    "en passant": "captura al paso",
    "ply": "media jugada",
    "in": "en",
    "missing-counter-illegal": "Como en 7.5.2 cuenta como jugada ilegal.",
    "missing-counter-warn": "Aquí no se penaliza.",
    "castled after touching another": (
        "Después tocó rey y torre: las Leyes no dicen si va antes 4.3.1 o 4.4, así que decide"
        " el árbitro."
    ),
    "as reported": "según se comunica",
    "an illegal move": "una jugada ilegal",
    "or": " o ",
    "no move": "(pulsación sin jugada)",
    "block: first-replaced": (
        "Es la primera jugada ilegal de {side}: repóngase la posición y hágase una jugada legal"
        "[ con la pieza tocada: {obligation}]. {outcome}"
    ),
    "block: first-unmoved": (
        "Es la primera jugada ilegal de {side}, que siguen teniendo el turno[: {obligation}]."
        " {outcome}"
    ),
    "block: first-stands": (
        "Es la primera jugada ilegal de {side}. Póngase {stands}: esa jugada vale y el turno es"
        " de {opponent}. {outcome}"
    ),
    "block: second-lost": (
        "Es la jugada ilegal número {count} de {side} y la partida está perdida (7.5.5):"
        " {result}. Mate posible de {opponent}: {can_mate}. {else}"
    ),
    "block: second-drawn": (
        "Es la jugada ilegal número {count} de {side} y {opponent} no pueden dar mate con"
        " ninguna serie de jugadas legales: la partida es tablas (7.5.5): {result}."
    ),
    "block: second-if-lost": (
        "Es la jugada ilegal número {count} de {side} si se confirma {hangs_on}, y entonces la"
        " partida está perdida (7.5.5): {result}. Mate posible de {opponent}: {can_mate}. {else}"
        " Decídase antes aquella; si se descarta, esta se anuncia de nuevo."
    ),
    "block: second-if-drawn": (
        "Es la jugada ilegal número {count} de {side} si se confirma {hangs_on}, y entonces la"
        " partida es tablas, pues {opponent} no pueden dar mate con ninguna serie de jugadas"
        " legales (7.5.5): {result}. Decídase antes aquella; si se descarta, esta se anuncia de"
        " nuevo."
    ),
    "verdict: first-replaced": "",
    "verdict: first-unmoved": "",
    "verdict: first-stands": "",
    "verdict: second-lost": "; jugada ilegal número {count}, perdida: {result}",
    "verdict: second-drawn": "; jugada ilegal número {count}, tablas: {result}",
    "verdict: second-if-lost": "; la segunda, si se confirma {hangs_on}: perdida ({result})",
    "verdict: second-if-drawn": "; la segunda, si se confirma {hangs_on}: tablas ({result})",
    "then: right-lost": (
        "{Opponent} han tocado {touched_square} después, {after_ms} tras el aviso, y ya no"
        " pueden reclamarlo; el árbitro que lo vio a tiempo todavía actúa (4.8)."
    ),
    "unlawful-restore": (
        "Ninguna partida lleva ahí (3.10.3): repóngase la posición anterior a la jugada ilegal."
    ),
    "unlawful-leave": (
        "No se vio qué jugada ilegal llevó ahí, así que el árbitro no puede hacer nada, ni "
        "preguntar: vale salvo acuerdo de los jugadores (A.5.2)."
    ),
    "unlawful-wait": (
        "No diga nada y observe: antes debe completarse la próxima jugada. Si entonces sigue "
        "igual, la partida es tablas (A.5.4)."
    ),
    "unlawful-drawn": "Se completó la próxima jugada y nada ha cambiado: tablas (A.5.4).",
    "unlawful-back": (
        "El peón no se cambió al pulsar el reloj y se ha seguido jugando: lo posterior no "
        "vale (7.5.2)."
    ),
    "flag-if-unclaimed": (
        "Una jugada ilegal que nadie reclamó ni observó no anula una bandera (A.5.2)."
    ),
    "flag-shown": "se mostró la bandera",
    "time-over": "se acabó el tiempo",
    "flag-if-observed": (
        "Una jugada ilegal se corrige siempre que se descubra durante la partida (7.5.1)."
    ),
    "order-by-sign": "Decide el indicador del reloj.",
    "order-drawn": "Se anunciaron las Directrices III y es el último periodo: tablas (III.3.1).",
    "order-play-on": (
        "Se anunciaron las Directrices III y no es el último periodo: se sigue (III.3.1)."
    ),
    "order-yours": "Las Directrices III no se aplican aquí: usted juzga qué bandera cayó primero.",
    "swapped-before": "Todavía no hay jugadas: corríjase (2.3).",
    "swapped-new-game": "La partida se anula y se juega otra (7.2.1).",
    "swapped-late": (
        "Ambos han completado diez jugadas: se sigue, y ese bando no puede enrocar (A.5.1.2)."
    ),
    "then: replied": "El adversario ya ha respondido; aun así se corrige (7.6).",
    "then: a5-replied": (
        "Ya se ha respondido, así que vale; solo los dos jugadores juntos pueden deshacerlo"
        " (A.5.2)."
    ),
    "then: piece-came": ("{Placed} se puso {interval_ms} después de pulsar, demasiado tarde."),
    "then: piece-perhaps": (
        "{Placed} se vio allí {interval_ms} después de pulsar: el tablero no distingue qué fue"
        " primero. Si usted lo vio, decida usted."
    ),
}
