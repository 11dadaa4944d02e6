"""Opened traces."""

from __future__ import annotations

import base64
import os
import weakref
from typing import Any, Literal, overload

from ._program import Message, Program
from ._results import Picture, Result, RowStream, warn

Path = str | os.PathLike[str]


def options_of(options: dict[str, Any]) -> Message:
    """Returns options for a request. A name that is a word of Python has an underscore at its end: with_."""
    return {name.rstrip("_"): list(value) if isinstance(value, (tuple, set)) else value for name, value in options.items()}


class Trace:
    """Traces that are open as one experiment. Made by heliograph.open().

    info: description of the traces, like `heliograph info --json`.
    Options of methods are those of the command of the same name, with underscores: latency(of="syscall", begin="+1s"). True stands for an
    option without a value, and a list repeats the option.
    Threads: any; the requests are executed one after the other.
    """

    def __init__(self, paths: tuple[Path, ...], program: Path | None, options: dict[str, Any]) -> None:
        self._program = Program(program)
        self._end = weakref.finalize(self, self._program.close)
        try:
            names = [os.path.expanduser(os.fspath(path)) for path in paths]
            result = self._program.send("open", {"paths": names, "options": options_of(options)}).next()["result"]
        except BaseException:
            self.close()
            raise
        self._number: int = result["trace"]
        self.info: dict[str, Any] = result["info"]
        self.messages: list[str] = result["messages"]
        warn(self.messages, 3)

    def close(self) -> None:
        """Closes the traces and ends the program."""
        self._end()

    @property
    def closed(self) -> bool:
        return not self._end.alive

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        traces = self.info.get("traces", [])
        return f"<heliograph.Trace of {', '.join(str(it.get('path')) for it in traces)}{' (closed)' if self.closed else ''}>"

    @overload
    def sql(self, statements: str, *, stream: Literal[False] = False) -> Result: ...

    @overload
    def sql(self, statements: str, *, stream: Literal[True]) -> RowStream: ...

    def sql(self, statements: str, *, stream: bool = False) -> Result | RowStream:
        """Runs statements, separated by semicolons, and returns the rows of the last one.

        Tables and views that statements make stay until the trace is closed. With `stream`, rows are returned as they come.
        """
        return self._rows("sql", {"sql": statements}, stream)

    def states(self, view: str = "control-flow", *, stream: bool = False, **options: Any) -> Any:
        """Returns the state intervals of each row of a view, like `heliograph states`."""
        return self._rows("states", {"options": options_of({"view": view, **options})}, stream)

    def latency(self, of: str = "syscall", *, stream: bool = False, **options: Any) -> Any:
        """Returns durations and latencies of a kind of intervals, like `heliograph latency`."""
        return self._rows("latency", {"options": options_of({"of": of, **options})}, stream)

    def flame(self, *, stream: bool = False, **options: Any) -> Any:
        """Returns the tree of sampled call stacks, or with table=True a table of functions, like `heliograph flame`."""
        return self._rows("flame", {"options": options_of(options)}, stream)

    def table(self, command: str, *, stream: bool = False, **options: Any) -> Any:
        """Returns the table that a command of heliograph prints, e.g. "stats" or "critical-path"."""
        return self._rows(command, {"options": options_of(options)}, stream)

    def command(self, *arguments: str) -> str:
        """Returns what a command of heliograph prints about the traces: command("info"), command("flame", "--format", "folded")."""
        request = self._program.send("command", {"trace": self._number, "arguments": list(arguments)})
        texts: list[str] = []
        while "result" not in (message := request.next()):
            texts.append(message.get("output", ""))
        warn(message["result"]["messages"], 2)
        return "".join(texts)

    def render(self, view: str, format: Literal["png", "svg"] = "png", **options: Any) -> Picture:
        """Returns a picture of a view, like `heliograph render`; the view "flame" is a flame graph."""
        params = {"trace": self._number, "format": format, "options": options_of({"view": view, **options})}
        result = self._program.send("render", params).next()["result"]
        warn(result["messages"], 2)
        png = result.get("png")
        return Picture(base64.b64decode(png) if png is not None else None, result.get("svg"), result["messages"])

    def _rows(self, method: str, params: Message, stream: bool) -> Result | RowStream:
        request = self._program.send(method, {"trace": self._number, **params})
        rows = RowStream(request, self)
        if stream:
            return rows
        all_rows = list(rows)
        warn(rows.messages, 3)
        return Result(rows.columns, all_rows, rows.messages)


def open(*paths: Path, program: Path | None = None, **options: Any) -> Trace:
    """Opens traces as one experiment: folders, files or archives.

    program: path of the program heliograph; by default $HELIOGRAPH, else heliograph in PATH.
    options: the options for reading traces that all commands have, e.g. no_sync=True or symbols=["lib"].
    """
    return Trace(paths, program, options)
