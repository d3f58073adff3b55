"""Facts in, rulings out. Pure.

    docket/      the open rulings of a table; `book.py` names all laws in the order they are asked
    games/       what one game adds: shogi, Guadalete
    articles/    one file an article, by its number: laws are written here
    texts/       what people read, one folder a language
    case/        what articles ask of a case: touches, the misplayed board, who can still mate
    catalogue/   the rows a ruling can stand under, as data
    situations/  a played example or more of each row, with what must be told

Each folder imports only those below it. A law is entered with `register`, its ruling is filled in
by `drafting`; `act`, `ruling`, `decisions` and `settings` are what goes in and out of the room.
"""
