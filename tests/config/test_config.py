"""A configuration is right, or every fault in it is told with its line and the mend."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from arbiterd.config import ConfigError, read_config, read_text
from arbiterd.config.lines import lines
from arbiterd.config.values import BrokerUrl, Listen, broker_url
from arbiterd.timing.control import Kind, Period, Rate

WHOLE = """\
[hall]
name = "main"                 # one topic level
laws = "FIDE-2023"

[rates.classical]
kind = "standard"
supervised = true
time = ["40/90:00+30", "30:00+30"]

[rates."quick one"]
kind = "blitz"
time = [
    "3:00d2",                 # a delay
]

[mqtt]
url = "mqtts://broker.hall:8883"
username = "arbiterd"
password_file = "mqtt.password"
ca_file = "ca.pem"

[journal]
path = "/var/lib/arbiterd/journal.db"
keep = "365d"

[http]
listen = "[::1]:8480"

[public]
listen = ""

[livechess]
enabled = true
listen = "127.0.0.1:1982"
origins = ["https://example.org"]

[broadcast]
delay = "15m"

[round]
number = 3
pairings = "round3.csv"
rate = "classical"

[[tables]]
table = "1"
label = "Board 1, stage"
device = "serial:/dev/ttyACM0"
driver = "dgt"
white = "A"
black = "B"
ruleset = "chess960"
orientation = 180

[[tables]]
table = "2"

[[people]]
name = "ana"
password_file = "ana.password"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("mqtt.password", "ana.password", "round3.csv"):
        (tmp_path / name).write_text("x")
        (tmp_path / name).chmod(0o600)
    shutil.copy(Path(__file__).with_name("certificate.pem"), tmp_path / "ca.pem")
    return tmp_path


SFEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def faults(text: str) -> list[tuple[int, str, str]]:
    with pytest.raises(ConfigError) as caught:
        read_text(text, "a.toml")
    return [(fault.line, fault.key, fault.sentence) for fault in caught.value.faults]


def test_a_broker_is_named_as_it_was_written() -> None:
    assert str(broker_url("mqtt://[::1]:1884")) == "mqtt://[::1]:1884"
    assert str(broker_url("wss://broker.hall/mqtt")) == "wss://broker.hall:443/mqtt"


def test_every_key_of_the_contract_is_read(folder: Path) -> None:
    (folder / "arbiterd.toml").write_text(WHOLE)

    config = read_config(folder / "arbiterd.toml")

    assert config.rate == Rate(
        Kind.STANDARD,
        True,
        (Period(40, 5_400_000, 30_000), Period(None, 1_800_000, 30_000)),
    )
    assert config.rates["quick one"].time == (Period(None, 180_000, delay_ms=2000),)
    assert config.mqtt.url == BrokerUrl("mqtts", "broker.hall", 8883, "/mqtt")
    assert config.http.listen == Listen("::1", 8480)
    assert config.public.listen is None
    assert config.journal.keep == 365 * 86400 * 10**9
    assert config.broadcast.delay == 900 * 10**9
    assert [(t.table, t.device, t.orientation) for t in config.tables] == [
        ("1", "serial:/dev/ttyACM0", 180),
        ("2", "auto", None),
    ]
    assert config.people[0].role == "arbiter"


def test_an_empty_configuration_is_a_safe_one() -> None:
    config = read_text("")

    assert config.mqtt.url is None
    for listen in (config.mqtt.listen, config.http.listen, config.livechess.listen):
        assert listen is not None
        assert listen.on_loopback
    assert config.public.listen is None
    assert not config.livechess.enabled
    assert config.simulation is None


@pytest.mark.parametrize(
    ("host", "every"),
    [("0.0.0.0", True), ("::", True), ("127.0.0.1", False), ("hall.example", False)],
)
def test_every_address_of_the_machine_is_told_from_one(host: str, every: bool) -> None:
    assert Listen(host, 1883).is_unspecified is every


TABLE = '[[tables]]\ntable = "1"\n'

