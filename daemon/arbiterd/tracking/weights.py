"""What speaks against an explanation, in one unit: about a factor of e in likelihood each.

A line of play costs what its half-moves cost; of lines that show the same placement the cheapest
is believed, and those within `MARGIN` of it are told as alternatives. The figures are judgements
from the recorded shares in hands' play: an exact placement is the rule, all else the exception.
"""

from arbiterd.tracking.settings import MS

UNWATCHED = 3.0
"""A half-move the board never showed by itself."""
DAMAGED = 2.0
"""A half-move the board never showed by itself, as bytes came damaged: it was another, and its
message was among them."""
UNHEARD = 5.0
"""Half-moves found at once, of which only a picture told, were others; one less for each of them.
Of 1,154 told as certain where messages had been lost, found one at a time, two, three, four and
more, 98, 95, 92, 75 and 64 in a hundred were true."""
TAKEN_BACK = 1.0
"""The last half-move, not pressed, was another one or none."""
PUT_BACK = 2.0
"""And it was none: its piece is back where it came from. One half-move in some 250 is taken back,
so that the two of them weigh less than they might."""
TAKEN_BACK_RESTED = 3.5
"""The same after it stood there longer than hands rest on the way."""
STOPPED_AS_LIKELY_NS = 700 * MS
"""A piece that went on after standing so long was as likely on its way as on its next half-move,
where the reply had not begun by then."""
REPLYING_NS = 440 * MS
"""The same where the reply had begun."""
FORESEEN_NS = 320 * MS
"""The same where it had begun before the piece stood there: who sees it come is ready for it."""
REPLIED_NS = 150 * MS
"""So much longer where it was made while the piece stood. All four as counted in
`overlapping`, of 12,383 pieces that went on within a second."""
HURRIED = 15.0
"""Per second by which it stood shorter than that, for a stop; longer, for a half-move."""
HURRIED_MOST = 6.0
"""No stop speaks for more, however long: hands that think rest on their way for seconds, if seldom,
and the presses that follow tell."""
STOPPED_LONGER = 6.0
"""Per second by which a piece stood longer, where nothing is known of the reply."""
UNPRESSED = 3.0
"""A half-move whose side moved again without having pressed for it, one in some twenty."""
TURNED_BACK = 5.0
"""It went on and came back: hands carry no piece to and fro."""
TAKEN_BACK_PRESSED = 5.0
"""The same after its press."""
TAKEN_BACK_REPLIED = 5.0
"""The same where it stood while the other side replied."""
BOTH_TOOK_BACK = 7.0
"""A half-move and its reply were none: all their pieces are back."""
ON_THE_WAY = 2.5
"""A piece rests on a square of its way where it may not stay."""
PASSED = 1.0
"""A piece showed where the line never has it."""
ASTRAY = 2.0
"""A piece that moves showed neither on its way nor beside where it goes."""
UNANSWERED = 2.0
"""A square was something else for a while, unheard, and no half-move of the line wrote it."""
WRONG_CLOCK = 2.0
"""The clock of the side that has not the move runs, after a press."""
PRESSED_NOTHING = 6.0
"""A clock was pressed, and its side had not moved."""
PRESSED_LOST = 1.5
"""The same where messages were lost: what it was for may show when the board is asked for."""
PRESSED_EARLY = 3.0
"""The same press completes a half-move that was made after it: the board lags by a scan at most."""
PRESSED_LATE = 4.5
"""A half-move was pressed for some time after it stood, and its side has moved again since."""
ANALYSED = 3.0
"""A half-move after the first one that is made while both clocks stand was none: the game is over,
and the players look at it. How often that is so nobody has counted; it makes them no more than
likely."""
UNTOUCHED = 1.5
"""A piece that the move moves or takes was not seen to leave its square."""
LIFTED = 0.5
"""A piece of the side to move is in the air."""
HIDDEN = 0.6
"""A piece that left may have taken another: more than that it is in the air, less than two are."""
BACK = 1.0
"""For a capture that looks like others: it takes the piece that has just moved."""
DRAGGED = 1.0
"""A captured piece shows beside its square."""
UNSEEN = 2.5
"""A piece was never seen where it must have stood."""
STOPPED_UNSEEN = 3.5
"""And went on from there by itself: within one scan it was set down, replied to, and taken up."""
IN_PASSING = 0.5
"""A piece never seen where it stood was taken there by one that went elsewhere: of the pawns that a
pawn takes at once after their first step, two in three had made one step only."""
READY_LATE = 1.0
"""Per second by which a later half-move's squares were ready before an earlier one's."""
BEGUN_LATE = 6.0
"""Per second by which a later half-move's first piece was lifted before an earlier one's: whoever
replies has seen that piece lifted, and needs 0.15 s for that."""
REVERSED = 3.0
"""A later half-move was begun, and made, before an earlier one."""
OVERLAPPED = 2.0
"""Its first piece was taken up before the half-move before was made."""
HASTY = 4.0
"""Half-moves that can only have been made faster than hands are."""
DOUBTED = 2.0
"""A square is taken not to be what it shows."""
AT_ONCE = 2.0
"""What may speak, beside its unshown half-moves, against a line believed before the board rests."""
AT_REST = 6.0
"""The same against one believed when the board rests, or was pressed."""
IRREGULAR_PRESSED = 6.0
"""A placement that no legal move explains, and that was pressed."""
IRREGULAR = 8.0
"""A placement that no legal move explains, and that nobody pressed."""
PLAYED = 24.0
"""What may speak against plies of which some are irregular, before the board is said to have been
knocked, or set up, or lost."""
OUT_OF_TURN = 1.0
"""And by the side that has not the move."""
ALSO_MOVED = 1.5
"""For each piece more that an irregular ply moves."""
SELDOM_CHOSEN = 4.6
"""A pawn became a rook, a bishop or a knight: of 34 promotions in recorded games one in all. It
counts where it cannot be seen, and rules nothing out: no sensor has spoken."""
SOMETHING_ELSE = 7.0
"""What is true is none of what is held."""
MARGIN = 3.0
"""Explanations this close to the best are alternatives."""
FORGOTTEN = 8.0
"""Explanations this far behind the best are dropped."""
LEAD = 1.5
"""On boards that tell pieces the odds of all rivals together are told as their power of this: a
lead means more than its nats say. Of 1,147 half-moves of `overlapping` and `blitz-scramble` that
these alone told as 0.5, 0.6, 0.7 and 0.8 or somewhat more, 59, 77, 90 and 93 in a hundred were
true."""
RIVALS = 0.8
"""So much of that, as counted beside it."""
CERTAIN_LEAST = 0.9
"""No half-move is certain whose probability is less."""
EXPLANATIONS_MAX = 24
"""More explanations than this of one placement are not kept; the worst go."""
