"""Textos de la sección 1 del catálogo: el comienzo."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "start-ok": (
        "Tablero listo",
        "La posición inicial es correcta y el reloj está puesto. Nada que hacer.",
    ),
    "start-setup-wrong-before": (
        "Posición inicial incorrecta en {squares}: corregir ahora",
        (
            "Antes de la primera jugada las piezas de {squares} no están en su sitio[ (se ve: "
            "{stand})]. Colóquelas bien ahora (2.3)."
        ),
    ),
    "start-setup-wrong-std": (
        "La partida comenzó con una posición inicial incorrecta[ ({squares})]",
        (
            "[Anotado por {by}. ]La posición anterior a la primera jugada era incorrecta[ en "
            "{squares}]. Jugadas completadas: blancas {white_moves}, negras {black_moves}. La "
            "partida se anula y se juega otra (7.2.1); los tiempos los decide usted.[ Nota: {note}]"
        ),
    ),
    "start-setup-wrong-late": (
        "Posición inicial incorrecta hallada tras diez jugadas: se sigue",
        (
            "[Anotado por {by}. ]La posición era incorrecta[ en {squares}], pero ambos han "
            "completado diez jugadas (blancas {white_moves}, negras {black_moves}) y ya no cabe "
            "reclamar. Un rey que estaba mal colocado no puede enrocar, ni se puede enrocar con "
            "una torre que lo estaba (A.5.1.2)[: {no_castling}].[ Nota: {note}]"
        ),
    ),
    "start-king-queen-swapped": (
        "Rey y dama cambiados[: {sides}]",
        (
            "[Anotado por {by}. ]El rey y la dama[ de {sides}] se colocaron cada uno en la casilla "
            "del otro[ ({squares})]. {ruled} Jugadas completadas: blancas {white_moves}, negras "
            "{black_moves}.[ Nota: {note}]"
        ),
    ),
    "start-board-quarter-turn": (
        "¿Tablero girado un cuarto de vuelta?",
        (
            "Las piezas se ven en las columnas y no en las filas: la esquina derecha del "
            "jugador es oscura. Descarte primero una configuración errónea; después la partida "
            "continúa y la posición se pasa a un tablero bien colocado (7.2.2)."
        ),
    ),
    "start-board-half-turn": (
        "Tablero leído con un giro de 180 grados",
        (
            "La posición se ve desde el otro lado. Las coordenadas se han girado; la partida "
            "no se ve afectada."
        ),
    ),
    "start-piece-extra-or-missing": (
        "{men} piezas en el tablero en lugar de {wanted}",
        (
            "En {squares} no se ve lo que corresponde a la posición inicial. Un chip no "
            "reconocido parece una pieza que falta: mire antes de hablar (2.2)."
        ),
    ),
    "start-colours-reversed": (
        "Colores cambiados; jugadas hechas: blancas {white_moves}, negras {black_moves}",
        (
            "Anotado por {by}: los jugadores llevan los colores cambiados. Las blancas han "
            "hecho {white_moves:jugada|jugadas} y las negras {black_moves:jugada|jugadas}. "
            "{again:Menos de diez por ambos: nueva partida con los colores correctos|Desde la "
            "décima jugada de las negras la partida continúa} (7.3).[ Nota: {note}]"
        ),
    ),
    "start-clock-wrong-side": (
        "Corre el reloj equivocado al comienzo: el de {runs}",
        (
            "Se ha puesto en marcha el reloj de {runs}, pero empieza el otro bando, o el reloj "
            "está del revés. Párelo, ajuste los tiempos y cambie los lados del reloj (6.6)."
        ),
    ),
    "start-clock-not-running": (
        "Ningún reloj corre, {elapsed_ms} después del comienzo de la ronda",
        (
            "La ronda ha comenzado y no corre ningún reloj. Ponga en marcha el de las blancas; "
            "el tiempo transcurrido lo decide el árbitro (6.6). Puede que el tablero esté "
            "vacío."
        ),
    ),
    "start-clock-setting-wrong": (
        ("Reloj mal puesto: muestra {white_clock} y {black_clock}, se esperaba {expected_clock}"),
        (
            "Antes de la primera jugada el reloj no muestra lo que dice el ritmo de juego. "
            "Párelo y póngalo bien (6.10.2)."
        ),
    ),
    "start-move-before-round": (
        "Piezas movidas {early_ms} antes de la ronda",
        (
            "Algo se movió antes de la hora anunciada. Es normal que los jugadores compongan "
            "sus piezas; coloque lo que no esté en su sitio (6.6)."
        ),
    ),
    "start-absent-one": (
        "Sin señales de {side}, {elapsed_ms} después del comienzo",
        (
            "Corre el reloj de {side} y no se ha visto nada de ese bando. Los sensores no ven "
            "si hay alguien: pregunte.[ El tiempo de espera es de {default_ms} desde el "
            "comienzo real de la ronda.] Quien llega después del tiempo de espera pierde, "
            "salvo que el árbitro decida otra cosa (6.7.1)."
        ),
    ),
    "start-absent-both": (
        "Nadie a la vista, {elapsed_ms} después del comienzo",
        (
            "No ha ocurrido nada en esta mesa desde el comienzo de la ronda. Las blancas "
            "pierden el tiempo transcurrido; pasado el tiempo de espera[ ({default_ms})] "
            "pierden ambos, salvo decisión del árbitro (6.7.1, 6.7.2). Pregunte."
        ),
    ),
    "start-wrong-opponent-board": (
        "{presses:pulsación|pulsaciones} y nada se mueve en este tablero",
        (
            "Puede que tablero y reloj no vayan juntos: mire si un vecino pulsa este reloj o "
            "si hay dos tableros cruzados."
        ),
    ),
}