WRONG = {
    "unknown section": ("[hal]\n", 1, "hal", "did you mean hall?"),
    "unknown key": ('[hall]\n\nnmae = "x"\n', 3, "hall.nmae", "did you mean name?"),
    "unknown key, nothing near": ("[http]\nfish = 1\n", 2, "http.fish", "known are listen"),
    "wrong type": ("[hall]\nname = 3\n", 2, "hall.name", "is the number 3; write text"),
    "a flag as text": ('[livechess]\nenabled = "yes"\n', 2, "livechess.enabled", "true or false"),
    "hall with capitals": ('[hall]\nname = "Main Hall"\n', 2, "hall.name", "small letters"),
    "laws unknown": ('[hall]\nlaws = "FIDE-1997"\n', 2, "hall.laws", "write one of FIDE-2023"),
    "a period that is none": (
        '[rates.a]\nkind="blitz"\ntime = [\n "3 minutes",\n]\n',
        3,
        "rates.a.time",
        "3 minutes",
    ),
    "a period that never ends": (
        '[rates.a]\nkind="blitz"\ntime = ["3:00", "3:00"]\n',
        3,
        "rates.a.time",
        "period 1 never ends",
    ),
    "a last period that ends": (
        '[rates.a]\nkind="standard"\ntime = ["40/90:00+30", "20/30:00+30"]\n',
        3,
        "rates.a.time",
        "ends after 20 moves of its last period",
    ),
    "no time": ('[rates.a]\nkind="blitz"\n', 1, "rates.a", "time is missing"),
    "a kind that is none": (
        '[rates.a]\nkind="slow"\ntime=["3:00"]\n',
        2,
        "rates.a.kind",
        "write one of standard, rapid, blitz",
    ),
    "a rate nobody named": ('[round]\nrate = "rapid"\n', 2, "round.rate", "write a name of [rates"),
    "a table without name": ('[[tables]]\ndevice = "auto"\n', 1, "tables[1]", "table is missing"),
    "a table name with a space": (
        f'{TABLE}[[tables]]\n# second\ntable = "2 b"\n',
        5,
        "tables[2].table",
        "letters, digits",
    ),
    "another hall that is this one": (
        '[mqtt]\nurl = "mqtt://127.0.0.1"\n[[halls]]\nname = "main"\n',
        4,
        "halls[1].name",
        "is this hall",
    ),
    "another hall twice": (
        '[mqtt]\nurl = "mqtt://127.0.0.1"\n' + '[[halls]]\nname = "north"\n' * 2,
        6,
        "halls[2].name",
        "twice",
    ),
    "another hall at a broker of our own": (
        '[[halls]]\nname = "north"\n',
        1,
        "halls",
        "add [mqtt] url",
    ),
    "a page that is no address": (
        '[mqtt]\nurl = "mqtt://127.0.0.1"\n[[halls]]\nname = "north"\npage = "north"\n',
        5,
        "halls[1].page",
        "is no web origin",
    ),
    "two tables of one name": (f"{TABLE}{TABLE}", 4, "tables[2].table", "'1' is there twice"),
    "two tables on one device": (
        (
            f'{TABLE}device = "serial:/dev/ttyACM0"\n[[tables]]\ntable = "2"\n'
            'device = "serial:/dev/../dev/ttyACM0"\n'
        ),
        6,
        "tables[2].device",
        "table 1 has this device already",
    ),
    "a bus line at another board's port": (
        (
            f'{TABLE}device = "dgt-bus:/dev/ttyUSB0#77"\n[[tables]]\ntable = "2"\n'
            'device = "serial:/dev/ttyUSB0"\n'
        ),
        6,
        "tables[2].device",
        "table 1 has a bus line at this port; write dgt-bus:PATH#ADDRESS here too",
    ),
    "two tables on one board of a bus": (
        (
            f'{TABLE}device = "dgt-bus:/dev/ttyUSB0#77"\n[[tables]]\ntable = "2"\n'
            'device = "dgt-bus:/dev/../dev/ttyUSB0#0077"\n'
        ),
        6,
        "tables[2].device",
        "table 1 has this device already",
    ),
    "an address that no board on a bus has": (
        f'{TABLE}device = "dgt-bus:/dev/ttyUSB0#23946"\n',
        3,
        "tables[1].device",
        "an address is 1 to 16383; ask the line: arbiterd devices --bus PATH",
    ),
    "a device that is none": (
        f'{TABLE}device = "/dev/ttyACM0"\n',
        3,
        "tables[1].device",
        "serial:PATH",
    ),
    "a ruleset that is none": (
        f'{TABLE}ruleset = "ches"\n',
        3,
        "tables[1].ruleset",
        "is 'ches'; write one of chess, ",
    ),
    "a start that is no FEN": (f'{TABLE}start = "e4"\n', 3, "tables[1].start", "cannot be read"),
    "a lying board": (f"{TABLE}orientation = 45\n", 3, "tables[1].orientation", "0, 90, 180"),
    "a password file that is not there": (
        '[mqtt]\nurl = "mqtt://h"\nusername = "a"\npassword_file = "/nowhere"\n',
        4,
        "mqtt.password_file",
        "/nowhere cannot be read",
    ),
    "a login without password": (
        '[mqtt]\nurl = "mqtt://h"\nusername = "a"\n',
        3,
        "mqtt.username",
        "password_file",
    ),
    "a login inside the URL": ('[mqtt]\nurl = "mqtt://a:b@h"\n', 2, "mqtt.url", "password_file"),
    "a URL of something else": ('[mqtt]\nurl = "http://h"\n', 2, "mqtt.url", "write mqtt://"),
    "an open broker": ('[mqtt]\nlisten = "0.0.0.0:1883"\n', 2, "mqtt.listen", "without accounts"),
    "an open WebSocket": (
        '[mqtt]\nwebsocket = "hall.local:9001"\n',
        2,
        "mqtt.websocket",
        "without accounts",
    ),
    "an open page": ('[http]\nlisten = "0.0.0.0:8480"\n', 2, "http.listen", "add [[people]]"),
    "open LiveChess": (
        '[livechess]\nenabled = true\nlisten = "0.0.0.0:1982"\n',
        3,
        "livechess.listen",
        "knows no accounts",
    ),
    "a certificate without key": (
        '[http]\ntls_cert = "a.toml"\n',
        1,
        "http",
        "tls_key is missing",
    ),
    "an address without port": ('[http]\nlisten = "127.0.0.1"\n', 2, "http.listen", "and a port"),
    "a port beyond all": ('[http]\nlisten = "h:99999"\n', 2, "http.listen", "and a port"),
    "a delay without unit": (
        '[broadcast]\ndelay = "15"\n',
        2,
        "broadcast.delay",
        "for example 15m",
    ),
    "a round from 1": ("[round]\nnumber = 0\n", 2, "round.number", "from 1"),
    "a setting that is none": (
        '[settings]\nrook_furst = "warn"\n',
        2,
        "settings.rook_furst",
        "did you mean rook_first?",
    ),
    "a setting of the wrong kind": (
        '[settings]\nrook_first = "laugh"\n',
        2,
        "settings.rook_first",
        "enforce, warn",
    ),
    "no TOML": ('[hall]\nname = "x\n', 2, "file", "this is not TOML"),
    "no TOML at the end": ("[hall]\nname = '''x\n", 3, "file", "this is not TOML"),
    "a section that is a value": ("hall = 3\n", 1, "hall", "write [hall]"),
    "tables that are one": ("[tables]\n", 1, "tables", "write [[tables]]"),
}


