"""Textos de la sección 12 del catálogo: conducta."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "conduct-device": (
        "Dispositivo electrónico: {side}",
        (
            "Pierde la partida salvo que las bases sean más benignas (11.3.2). Anotado por "
            "{by}.[ Nota: {note}]"
        ),
    ),
    "conduct-left-area": (
        "Salida de la zona de juego: {side}",
        (
            "Quien tiene el turno no puede salir sin permiso (11.2.3.2). Anotado por {by}.[ "
            "Nota: {note}]"
        ),
    ),
    "conduct-left-game": (
        "Se marchó sin abandonar: {side}",
        "No es un abandono: el reloj sigue; cabe 12.9. Anotado por {by}.[ Nota: {note}]",
    ),
    "conduct-distraction": (
        "Molestias al adversario: {side}",
        (
            "Incluye reclamaciones, ofertas o ruidos fuera de lugar (11.5). Anotado por {by}.[ "
            "Nota: {note}]"
        ),
    ),
    "conduct-third-party": (
        "Alguien interfiere en la partida",
        (
            "Público, capitanes y padres solo pueden hablar con el árbitro (12.7). Anotado por "
            "{by}.[ Nota: {note}]"
        ),
    ),
    "conduct-refusal": (
        "Negativa persistente a cumplir: {side}",
        (
            "Pierde la partida; la puntuación del adversario la decide el árbitro (11.7). "
            "Anotado por {by}.[ Nota: {note}]"
        ),
    ),
    "conduct-both-refuse": (
        "Ambos se niegan persistentemente a cumplir",
        "Pierden los dos (11.8). Anotado por {by}.[ Nota: {note}]",
    ),
    "penalty-12-9": (
        "Sanción para {side}[: {penalty_kind}]",
        (
            "[Se propone {result} (12.9). ][{gains} (12.9). Los tiempos cambian solo al "
            "confirmar. ]Anotado por {by}.[ Nota: {note}]"
        ),
    ),
    "appeal": (
        "Apelación de {side}",
        "Se guarda con la partida y sus pruebas (11.10). Anotado por {by}.[ Nota: {note}]",
    ),
}
