"""Results of requests: rows and pictures."""

from __future__ import annotations

import base64
import html
import operator
import os
import pathlib
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, overload

from ._errors import Error, ProgramEnded, TraceWarning
from ._program import Request

MOST_EXACT = 1 << 53  # Integers up to this size are exact as floating point numbers.
MOST_SHOWN = 60  # Number of rows that a result shows of itself.


class Row(tuple):
    """A row: a tuple whose values also have names: row[0], row["count(*)"], row.ts."""

    __slots__ = ()
    _index: dict[str, int] = {}

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            try:
                key = self._index[key]
            except KeyError:
                raise KeyError(f"there is no column {key!r}") from None
        return tuple.__getitem__(self, key)

    def _asdict(self) -> dict[str, Any]:
        """Returns the values by column. Of columns with the same name, the first one is taken."""
        return {name: tuple.__getitem__(self, i) for name, i in self._index.items()}

    def __repr__(self) -> str:
        return "Row(" + ", ".join(f"{name}={value!r}" for name, value in self._asdict().items()) + ")"

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_row, (tuple(self._index), tuple(self._index.values()), tuple(self))


def row_class(columns: Sequence[str]) -> type[Row]:
    """Returns the class of rows with these columns."""
    index: dict[str, int] = {}
    for i, name in enumerate(columns):
        index.setdefault(name, i)
    members: dict[str, Any] = {"__slots__": (), "_index": index}
    for name, i in index.items():
        if name.isidentifier() and not name.startswith("_"):
            members[name] = property(operator.itemgetter(i))
    return type("Row", (Row,), members)


def restore_row(names: Sequence[str], places: Sequence[int], values: Sequence[Any]) -> Row:
    """Returns a row from its parts, for pickle."""
    columns = [""] * len(values)
    for name, place in zip(names, places):
        columns[place] = name
    return row_class(columns)(values)


def value_of(value: Any) -> Any:
    """Returns a value of a response. A text that is not UTF-8 is bytes."""
    return base64.b64decode(value["base64"]) if isinstance(value, dict) and "base64" in value else value


class RowStream(Iterator[Row]):
    """Rows as they come from the program, so that a large result needs little memory.

    columns: names of the columns; empty if the last statement returns no rows.
    messages: messages about the result, complete after the last row.
    Threads: to be used by one thread. Close it, or use it in a with statement, if not all rows are read. A request that is made while rows
    are still to come makes the rest of the rows wait in memory.
    """

    def __init__(self, request: Request, owner: object) -> None:
        self._request = request
        self._owner = owner  # Keeps the trace open.
        self._rows: Iterator[list[Any]] = iter(())
        self.columns: tuple[str, ...] = ()
        self.messages: list[str] = []
        self._is_complete = False
        self._is_closed = False
        while not self._is_complete and not self.columns:  # Wrong statements fail here, not at the first row.
            self._take_message()
        self._class = row_class(self.columns)

    def _take_message(self) -> None:
        message = self._request.next()
        if "columns" in message:
            self.columns = tuple(message["columns"])
            self._class = row_class(self.columns)
        elif "rows" in message:
            self._rows = iter(message["rows"])
        elif "output" in message:
            self.close()
            raise Error("this command prints no table; Trace.command() returns what it prints, e.g. command('sync', '--json')")
        elif "result" in message:
            self._is_complete = True
            self.messages = message["result"]["messages"]

    def __iter__(self) -> RowStream:
        return self

    def __next__(self) -> Row:
        while True:
            values = next(self._rows, None)
            if values is not None:
                return self._class(map(value_of, values))
            if self._is_complete:
                raise StopIteration
            if self._is_closed:
                raise ProgramEnded("the rows were closed before the last one", "ended")
            self._take_message()

    def close(self) -> None:
        """Cancels the request, if not all rows have come."""
        self._is_closed = True
        self._rows = iter(())
        self._request.cancel()

    def __enter__(self) -> RowStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_request"):
            self._request.cancel()


