"""Textos de la sección 7 del catálogo: jugadas ilegales."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "illegal-first": (
        "{move} Jugada ilegal de {side} ({attempt}): {reason}{verdict}",
        "{attempt}: {reason}. {block}[ Relojes al pulsar: {white_clock}, {black_clock}.]",
    ),
    "illegal-second": (
        "{move} Jugada ilegal de {side} ({attempt}){verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "illegal-two-faults-one-move": (
        "{move} Una jugada de {side} con dos faltas ({attempt}){verdict}",
        "Dos faltas en una jugada cuentan una vez (7.5.5). {block}",
    ),
    "illegal-again-after-restart": (
        "{move} La jugada sustituta de {side} también es ilegal ({attempt}){verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "illegal-both-players": (
        "Ambos jugadores tienen una jugada ilegal",
        (
            "Jugadas ilegales: blancas {illegal_white}, negras {illegal_black}. Cada jugador "
            "tiene su propia cuenta (7.5.5)."
        ),
    ),
    "illegal-found-later": (
        "{move} Jugada ilegal de {side}[ ({attempt})], hallada después{verdict}",
        (
            "[{attempt}: ]{reason}. Se ha seguido jugando. Lo posterior no vale; la respuesta en "
            "posición irregular no se penaliza (7.5.1). {block}"
        ),
    ),
    "illegal-position-before-unknown": (
        "{move} Jugada ilegal de {side} ({attempt}) tras un hueco en el registro{verdict}",
        (
            "La posición inmediatamente anterior no es segura: restablecer la última "
            "identificable (7.5.1, 7.6). {block}"
        ),
    ),
    "illegal-found-after-end": (
        "{move} Jugada ilegal de {side}[ ({attempt})], hallada tras el resultado",
        "El resultado {stands_result} se mantiene (7.5.1, 8.7).",
    ),
    "illegal-a5-replied": (
        "{move} Jugada ilegal de {side}[ ({attempt})], ya respondida: se mantiene",
        (
            "[{attempt}: ]{reason}. El adversario ya jugó, así que vale; solo la deshacen ambos "
            "de acuerdo, sin el árbitro (A.5.2)."
        ),
    ),
    "illegal-a5-open": (
        "{move} Jugada ilegal de {side} ({attempt}): confirmar antes de la respuesta{verdict}",
        (
            "{attempt}: {reason}. Actúa el árbitro que la observó, o reclama el adversario, "
            "solo hasta la respuesta (A.5.2)[; han pasado {since_press_ms} desde la "
            "pulsación]. Confirme ya. {block}"
        ),
    ),
    "illegal-both-kings-in-check": (
        "Ambos reyes están en jaque",
        "{ruled} {outcome}",
    ),
    "illegal-king-in-check-not-on-move": (
        "El rey de {side} está en jaque y mueven {opponent}",
        "Viene de una ilegal anterior o de una pulsación olvidada. {ruled}",
    ),
    "illegal-position-other": (
        "Esta posición no puede darse: {why}",
        "{ruled}",
    ),
    "illegal-restarted-by-opp": (
        "{Side} pulsaron en vez de parar tras la jugada ilegal del adversario",
        (
            "Accidente o despiste: sea indulgente; por sí sola no cuenta como pulsación sin "
            "jugada (7.5.3)."
        ),
    ),
    "illegal-unpressed-replied": (
        "{move} Jugada ilegal de {side}[ ({attempt})], respondida sin pulsación",
        (
            "No se vio pulsación, así que no es 7.5.1 en sí, sino una irregularidad.[ "
            "{goes_back:Se vuelve a la posición anterior a ella (7.6); cabe 12.9.|}] "
            "{counts:Cuenta|No cuenta} para 7.5.5. No se excluye una pulsación entre dos "
            "lecturas del reloj."
        ),
    ),
    "illegal-ends-game": (
        "La partida parece acabar con una jugada ilegal de {side} ({attempt})",
        (
            "Parece {looks}, y después {seen}. Una jugada ilegal no da mate (5.1.1); un "
            "abandono o acuerdo declarado después sí vale (5.1.2). Pregunte qué se quiso decir."
        ),
    ),
    "illegal-v-flag": (
        "Una jugada ilegal de {side} y la bandera de {flag}",
        (
            "Decide lo que se observó o reclamó primero. Una jugada ilegal observada antes de la "
            "bandera: 7.5.5 ({if_illegal}). {ruled}"
        ),
    ),
    "order-not-followed": (
        "Tablero o reloj difieren de la orden de {by}",
        (
            "[Casillas que difieren: {squares}. ][Ordenado: {ordered_white_clock} y "
            "{ordered_black_clock}; se ve: {white_clock} y {black_clock}. ]Corregir (7.1)."
        ),
    ),
    "order-clock-not-restarted": (
        "Se juega sin que corra el reloj, {since_ms} después de la orden",
        (
            "Se jugó {played} con ambos relojes parados. Ponga en marcha; el tiempo usado, "
            "según su mejor criterio (6.11.3)."
        ),
    ),
    "illegal-clock-proposal": (
        "{move} Cálculo del reloj[: {gains}]",
        (
            "[Blancas de {white_before_clock} a {white_after_clock}, negras de "
            "{black_before_clock} a {black_after_clock} (7.5.5). ]Los incrementos de jugadas "
            "anuladas los decide el árbitro (7.1)."
        ),
    ),
}
