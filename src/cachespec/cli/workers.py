"""Several processes that share a list of files; none of them outlives the one that started it."""

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

Result = TypeVar("Result")
Chunk: TypeAlias = list[tuple[int, str]]

# So many files at once: few messages, and yet no process has much left when the others have none.
_MOST_IN_CHUNK = 16


class Died(NamedTuple):
    """A file whose process ended before it had a result."""

    path: str
    how: str


class _Worker(Generic[Result]):
    """One process, and what it still owes; the first file of it is the one that it works on."""

    def __init__(self, context: BaseContext, task: Callable[[str], Result], lifeline: Connection, end: Connection):
        self.connection, connection = multiprocessing.Pipe()
        # Only a fork inherits what it is not given.
        inherited = end if context.get_start_method() == "fork" else None
        self.process = context.Process(  # type: ignore[attr-defined]
            target=_work, args=(task, connection, lifeline, inherited, gc.get_threshold()), daemon=True
        )
        with _without_interrupts():
            self.process.start()
        connection.close()
        self.owed: deque[tuple[int, str]] = deque()

    def take(self, chunk: Chunk) -> None:
        self.owed.extend(chunk)
        self.connection.send(chunk)

    def answer(self) -> tuple[int, Result | Died]:
        """The next result. Raises EOFError or OSError when the process has died."""
        answer: tuple[int, Result | Died] = self.connection.recv()
        self.owed.popleft()
        return answer

    def end(self) -> str:
        """How the process has ended, in a few words."""
        self.process.kill()
        self.process.join()
        self.connection.close()
        code = self.process.exitcode
        return f"killed by signal {-code}" if code < 0 else f"status {code}"


def spread(task: Callable[[str], Result], paths: Sequence[str], processes: int) -> Iterator[Result | Died]:
    """The results of a task for each path, in order, from so many processes. A file whose process dies has `Died`."""
    # What the parent has written so far must not be written again by a copy of it.
    sys.stdout.flush()
    context = multiprocessing.get_context()
    lifeline, end = multiprocessing.Pipe(duplex=False)
    size = max(1, min(_MOST_IN_CHUNK, len(paths) // (processes * 4)))
    numbered = list(enumerate(paths))
    waiting = deque(numbered[start : start + size] for start in range(0, len(paths), size))
    results: dict[int, Result | Died] = {}
    workers: list[_Worker[Result]] = []
    try:
        for number in range(len(paths)):
            while number not in results:
                while waiting and len(workers) < processes:
                    workers.append(_Worker(context, task, lifeline, end))
                    _hand_out(workers[-1], waiting)
                _collect(workers, waiting, results)
            yield results.pop(number)
    finally:
        for worker in workers:
            worker.process.kill()


def _hand_out(worker: _Worker[Any], waiting: deque[Chunk]) -> None:
    if waiting:
        try:
            worker.take(waiting.popleft())
        except OSError:
            # It has died, which its end of the connection says as well.
            return


def _collect(workers: list[_Worker[Result]], waiting: deque[Chunk], results: dict[int, Result | Died]) -> None:
    """Waits for the next answers; a process that has died leaves its other files to the rest."""
    ready = wait([worker.connection for worker in workers if worker.owed])
    for worker in [worker for worker in workers if worker.connection in ready]:
        try:
            number, result = worker.answer()
        except (EOFError, OSError):
            workers.remove(worker)
            number, path = worker.owed.popleft()
            result = Died(path, worker.end())
            if worker.owed:
                waiting.appendleft(list(worker.owed))
        else:
            if not worker.owed:
                _hand_out(worker, waiting)
        results[number] = result


def _work(
    task: Callable[[str], Any],
    connection: Connection,
    lifeline: Connection,
    inherited: Connection | None,
    threshold: tuple[int, int, int],
) -> None:
    """What a process does: chunks of paths in, a result for each of them out, until the parent has gone."""
    # The parent decides what Ctrl-C means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*threshold)
    if inherited is not None:
        inherited.close()
    threading.Thread(target=_leave_with_parent, args=(lifeline,), daemon=True).start()
    while True:
        try:
            for number, path in connection.recv():
                connection.send((number, _result(task, path)))
        except (EOFError, OSError):
            os._exit(0)


def _result(task: Callable[[str], Any], path: str) -> Any:
    try:
        return task(path)
    except Exception as error:
        return Died(path, f"{type(error).__name__}: {error}")


def _leave_with_parent(lifeline: Connection) -> None:
    """Ends the process as soon as nobody holds the other end, however the parent has ended."""
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C waits meanwhile: a new process would show a traceback before it can say that it ignores it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
