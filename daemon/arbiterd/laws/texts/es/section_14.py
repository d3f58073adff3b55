"""Textos de la sección 14 del catálogo: el ajedrez del río."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "gu-plank-ok": (
        "{move} {played}",
        "El peón se hizo tabla. Peones transformados: {score}.",
    ),
    "gu-plank-not-replaced": (
        "{move} {Side} dejaron el peón en {square} y pulsaron{verdict}",
        ("Un peón en casilla de río sin tabla se cambia por una ficha: póngase. {counted} {block}"),
    ),
    "gu-obligation": (
        "{Side} deben transformar un peón ahora",
        (
            "Peones transformados {score}: {side} deben tener más de la mitad que el otro. "
            "Posibles: {owed}."
        ),
    ),
    "gu-obligation-ignored": (
        "{move} {Side} no transformaron aunque debían ({attempt}){verdict}",
        "Peones transformados {score}: se debía una de {owed}. Se jugó {attempt}. {block}",
    ),
    "gu-piece-in-river": (
        "{move} {Side}: {attempt} al agua{verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "gu-slid-over-river": (
        "{move} {Side}: {attempt} por encima del agua{verdict}",
        "{attempt}: {reason}. {block}",
    ),
    "gu-king-on-plank": (
        "{move} {Side}: el rey en el río ({attempt}){verdict}",
        "{attempt}: {reason}, con tabla o sin ella. {block}",
    ),
    "gu-pawn-captured": (
        "{move} {Side}: un peón movió en diagonal ({attempt}){verdict}",
        "{attempt}: {reason}; los peones ni dan jaque ni defienden. {block}",
    ),
    "gu-plank-moved": (
        "Falta una ficha en {squares}",
        "Las tablas no se mueven ni se capturan. Repónganse (7.4).",
    ),
    "gu-dead": (
        "Posición muerta: tablas",
        "Ningún bando podrá llevar fuerza de mate al otro lado del río. {outcome}",
    ),
    "gu-mate": (
        "Mate: ganan {winner}, {result}",
        "Ninguna jugada evita el jaque: la partida ha terminado (5.1.1).",
    ),
    "gu-stalemate": (
        "Ahogado",
        "Sin jugada legal y sin jaque: tablas (5.2.1).",
    ),
    "gu-threefold": (
        "Repetición: tablas",
        "La misma posición, con tablas y marcador, tras las medias jugadas {plies}. {outcome}",
    ),
}