class Result(Sequence[Row]):
    """A table in memory: a sequence of rows.

    columns: names of the columns. messages: messages about the result, which were also given as warnings.
    """

    def __init__(self, columns: Sequence[str], rows: list[Row], messages: Sequence[str] = ()) -> None:
        self.columns = tuple(columns)
        self.messages = list(messages)
        self._rows = rows

    @overload
    def __getitem__(self, key: int) -> Row: ...

    @overload
    def __getitem__(self, key: slice) -> Result: ...

    def __getitem__(self, key: int | slice) -> Row | Result:
        return Result(self.columns, self._rows[key], self.messages) if isinstance(key, slice) else self._rows[key]

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self.columns == other.columns and self._rows == other._rows

    __hash__ = None  # type: ignore[assignment]

    def column(self, name: str) -> list[Any]:
        """Returns the values of a column."""
        place = self.columns.index(name) if name in self.columns else None
        if place is None:
            raise KeyError(f"there is no column {name!r}")
        return [row[place] for row in self._rows]

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame. Integers stay exact: a column of integers and NULL has the type Int64."""
        import pandas

        series = [pandas_column(pandas, [row[i] for row in self._rows]) for i in range(len(self.columns))]
        frame = pandas.DataFrame(dict(enumerate(series)), index=range(len(self._rows)))
        frame.columns = list(self.columns)
        return frame

    def _repr_html_(self) -> str:
        def line(cell: str, values: Sequence[Any]) -> str:
            return "<tr>" + "".join(f"<{cell}>{html.escape(text_of(it))}</{cell}>" for it in values) + "</tr>"

        rows = "".join(line("td", row) for row in self._rows[:MOST_SHOWN])
        return f"<table><thead>{line('th', self.columns)}</thead><tbody>{rows}</tbody></table><p>{self._size_text()}</p>"

    def __repr__(self) -> str:
        lines = [list(self.columns)] + [[text_of(it) for it in row] for row in self._rows[:MOST_SHOWN]]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        texts = ["  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip() for line in lines]
        return "\n".join([*texts, self._size_text()])

    def _size_text(self) -> str:
        count = len(self._rows)
        size = "1 row" if count == 1 else f"{count} rows"
        return size if count <= MOST_SHOWN else f"{size}, of which the first {MOST_SHOWN} are shown"


def text_of(value: Any) -> str:
    return "NULL" if value is None else str(value)


def pandas_column(pandas: Any, values: list[Any]) -> Any:
    """Returns the values as a column of a type that holds all of them exactly."""
    types = {type(value) for value in values}
    if int in types and types <= {int, type(None)}:
        if all(value is None or -(1 << 63) <= value < 1 << 63 for value in values):
            return pandas.array(values, dtype="Int64" if type(None) in types else "int64")
    elif float in types and types <= {int, float, type(None)}:
        if all(type(value) is not int or abs(value) <= MOST_EXACT for value in values):
            return pandas.array([float("nan") if value is None else float(value) for value in values], dtype="float64")
    return pandas.Series(values, dtype="object")


def warn(messages: Sequence[str], level: int) -> None:
    """Gives messages as warnings. `level`: as of warnings.warn() called by the caller of this function."""
    for message in messages:
        warnings.warn(message, TraceWarning, level + 1)


class Picture:
    """A picture of a view, which Jupyter shows.

    png: bytes of the PNG file; None for an SVG picture. svg: text of the SVG file; None for a PNG picture.
    """

    def __init__(self, png: bytes | None, svg: str | None, messages: Sequence[str] = ()) -> None:
        self.png = png
        self.svg = svg
        self.messages = list(messages)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file."""
        pathlib.Path(path).write_bytes(self.png if self.png is not None else (self.svg or "").encode())

    def _repr_png_(self) -> bytes | None:
        return self.png

    def _repr_svg_(self) -> str | None:
        return self.svg
