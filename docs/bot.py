"""A bot for a chat: says each ruling that waits, and takes "confirm 12-0812" for an answer.

    pip install aiomqtt
    python bot.py --user ana --password-file ana.password

Standard output and input stand in for the chat: join them to yours.
"""

import argparse
import asyncio
import contextlib
import json
import sys
import uuid
from pathlib import Path
from typing import Any

import aiomqtt

AGAIN_S, TIMES = 2, 15
"""A command is sent again until it is answered: the service may be away for a moment."""


class Bot:
    """One arbiter's login at one hall."""

    def __init__(self, broker: aiomqtt.Client, hall: str, user: str) -> None:
        self.broker, self.root, self.user = broker, f"arbiterd/{hall}", user
        self.tables: dict[str, str] = {}  # Of open rulings, by their id.
        self.answered: dict[str, asyncio.Future[dict[str, Any]]] = {}

    async def listen(self) -> None:
        """Retained: the rulings that are open now come first, one message each."""
        topics = [f"{self.root}/tables/+/rulings/+", f"{self.root}/tables/+/reply/{self.user}"]
        await self.broker.subscribe([(topic, 1) for topic in topics])
        async for message in self.broker.messages:
            ruling_id = message.topic.value.rpartition("/")[2]
            said = json.loads(message.payload) if message.payload else None
            if said is None:  # It is decided, by whomever.
                print("decided", ruling_id, flush=True)
                self.tables.pop(ruling_id, None)
            elif "ok" in said:
                waiting = self.answered.get(said["id"])
                if waiting is not None and not waiting.done():
                    waiting.set_result(said)
            else:
                self.tables[ruling_id] = said["table"]
                line = said["text"]["en"]["line"]
                print(f"{ruling_id}: table {said['table']}, {line}", flush=True)

    async def obey(self) -> None:
        """Lines as they are typed: `confirm ID`, `dismiss ID reason`."""
        while line := await asyncio.to_thread(sys.stdin.readline):
            match line.split(maxsplit=2):
                case ["confirm" | "dismiss" as action, ruling, *rest]:
                    answer = await self.act(action, ruling, " ".join(rest))
                case _:
                    answer = "say: confirm ID, or: dismiss ID reason"
            print(answer, flush=True)

    async def act(self, action: str, ruling: str, reason: str) -> str:
        """What came of it, in words."""
        table = self.tables.get(ruling) or ruling.partition("-")[0]
        sent_as = uuid.uuid4().hex  # The same each time it is sent, so that it is done once.
        command = {"action": action, "ruling": ruling, "reason": reason, "id": sent_as}
        answer = self.answered[sent_as] = asyncio.get_running_loop().create_future()
        for _ in range(TIMES):
            topic = f"{self.root}/tables/{table}/command/{self.user}"
            await self.broker.publish(topic, json.dumps(command), qos=1)
            with contextlib.suppress(TimeoutError):
                told = await asyncio.wait_for(asyncio.shield(answer), AGAIN_S)
                return "done" if told["ok"] else f"refused: {told['error']}"
        return f"no answer: does the service run, and may {self.user} act at table {table}?"


async def main() -> None:
    """Until nothing more is typed."""
    parse = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parse.add_argument("--broker", default="127.0.0.1")
    parse.add_argument("--port", type=int, default=1883)
    parse.add_argument("--hall", default="main")
    parse.add_argument("--user", required=True)
    parse.add_argument("--password-file", type=Path, required=True)
    parse.add_argument("--ca", help="the hall's authority.pem, where the broker has TLS")
    said = parse.parse_args()
    tls = aiomqtt.TLSParameters(ca_certs=said.ca) if said.ca else None
    password = said.password_file.read_text().splitlines()[0]
    async with aiomqtt.Client(
        said.broker, said.port, username=said.user, password=password, tls_params=tls
    ) as broker:
        bot = Bot(broker, said.hall, said.user)
        listening = asyncio.create_task(bot.listen())
        await bot.obey()
        listening.cancel()


if __name__ == "__main__":
    asyncio.run(main())