@pytest.mark.parametrize(("text", "line", "key", "words"), WRONG.values(), ids=WRONG)
def test_a_fault_names_line_key_and_mend(text: str, line: int, key: str, words: str) -> None:
    found = [fault for fault in faults(text) if words in fault[2]]

    assert [(fault[0], fault[1]) for fault in found] == [(line, key)]


def test_main_time_ends_where_byo_yomi_follows_it() -> None:
    config = read_text('[rates.a]\nkind = "rapid"\ntime = ["25:00", "25/0:00b600"]\n')
    main, canadian = config.rate.periods
    assert (main.moves, canadian.moves, canadian.byoyomi_ms) == (None, 25, 600_000)


@pytest.mark.parametrize(
    ("header", "key"),
    [("[[table]]", "table"), ("[[hall]]", "hall"), ("[rate.classical]", "rate")],
)
def test_a_section_that_is_none_is_told_where_it_stands(
    tmp_path: Path, header: str, key: str
) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(f'[http]\nlisten = "127.0.0.1:8480"\n\n{header}\nname = "1"\n')

    with pytest.raises(ConfigError) as refused:
        read_config(file)

    assert str(refused.value).startswith(f"{file}:4: {key}: is no section")


def test_all_faults_are_told_at_once_in_the_order_of_their_lines() -> None:
    text = '[http]\nlisten = 1\nfish = 2\n[hall]\nname = "A"\n[[tables]]\ntable = "?"\n'

    assert [line for line, _, _ in faults(text)] == [2, 3, 5, 7]


