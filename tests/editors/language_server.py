"""A language server as an editor talks to it: JSON-RPC over its standard input and output."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Queue
from subprocess import PIPE, Popen
from threading import Thread
from typing import IO, Any, TypeAlias

Message: TypeAlias = dict[str, Any]

_PATIENCE = 60.0  # Seconds; an answer takes a tenth of one, on a busy machine more.

_CAPABILITIES = {
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {
        "publishDiagnostics": {},
        "hover": {"contentFormat": ["markdown"]},
        "completion": {"completionItem": {"snippetSupport": True}},
    },
}


@contextmanager
def language_server(command: Sequence[str], workspace: Path, settings: Mapping[str, Any]) -> Iterator[LanguageServer]:
    """A server that runs for one workspace folder, with settings written as VS Code writes them (`a.b.c`)."""
    with Popen(command, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        messages: Queue[Message | None] = Queue()
        # Reading has its own thread: only so can waiting for a message come to an end.
        reader = Thread(target=_read, args=(process.stdout, messages), daemon=True)
        reader.start()
        try:
            server = LanguageServer(process.stdin, messages, _sections(settings))
            server.start(workspace)
            yield server
            server.stop()
            process.wait(_PATIENCE)
        finally:
            process.kill()
            reader.join()


class LanguageServer:
    """The editor's side of the talk."""

    def __init__(self, to_server: IO[bytes], messages: Queue[Message | None], settings: Message) -> None:
        self._to_server = to_server
        self._messages = messages
        self._settings = settings
        self._requests = 0

    def start(self, workspace: Path) -> None:
        folder = {"uri": workspace.as_uri(), "name": workspace.name}
        parameters = {"processId": None, "rootUri": folder["uri"], "workspaceFolders": [folder]}
        self._ask("initialize", {**parameters, "capabilities": _CAPABILITIES})
        self._send(method="initialized", params={})
        # Documents come after the settings: one that is opened before them is judged without a schema.
        self._answer(self._receive(lambda message: message.get("method") == "workspace/configuration"))

    def stop(self) -> None:
        self._ask("shutdown", None)
        self._send(method="exit")

    def open(self, documents: Mapping[Path, str]) -> dict[Path, list[Message]]:
        """Opens documents, which need not exist as files, all at once; returns the diagnostics of each."""
        for path, text in documents.items():
            document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": text}
            self._send(method="textDocument/didOpen", params={"textDocument": document})
        # A server waits a moment before it judges a document: one after the other they would take a minute.
        awaited = {path.as_uri(): path for path in documents}
        found: dict[Path, list[Message]] = {}
        while awaited:
            news = self._receive(
                lambda message: (
                    message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] in awaited
                )
            )["params"]
            found[awaited.pop(news["uri"])] = news["diagnostics"]
        return {path: found[path] for path in documents}

    def hover(self, path: Path, line: int, character: int) -> str:
        """What is shown for a place of an open document; both numbers start at 0, as everywhere in this protocol."""
        hover = self._ask("textDocument/hover", _place(path, line, character))
        return "" if hover is None else str(hover["contents"]["value"])

    def completions(self, path: Path, line: int, character: int) -> list[str]:
        """The labels of what is offered at a place of an open document."""
        return [item["label"] for item in self.completion_items(path, line, character)]

    def completion_items(self, path: Path, line: int, character: int) -> list[Message]:
        """What is offered at a place of an open document, each with its label and its edit."""
        items: list[Message] = self._ask("textDocument/completion", _place(path, line, character))["items"]
        return items

    def _ask(self, method: str, parameters: object) -> Any:
        self._requests += 1
        number = self._requests
        self._send(id=number, method=method, params=parameters)
        answer = self._receive(lambda message: message.get("id") == number and "method" not in message)
        assert "error" not in answer, answer
        return answer["result"]

    def _receive(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message of a kind; answers what the server asks in the meantime, and drops all else."""
        end = time.monotonic() + _PATIENCE
        while True:
            message = self._messages.get(timeout=max(0.0, end - time.monotonic()))
            assert message is not None, "the server has ended"
            if wanted(message):
                return message
            if "id" in message and "method" in message:
                self._answer(message)

    def _answer(self, question: Message) -> None:
        result = None
        if question["method"] == "workspace/configuration":
            result = [self._settings.get(item["section"]) for item in question["params"]["items"]]
        self._send(id=question["id"], result=result)

    def _send(self, **message: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to_server.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._to_server.flush()


def _read(stream: IO[bytes], messages: Queue[Message | None]) -> None:
    """Puts every message into the queue, and None when there will be no more."""
    while line := stream.readline():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        elif not line.strip():
            messages.put(json.loads(stream.read(length)))
    messages.put(None)


def _place(path: Path, line: int, character: int) -> Message:
    return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}


def _sections(settings: Mapping[str, Any]) -> Message:
    """`{"a.b.c": 1, "a.d": 2}` as `{"a": {"b": {"c": 1}, "d": 2}}`."""
    sections: Message = {}
    for name, value in settings.items():
        *parents, last = name.split(".")
        section = sections
        for parent in parents:
            section = section.setdefault(parent, {})
        section[last] = value
    return sections
