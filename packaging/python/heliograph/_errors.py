"""Exceptions and warnings of the package."""

from __future__ import annotations

from typing import Any, Sequence


class Error(Exception):
    """A request failed.

    kind: word for the kind of the error: "usage", "not-found", "unreadable", "unsupported", "corrupt", "cancelled", "full" or "ended".
    line, column: position in the SQL, both from 1, columns in bytes; None if the error has none.
    messages: warnings that came before the error.
    """

    def __init__(
        self,
        message: str,
        kind: str = "usage",
        line: int | None = None,
        column: int | None = None,
        messages: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.line = line
        self.column = column
        self.messages = list(messages)


class Cancelled(Error):
    """The request was cancelled."""


class ProgramNotFound(Error):
    """The program heliograph was not found, or cannot be used."""


class ProgramEnded(Error):
    """The program heliograph has ended, or the trace was closed."""


class TraceWarning(UserWarning):
    """A message about the trace or the result, e.g. that events were lost."""


def error_of(members: dict[str, Any]) -> Error:
    """Returns the exception for the error of a response."""
    kind = members.get("kind", "")
    return (Cancelled if kind == "cancelled" else Error)(
        members.get("message", ""), kind, members.get("line"), members.get("column"), members.get("messages", ())
    )