def test_what_does_not_go_together_is_told_with_what_cannot_be_read() -> None:
    text = """\
[hall]
colour = "red"
[http]
listen = "0.0.0.0:8480"
[mqtt]
url = "mqtt://127.0.0.1:1883"
username = "arbiterd"
password_file = "not-there"
[broadcast]
delay = 15
[[tables]]
table = "?"
[[tables]]
table = "1"
device = "serial:/dev/ttyACM0"
[[tables]]
table = "2"
device = "serial:/dev/ttyACM0"
orientation = 45
"""
    told = [(line, key) for line, key, _ in faults(text)]

    assert told == [
        (2, "hall.colour"),
        (4, "http.listen"),
        (4, "http.listen"),
        (8, "mqtt.password_file"),
        (10, "broadcast.delay"),
        (12, "tables[1].table"),
        (18, "tables[3].device"),
        (19, "tables[3].orientation"),
    ]


FOLLOWING = {
    "a rate that cannot be read is there": (
        '[rates.a]\nkind = "slow"\ntime = ["90:00"]\n[round]\nrate = "a"\n',
        2,
    ),
    "an account that cannot be read is one": (
        '[http]\nlisten = "0.0.0.0:8480"\n[[people]]\nname = "a b"\npassword_file = "a"\n',
        4,
    ),
    "a broker that cannot be read is one": (
        '[mqtt]\nurl = "http://hall"\nusername = "arbiterd"\npassword_file = ""\n',
        2,
    ),
    "a game that cannot be read may begin so": (
        f'[[tables]]\ntable = "1"\nruleset = "shogy"\nstart = "{SFEN}"\n',
        3,
    ),
    "a port that cannot be read is not the usual one": (
        '[http]\nlisten = 8480\n[public]\nlisten = "127.0.0.1:8480"\n',
        2,
    ),
    "a hall whose name cannot be read is not main": (
        '[hall]\nname = "A"\n[mqtt]\nurl = "mqtt://127.0.0.1"\n[[halls]]\nname = "main"\n',
        2,
    ),
}


@pytest.mark.parametrize(("text", "line"), FOLLOWING.values(), ids=FOLLOWING)
def test_no_fault_is_found_with_what_stands_in_for_a_value_that_cannot_be_read(
    text: str, line: int
) -> None:
    assert [found for found, _, _ in faults(text)] == [line]


def test_a_fault_is_one_line_that_an_editor_can_jump_to(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("[hall]\nname = 3\n")

    with pytest.raises(ConfigError) as caught:
        read_config(file)

    assert str(caught.value) == f"{file}:2: hall.name: is the number 3; write text in quotes"


@pytest.mark.parametrize("content", [None, b"\xff\xfe[hall]"], ids=["missing", "not text"])
def test_a_file_that_cannot_be_read_is_a_fault_too(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "a.toml"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(ConfigError, match=r"cannot be read|not UTF-8"):
        read_config(file)


def test_lines_are_found_around_every_form_of_value() -> None:
    text = '''\
top = { a = 1, b = [1, 2] } # = [x]
"quoted key" = """
[not.a.header]
not_a_key = 1
"""
list = [ # one
  "a = 1", 'b]',
]
a.b = 2
[ spaced . header ]
c = "]"
[[tables]]
[tables.sub]
d = 1
[[tables]]
e = 1
'''
    found = lines(text)

    assert found == {
        ("top",): 1,
        ("quoted key",): 2,
        ("list",): 6,
        ("a",): 9,
        ("a", "b"): 9,
        ("spaced", "header"): 10,
        ("spaced", "header", "c"): 11,
        ("tables", 0): 12,
        ("tables", 0, "sub"): 13,
        ("tables", 0, "sub", "d"): 14,
        ("tables", 1): 15,
        ("tables", 1, "e"): 16,
    }
