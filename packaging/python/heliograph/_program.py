"""The process `heliograph serve --stdio`: requests and responses."""

from __future__ import annotations

import collections
import io
import itertools
import json
import os
import queue
import shutil
import subprocess
import threading
from typing import Any

from ._errors import ProgramEnded, ProgramNotFound, error_of

PROTOCOL = 1
MOST_WAITING = 4  # Largest number of batches that wait for a caller who reads slowly.
SECONDS_TO_END = 5  # Longest time in which the program may end by itself.

Message = dict[str, Any]


def find_program(program: str | os.PathLike[str] | None) -> str:
    """Returns the path of the program: `program`, else $HELIOGRAPH, else heliograph in PATH."""
    wanted = os.fspath(program) if program else os.environ.get("HELIOGRAPH") or "heliograph"
    found = shutil.which(wanted)
    if found is None:
        raise ProgramNotFound(
            f"the program {wanted} was not found; install Heliograph, or set the environment variable HELIOGRAPH to its path",
            "not-found",
        )
    return found


class Request:
    """A request that waits for responses. Made by Program.send().

    Threads: to be used by one thread.
    """

    def __init__(self, program: Program, number: int) -> None:
        self._program = program
        self._number = number
        self.messages: collections.deque[Message] = collections.deque()
        self.is_done = False  # True once the last response was taken, or the request was cancelled.

    def next(self) -> Message:
        """Waits for a response and returns it. A response with the member "result" is the last one.

        Raises Error if the request failed. If the waiting is interrupted, e.g. by Ctrl+C, the request is cancelled.
        """
        program = self._program
        program.check_process()
        try:
            with program.changed:
                while not self.messages and not program.ending:
                    program.changed.wait()
                if not self.messages:
                    self.is_done = True
                    raise ProgramEnded(program.ending, "ended")
                message = self.messages.popleft()
                if "result" in message or "error" in message:
                    self.is_done = True
                    program.requests.pop(self._number, None)
                program.changed.notify_all()
        except BaseException:
            self.cancel()
            raise
        if "error" in message:
            raise error_of(message["error"])
        return message

    def cancel(self) -> None:
        """Cancels the request, if it has not ended. Does not wait."""
        program = self._program
        if self.is_done or not program.is_of_this_process():
            return
        self.is_done = True
        with program.changed:
            is_waiting = program.requests.pop(self._number, None) is not None and not program.ending
            program.changed.notify_all()
            if is_waiting:
                program.write(program.next_number(), "cancel", {"request": self._number})


class Program:
    """A running program.

    Threads: any. The program executes requests one after the other.
    """

    def __init__(self, program: str | os.PathLike[str] | None = None) -> None:
        path = find_program(program)
        self.changed = threading.Condition(threading.RLock())  # Guards the members below.
        self.requests: dict[int, Request] = {}  # Requests that wait for responses, by their numbers.
        self.ending = ""  # Why no more responses will come; empty while the program runs.
        self._numbers = itertools.count(1)
        self._owner = os.getpid()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        try:
            # A process group of its own, so that Ctrl+C in a terminal interrupts Python only, which then cancels the request.
            self._process = subprocess.Popen(
                [path, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, process_group=0
            )
        except OSError as error:
            raise ProgramNotFound(f"the program {path} cannot be started: {error}", "not-found") from error
        # Signals interrupt only the main thread, so these threads never read or write a part of a line.
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._write)]
        for thread in self._threads:
            thread.start()
        try:
            self.version: str = self._check_version()
        except BaseException:
            self.close()
            raise

    def _check_version(self) -> str:
        try:
            result = self.send("version", {}).next()["result"]
        except ProgramEnded as error:
            raise ProgramNotFound("the program heliograph does not have the command serve; it may be too old", "unsupported") from error
        if result.get("protocol") != PROTOCOL:
            raise ProgramNotFound(f"heliograph {result.get('version')} and this package do not fit", "unsupported")
        return str(result.get("version"))

    def is_of_this_process(self) -> bool:
        """Returns False after a fork in the child: its copy has no threads that read and write, and its locks may be held for ever."""
        return os.getpid() == self._owner

    def check_process(self) -> None:
        """Raises ProgramEnded after a fork in the child."""
        if not self.is_of_this_process():
            raise ProgramEnded("a trace can be used only by the process that opened it; open it again in the new process", "ended")

    def send(self, method: str, params: Message) -> Request:
        """Sends a request."""
        self.check_process()
        with self.changed:
            if self.ending:
                raise ProgramEnded(self.ending, "ended")
            number = self.next_number()
            request = Request(self, number)
            self.requests[number] = request
            self.write(number, method, params)
            self.changed.notify_all()
        return request

    def next_number(self) -> int:
        """Returns the number of a new request."""
        return next(self._numbers)

    def write(self, number: int, method: str, params: Message) -> None:
        """Writes a request. Requires: the caller holds `changed`."""
        line = json.dumps({"id": number, "method": method, "params": params}, default=os.fspath)
        self._lines.put(line.encode() + b"\n")

    def _write(self) -> None:
        """Writes lines to the program until there are no more."""
        stdin = self._process.stdin
        assert stdin is not None
        try:
            while (line := self._lines.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[stdin.write(rest) :]
        except OSError:
            pass  # The program has ended; the thread that reads says so.
        finally:
            stdin.close()

    def _read(self) -> None:
        """Reads responses and hands them to their requests until the program ends."""
        stdout = self._process.stdout
        assert stdout is not None
        reason = "the program heliograph has ended"
        # After an error, the place in the stream is unknown, so that no more responses can be read.
        try:
            with io.BufferedReader(stdout, 1 << 16) as pipe:  # type: ignore[arg-type]
                for line in pipe:
                    self._take(json.loads(line))
        except MemoryError:
            reason = "not enough memory for a response of the program heliograph"
        except Exception as error:
            reason = f"the program heliograph sent something else than responses: {error}"
        with self.changed:
            self.ending = self.ending or reason
            self.changed.notify_all()

    def _take(self, message: Message) -> None:
        number = message.get("id")
        with self.changed:
            request = self.requests.get(number) if isinstance(number, int) else None
            # Wait for a caller who reads slowly, unless other requests wait for their turn.
            while request and len(request.messages) >= MOST_WAITING and self.requests == {number: request} and not self.ending:
                self.changed.wait()
            if request and number in self.requests:
                request.messages.append(message)
                self.changed.notify_all()

    def close(self) -> None:
        """Ends the program. All requests that wait fail with ProgramEnded."""
        if not self.is_of_this_process():
            return
        with self.changed:
            numbers = [] if self.ending else list(self.requests)
            for number in numbers:
                self.write(self.next_number(), "cancel", {"request": number})
            self.requests.clear()
            self.ending = self.ending or "the trace is closed"
            self.changed.notify_all()
        self._lines.put(None)
        try:
            self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(SECONDS_TO_END)
