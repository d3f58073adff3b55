"""Textos de la sección 14 del catálogo: el ajedrez del río."""

from __future__ import annotations

_BLOCK = "{block}"

TEXTS: dict[str, tuple[str, str]] = {
    "gu-plank-ok": ("{move} {played}", "El peón se hizo tabla. Marcador {score}."),
    "gu-plank-not-replaced": (
        "{move} {side} dejó el peón en {square} y pulsó{verdict}",
        ("Un peón en casilla de río sin tabla se cambia por una ficha: póngase. {counted} {block}"),
    ),
    "gu-obligation": (
        "{side} debe transformar un peón ahora",
        (
            "Peones transformados {score}: {side} debe tener más de la mitad que el otro. "
            "Posibles: "
            "{obligation}."
        ),
    ),
    "gu-obligation-ignored": (
        "{move} {side} no transformó aunque debía ({attempt}){verdict}",
        "Peones transformados {score}. Se jugó {attempt}. " + _BLOCK,
    ),
    "gu-piece-in-river": (
        "{move} {side}: {attempt} al agua{verdict}",
        "{attempt}: {reason}. " + _BLOCK,
    ),
    "gu-slid-over-river": (
        "{move} {side}: {attempt} por encima del agua{verdict}",
        "{attempt}: {reason}. " + _BLOCK,
    ),
    "gu-king-on-plank": (
        "{move} {side}: el rey en el río ({attempt}){verdict}",
        "{attempt}: {reason}, con tabla o sin ella. " + _BLOCK,
    ),
    "gu-pawn-captured": (
        "{move} {side}: un peón movió en diagonal ({attempt}){verdict}",
        "{attempt}: {reason}; ni dan jaque ni defienden. " + _BLOCK,
    ),
    "gu-plank-moved": (
        "Falta una ficha en {squares}",
        "Las tablas no se mueven ni se capturan: {squares}. Repónganse (7.4).",
    ),
    "gu-dead": (
        "Posición muerta: tablas",
        (
            "Ningún bando podrá llevar fuerza de mate al otro lado del río. Resultado propuesto: "
            "{result}."
        ),
    ),
    "gu-mate": (
        "Mate: ganan las {winner}, {result}",
        "Ninguna jugada evita el jaque. Resultado: {result}.",
    ),
    "gu-stalemate": ("Ahogado: {result}", "Sin jugada legal y sin jaque. Resultado: {result}."),
    "gu-threefold": (
        "Repetición: tablas",
        "La misma posición, con tablas y marcador, en {plies}. Resultado propuesto: {result}.",
    ),
}
