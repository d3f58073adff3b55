"""The arbiter page, the API and the public side, over HTTP.

source.py    what this room asks of the journal, the delay gate and the rest of the service
doors.py     who may ask at all: Host and Origin
reading.py   the routes both sides have, over whichever messages they are given
stream.py    the same messages as they come, as server-sent events
commands.py  acts of arbiters in, answers out
pages.py     the files of the page and the overlay
live.py      the arbiter's application
public.py    the public's application: behind the delay gate, with no reference to the other
server.py    a listener for an application
"""
