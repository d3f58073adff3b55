"""Configurations that a tired technician or an enemy could write: each is told in one sentence.

Every fault names file, line, key and what to do instead. None is a traceback, none is accepted
in silence, and none keeps `check` waiting.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from cli.test_commands import Said, arbiterd, arbiterd_process

HERE = Path(__file__).parent
CERTIFICATES = HERE.parent / "config"
UPLOAD = '[broadcast]\nfolder = "out"\nupload = '
TABLE = '[[tables]]\ntable = "1"\n'
ANA = '[[people]]\nname = "ana"\npassword_file = "secret"\n'
BROKER = 'username = "hall"\npassword_file = "secret"\n'
PAIRED = f"{TABLE}[round]\npairings = "
OPEN = 'listen = "0.0.0.0:8480"\n'
NINES = "9" * 5000

Case = tuple[str | bytes, int, str, str]
"""What is in the file; the line, the key and some words of its first fault."""

THE_FILE: dict[str, Case] = {
    "UTF-16": ('[hall]\nname = "a"\n'.encode("utf-16"), 1, "file", "save it as UTF-8"),
    "Latin-1": ("[hall]\n# Málaga\n".encode("latin-1"), 2, "file", "save it as UTF-8"),
    "a zero byte": (b"[hall]\n\x00", 2, "file", "mend the line"),
    "more than anybody writes": (b"#" * 2**21, 1, "file", "more than 1024 KiB"),
    "lists in lists": ("\nsettings = " + "[" * 9000 + "]" * 9000, 2, "file", "too deep"),
    "tables in tables": ("settings = " + "{a=" * 9000 + "1" + "}" * 9000, 1, "file", "too deep"),
    "a number without end": (f"[round]\nnumber = {NINES}\n", 2, "file", "thousands of digits"),
    "a key twice": ('[hall]\nname = "a"\nname = "b"\n', 3, "file", "Cannot overwrite"),
    "a section twice": ("[hall]\n[hall]\n", 2, "file", "twice"),
    "no quotes": ("[hall]\nname = main\n", 2, "file", "Invalid value"),
    "an open quote": ('[hall]\nname = "main\n', 2, "file", "Illegal character"),
    "half a character": (f'{TABLE}white = "\\ud800"\n', 3, "file", "not a Unicode scalar"),
}
SHAPES: dict[str, Case] = {
    "settings as a number": ("settings = 3\n", 1, "settings", "write [settings]"),
    "settings as a list": ("settings = [1]\n", 1, "settings", "write [settings]"),
    "tables as one": ('[tables]\ntable = "1"\n', 1, "tables", "write [[tables]]"),
    "tables as numbers": ("tables = [1]\n", 1, "tables[1]", "write [[tables]]"),
    "a rate as a number": ("[rates]\nquick = 3\n", 2, "rates.quick", "write [rates.quick]"),
    "a date for a name": ("[hall]\nname = 2026-11-22\n", 2, "hall.name", "text in quotes"),
    "a section nobody knows": ("[hal]\n", 1, "hal", "did you mean hall?"),
    "a key nobody knows": ('[http]\nlisen = ""\n', 2, "http.lisen", "did you mean listen?"),
}
VALUES: dict[str, Case] = {
    "a name of two lines": (f'{TABLE}white = "A\\n[Result"\n', 3, "tables[1].white", "U+000A"),
    "a name that paints": (f'{TABLE}label = "\\u001b[31m"\n', 3, "tables[1].label", "U+001B"),
    "a name that turns round": (f'{TABLE}black = "a\\u202eb"\n', 3, "tables[1].black", "U+202E"),
    "a name without end": (f'{TABLE}white = "{"x" * 9999}"\n', 3, "tables[1].white", "200 at most"),
    "a topic for a hall": ('[hall]\nname = "a/#"\n', 2, "hall.name", "small letters"),
    "a wildcard for a table": ('[[tables]]\ntable = "+"\n', 2, "tables[1].table", "letters"),
    "a huge round": (f"[round]\nnumber = {NINES[:400]}\n", 2, "round.number", "from 1 to 999"),
    "a round that is true": ("[round]\nnumber = true\n", 2, "round.number", "from 1 to 999"),
    "a huge setting": (
        f"[settings]\nrelease_ms = {NINES[:30]}\n", 2, "settings.release_ms", "write less",
    ),
    "a setting below zero": ("[settings]\nsettle_ns = -1\n", 2, "settings.settle_ns", "from 0"),
    "a setting that is no number": (
        "[settings]\nadjust_alert_s = nan\n", 2, "settings.adjust_alert_s", "whole number",
    ),
    "endless speed": ("[simulation]\nspeed = inf\n", 2, "simulation.speed", "0.01 to 1000"),
    "nothing is kept": ('[journal]\nkeep = "0d"\n', 2, "journal.keep", "write a day or more"),
    "a position without kings": (
        f'{TABLE}start = "8/8/8/8/8/8/8/8 w - - 0 1"\n', 3, "tables[1].start", "no legal move",
    ),
    "a position without end": (
        f'{TABLE}start = "{"8/" * 999}"\n', 3, "tables[1].start", "200 at most",
    ),
    "every origin": (
        '[livechess]\nenabled = true\norigins = ["*"]\n', 3, "livechess.origins", "web origin",
    ),
    "a thousand and one tables": (
        "".join(f'[[tables]]\ntable = "{i}"\n' for i in range(1001)), 2001, "tables[1001]", "1000",
    ),
}  # fmt: skip
DEVICES: dict[str, Case] = {
    "a file as a port": (f'{TABLE}device = "serial:/etc/passwd"\n', 3, "tables[1].device", "no s"),
    "a folder as a port": (f'{TABLE}device = "serial:/dev"\n', 3, "tables[1].device", "no serial"),
    "a fifo as a port": (f'{TABLE}device = "serial:PIPE"\n', 3, "tables[1].device", "no serial"),
    "a fifo to replay": (f'{TABLE}device = "replay:PIPE"\n', 3, "tables[1].device", "is no file"),
    "a secret to replay": (f'{TABLE}device = "replay:secret"\n', 3, "tables[1].device", "record"),
    "nothing to replay": (f'{TABLE}device = "replay:nix"\n', 3, "tables[1].device", "No such file"),
    "a port beyond all": (f'{TABLE}device = "tcp:h:99999"\n', 3, "tables[1].device", "tcp:HOST"),
    "a feed beyond all": (f'{TABLE}device = "csa:tcp://h:0"\n', 3, "tables[1].device", "csa:tcp"),
    "an address beyond all": (
        f'{TABLE}device = "dgt-bus:/dev/x#{NINES}"\n', 3, "tables[1].device", "1000 at most",
    ),
    "half a URL": (f'{TABLE}device = "livechess:ws://[:1#2"\n', 3, "tables[1].device", "livech"),
    "one board twice": (
        f'{TABLE}device = "tcp:h:1"\n[[tables]]\ntable = "2"\ndevice = "tcp:h:1"\n',
        6, "tables[2].device", "table 1 has this device",
    ),
    "no driver": (f'{TABLE}driver = "dgtt"\n', 3, "tables[1].driver", "write one of dgt"),
}  # fmt: skip
DOORS: dict[str, Case] = {
    "an open page": (f"[http]\n{OPEN}", 2, "http.listen", "add [[people]]"),
    "an open page with names": (f"{ANA}[http]\n{OPEN}", 5, "http.listen", "passwords in clear"),
    "one port for two": (
        '[http]\nlisten = "127.0.0.1:90"\n[public]\nlisten = "localhost:90"\n',
        4, "public.listen", "http.listen has this port already",
    ),
    "one port everywhere": (
        '[public]\nlisten = "0.0.0.0:8480"\n', 2, "public.listen", "http.listen has this port",
    ),
    "the broker's port": ('[http]\nlisten = "127.0.0.1:1883"\n', 2, "http.listen", "mqtt.listen"),
    "a login before the address": ('[http]\nlisten = "a@127.0.0.1:80"\n', 2, "http.listen", "port"),
    "two addresses": ('[http]\nlisten = "1.2.3.4,5:80"\n', 2, "http.listen", "an address"),
    "a password over the hall's net": (
        f'[mqtt]\nurl = "mqtt://10.0.0.5:1883"\n{BROKER}', 2, "mqtt.url", "write mqtts://",
    ),
    "a password over its WebSocket": (
        f'[mqtt]\nurl = "ws://10.0.0.5/mqtt"\n{BROKER}', 2, "mqtt.url", "write wss://",
    ),
    "a password in the URL": ('[mqtt]\nurl = "mqtt://a:b@h"\n', 2, "mqtt.url", "password_file"),
    "a password of nobody": (
        '[mqtt]\nurl = "mqtts://h"\npassword_file = "secret"\n', 3, "mqtt.password_file", "add use",
    ),
    "a login nowhere": (f"[mqtt]\n{BROKER}", 2, "mqtt.username", "add url"),
    "two brokers": (
        '[mqtt]\nurl = "mqtts://h"\nwebsocket = "127.0.0.1:9001"\n', 3, "mqtt.websocket", "embed",
    ),
    "LiveChess nowhere": (
        '[livechess]\nenabled = true\nlisten = ""\n', 3, "livechess.listen", "enabled = false",
    ),
    "LiveChess for all": (
        '[livechess]\nenabled = true\nlisten = "[::]:1982"\n', 3, "livechess.listen", "no accounts",
    ),
}  # fmt: skip
SECRETS: dict[str, Case] = {
    "open to everybody": (ANA.replace("secret", "open"), 3, "people[1].password_file", "chmod o-r"),
    "an empty one": (ANA.replace("secret", "empty"), 3, "people[1].password_file", "is empty"),
    "no text": (ANA.replace("secret", "bytes"), 3, "people[1].password_file", "UTF-8"),
    "a fifo": (ANA.replace("secret", "PIPE"), 3, "people[1].password_file", "is no file"),
    "a folder": (ANA.replace("secret", "."), 3, "people[1].password_file", "is no file"),
    "no name": (ANA.replace("secret", ""), 3, "people[1].password_file", "is empty; name"),
    "a zero in the name": (
        ANA.replace("secret", "a\\u0000b"), 3, "people[1].password_file", "U+0000",
    ),
    "one for two": (
        ANA + ANA.replace("ana", "bob"), 6, "people[2].password_file", "a file of its own",
    ),
    "the service's own name": (ANA.replace("ana", "arbiterd"), 2, "people[1].name", "itself"),
    "a letter for a certificate": (
        '[http]\ntls_cert = "letter"\ntls_key = "letter"\n', 2, "http.tls_cert", "two PEM files",
    ),
    "a key of another": (
        '[http]\ntls_cert = "certificate.pem"\ntls_key = "other.pem"\n', 2, "http.tls_cert", "go t",
    ),
    "a key open to everybody": (
        '[http]\ntls_cert = "certificate.pem"\ntls_key = "open.pem"\n', 3, "http.tls_key", "chmod",
    ),
    "a letter for an authority": (
        '[mqtt]\nurl = "mqtts://h"\nca_file = "letter"\n', 3, "mqtt.ca_file", "no certificate",
    ),
}  # fmt: skip
GAMES: dict[str, Case] = {
    "no pairings": (f'{PAIRED}"nix.csv"\n', 4, "round.pairings", "No such file"),
    "a fifo": (f'{PAIRED}"PIPE"\n', 4, "round.pairings", "is no file"),
    "an empty file": (f'{PAIRED}"empty"\n', 4, "round.pairings", "write table,white,black"),
    "a name that forges": (f'{PAIRED}"forged.csv"\n', 4, "round.pairings", "U+001B"),
    "a table that is not there": (f'{PAIRED}"far.csv"\n', 4, "round.pairings", "'9'"),
    "a rate nobody wrote": ('[round]\nrate = "quick"\n', 2, "round.rate", "[rates.NAME]"),
    "a rate of no time": (
        '[rates.a]\nkind = "blitz"\ntime = []\n', 3, "rates.a.time", "write for example",
    ),
    "a folder for a journal": ('[journal]\npath = "."\n', 2, "journal.path", "is a folder"),
    "a letter for a journal": ('[journal]\npath = "letter"\n', 2, "journal.path", "something else"),
    "a journal below a file": ('[journal]\npath = "letter/j"\n', 2, "journal.path", "below a file"),
    "a fifo for a journal": ('[journal]\npath = "PIPE"\n', 2, "journal.path", "is no file"),
}  # fmt: skip
HOSTILE = {
    f"{group}: {name}": case
    for group, cases in (
        ("file", THE_FILE), ("shape", SHAPES), ("value", VALUES), ("device", DEVICES),
        ("door", DOORS), ("secret", SECRETS), ("game", GAMES),
    )
    for name, case in cases.items()
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in {
        "secret": b"queen\n", "open": b"queen\n", "empty": b"", "bytes": b"\xff\xfe\x00",
        "letter": b"Dear arbiter,\n", "far.csv": b"table,white,black\n9,A,B\n",
        "forged.csv": b"table,white,black\n1,A\x1b[2J,B\n",
    }.items():  # fmt: skip
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o644 if name == "open" else 0o600)
    for name, source, mode in (
        ("certificate.pem", "certificate.pem", 0o644),
        ("open.pem", "key.pem", 0o644),
        ("other.pem", "other.pem", 0o600),
        ("key.pem", "key.pem", 0o600),
    ):
        shutil.copy(CERTIFICATES / source, tmp_path / name)
        (tmp_path / name).chmod(mode)
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


def written(folder: Path, text: str | bytes) -> Path:
    data = text if isinstance(text, bytes) else text.encode()
    serial = data.replace(b"serial:PIPE", f"serial:{folder}/pipe".encode())
    file = folder / "hall.toml"
    file.write_bytes(serial.replace(b"PIPE", b"pipe"))
    return file


@pytest.mark.timeout(20)
@pytest.mark.parametrize("case", HOSTILE.values(), ids=HOSTILE)
def test_each_is_one_clear_sentence(folder: Path, case: Case) -> None:
    text, line, key, words = case
    file = written(folder, text)

    said = arbiterd("check", file)

    assert said.returncode == 2, said
    assert said.stdout == ""
    told = said.stderr.splitlines()
    assert words in told[0]
    assert told[0].startswith(f"{file}:{line}: {key}: "), told[0]
    for sentence in told:
        _, _, rest = sentence.partition(f"{file}:")
        assert re.fullmatch(r"\d+: [^:]+: .+[;?].*", rest), f"no mend: {sentence}"
        assert len(rest) < 400, "short enough to be read"
    assert not re.search(r"Traceback|Error\b|Errno", said.stderr)


def test_there_are_sixty_and_more() -> None:
    assert len(HOSTILE) >= 60


def test_the_file_may_be_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("/dev/zero", tmp_path, tmp_path / "pipe", tmp_path / "nothing.toml"):
        said = arbiterd("check", name)
        assert said.returncode == 2
        assert said.stderr.startswith(f"{name}:1: file: the file cannot be read (")
        assert "Errno" not in said.stderr


@pytest.mark.parametrize("case", ["door: one port for two", "secret: open to everybody"])
def test_run_refuses_what_check_refuses(folder: Path, case: str) -> None:
    file = written(folder, HOSTILE[case][0])

    assert arbiterd_process("run", "--config", file).stderr == arbiterd("check", file).stderr


# What is right, or worth a note.


def checked(folder: Path, text: str | bytes) -> Said:
    said = arbiterd("check", written(folder, text))
    assert said.returncode == 0, said.stderr
    return said


def test_the_mark_that_some_editors_write_is_no_fault(folder: Path) -> None:
    said = checked(folder, '\ufeff[hall]\r\nname = "club"\r\n')

    assert "hall club" in said.stdout
    assert said.stderr == ""


def test_a_certificate_with_its_key_is_right(folder: Path) -> None:
    said = checked(
        folder, f'{ANA}[http]\n{OPEN}tls_cert = "certificate.pem"\ntls_key = "key.pem"\n'
    )

    assert said.stderr == ""


@pytest.mark.parametrize(
    ("text", "line", "note"),
    [
        (f'{PAIRED}"one.csv"\n[[tables]]\ntable = "2"\n', 5, "table 2 has no pairing in one.csv"),
        (f'{PAIRED}"many.csv"\n', 4, "Cid against Dan have no table here"),
        (f'{TABLE}[[tables]]\ntable = "2"\n{PAIRED[len(TABLE):]}"twice.csv"\n', 6, "Ana plays 2"),
        (f'{TABLE}white = "Ana"\n', 1, "table 1 has no name for black"),
        ('[rates.a]\nkind = "standard"\ntime = ["3:00+2"]\n', 2, "the Laws call it blitz"),
        (
            '[public]\nlisten = "127.0.0.1:90"\n[broadcast]\ndelay = "5s"\n',
            4, "players may learn from the public",
        ),
        ('[broadcast]\ndelay = "99999d"\n', 2, "the public sees nothing of a game before"),
        (f'{TABLE}delay = "25h"\n', 3, "more than a day"),
        (f'{UPLOAD}["no-such-program", "x"]\n', 3, "no program no-such-program is found here"),
        (f'{UPLOAD}["./up.sh"]\n', 3, "no program ./up.sh is found here"),
    ],
)  # fmt: skip
def test_what_may_be_meant_otherwise_is_noted(
    folder: Path, text: str, line: int, note: str
) -> None:
    (folder / "one.csv").write_text("table,white,black\n1,Ana,Bob\n")
    (folder / "twice.csv").write_text("table,white,black\n1,Ana,Bob\n2,Ana,Dan\n")
    (folder / "many.csv").write_text(
        '[White "Ana"]\n[Black "Bob"]\n\n[White "Cid"]\n[Black "Dan"]\n'
    )

    said = checked(folder, text)

    assert said.stderr.startswith(f"{folder}/hall.toml:{line}: ")
    assert "note: " in said.stderr
    assert note in said.stderr


@pytest.mark.parametrize("command", ["true", "/bin/true", "../up.sh"])
def test_a_command_that_can_be_run_is_right(folder: Path, command: str) -> None:
    """It runs in the broadcast's folder, from which its own path counts."""
    (folder / "up.sh").write_text("#!/bin/sh\n")
    (folder / "up.sh").chmod(0o755)
    (folder / "out").mkdir()

    assert checked(folder, f'{UPLOAD}["{command}"]\n').stderr == ""


def test_a_folder_that_cannot_be_written_is_told_before_the_round(folder: Path) -> None:
    (folder / "file").touch()

    for name, why in (("/proc/games", "No such file"), ("file/games", "Not a directory")):
        said = arbiterd("check", written(folder, f'[broadcast]\nfolder = "{name}"\n'))

        assert said.returncode == 2
        assert said.stderr.startswith(f"{folder}/hall.toml:2: broadcast.folder: no file can be")
        assert why in said.stderr
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("time", "kind"),
    [
        ('["40/90:00+30", "30:00+30"]', "standard"), ('["60:00"]', "standard"),
        ('["15:00+10"]', "rapid"), ('["10:00+5"]', "rapid"), ('["10:00"]', "blitz"),
        ('["3:00d2"]', "blitz"),
    ],
)  # fmt: skip
def test_a_rate_is_what_the_laws_call_it(folder: Path, time: str, kind: str) -> None:
    assert checked(folder, f'[rates.a]\nkind = "{kind}"\ntime = {time}\n').stderr == ""
