"""Proofs that nobody can mate, in Spanish: sentence by sentence as `rules/mating` writes them."""

from __future__ import annotations

import re
from collections.abc import Callable

_SIDES = {"White": "las blancas", "Black": "las negras"}
_COUNTS = {
    "two": "dos",
    "three": "tres",
    "four": "cuatro",
    "five": "cinco",
    "six": "seis",
    "seven": "siete",
    "eight": "ocho",
    "nine": "nueve",
    "ten": "diez",
}
_PIECES = {
    "king": "rey",
    "queen": "dama",
    "rook": "torre",
    "bishop": "alfil",
    "knight": "caballo",
    "pawn": "peón",
}
_PLURALS = {"alfil": "alfiles", "peón": "peones"}
_SIDE = "(White|Black)"


def _army(text: str) -> str:
    """`king and two bishops`: rey y dos alfiles."""
    if text == "a bare king":
        return "rey solo"

    number = rf"(?:({'|'.join(_COUNTS)}|\d+) )?"
    said = re.sub(rf"\b{number}({'|'.join(_PIECES)})(s?)\b", _pieces, text)
    return said.replace(" and ", " y ")


def _pieces(match: re.Match[str]) -> str:
    count, piece = match[1] or "", _PIECES[match[2]]
    if match[3]:
        piece = _PLURALS.get(piece, f"{piece}s")
    return f"{_COUNTS.get(count, count)} {piece}" if count else piece


def _side(name: str) -> str:
    return _SIDES[name]


_Said = Callable[[re.Match[str]], str]
_SENTENCES: tuple[tuple[re.Pattern[str], _Said], ...] = tuple(
    (re.compile(pattern), said)
    for pattern, said in (
        (
            r"Only one series of moves exists, ([^.]*?(?: \.\.\.)?)\. Then: ",
            lambda m: f"Solo existe una serie de jugadas, {m[1]}. Después: ",
        ),
        (
            rf"{_SIDE} is checkmated, the game is over\.",
            lambda m: f"{_side(m[1]).capitalize()} han recibido mate: la partida ha terminado.",
        ),
        (
            rf"{_SIDE} is stalemated, the game is over\.",
            lambda m: f"{_side(m[1]).capitalize()} están ahogadas: la partida ha terminado.",
        ),
        (
            rf"White: ([^;]+); Black: ([^:]+): no mate by {_SIDE} exists\.",
            lambda m: (
                f"Blancas: {_army(m[1])}; negras: {_army(m[2])}: no existe ningún mate de "
                f"{_side(m[3])}."
            ),
        ),
        (r"the position repeats for ever\.", lambda _: "la posición se repite para siempre."),
        (
            (
                r"Only (\d+) positions that matter can still arise, and in none is "
                rf"{_SIDE} checkmated(?:; (\d+) walls that arise hold for ever)?\."
            ),
            lambda m: (
                f"Solo pueden darse ya {m[1]} posiciones que importen, y en ninguna reciben mate "
                f"{_side(m[2])}"
                + (f"; {m[3]} barreras que surgen aguantan para siempre." if m[3] else ".")
            ),
        ),
        (
            (
                r"(The pawns are blocked for ever, and |As long as the pawns stand, |)"
                rf"(?:[Ww]herever {_SIDE} may check, {_SIDE}'s king keeps a square that nothing "
                rf"can cover|[Nn]o piece of {_SIDE} can ever attack a square that {_SIDE}'s king "
                r"can reach)(?:; the same holds after each of the (\d+) ways in which that can "
                r"change)?\."
            ),
            lambda m: _walls(m),
        ),
        (r"A bare king never mates\.", lambda _: "Un rey solo nunca da mate."),
        (
            r"Its pieces can never mate in this game\.",
            lambda _: "En este juego esas piezas nunca pueden dar mate.",
        ),
        (r"being examined", lambda _: "se está examinando"),
        (r" ", lambda _: " "),
    )
)


def _walls(m: re.Match[str]) -> str:
    while_standing = {
        "The pawns are blocked for ever, and ": "Los peones están bloqueados para siempre y ",
        "As long as the pawns stand, ": "Mientras los peones sigan ahí, ",
        "": "",
    }[m[1]]
    if m[2]:
        text = (
            f"por más jaques que den {_side(m[2])}, al rey de {_side(m[3])} le queda una casilla "
            "que nada puede cubrir"
        )
    else:
        text = (
            f"ninguna pieza de {_side(m[4])} puede atacar jamás una casilla a la que pueda ir el "
            f"rey de {_side(m[5])}"
        )
    if m[6]:
        text += f"; lo mismo vale tras cada uno de los {m[6]} modos en que eso puede cambiar"
    said = f"{while_standing}{text}."
    return said[0].upper() + said[1:]


def proved(proof: str) -> str:
    """The proof in Spanish; empty where a sentence of it is not known here."""
    said, at = "", 0
    while at < len(proof):
        for pattern, written in _SENTENCES:
            match = pattern.match(proof, at)
            if match is not None and match.end() > at:
                said, at = said + written(match), match.end()
                break
        else:
            return ""
    return said
