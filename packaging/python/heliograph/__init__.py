"""Ask questions about traces of Linux performance tools: SQL, tables and pictures of Heliograph.

    import heliograph

    trace = heliograph.open("my-trace")
    for row in trace.sql("SELECT name, count(*) AS n FROM slice GROUP BY name"):
        print(row.name, row.n)

A trace is read by the program heliograph, which runs as long as the trace is open. The program is found by the environment variable
HELIOGRAPH, or else in PATH.
"""

from ._errors import Cancelled, Error, ProgramEnded, ProgramNotFound, TraceWarning
from ._results import Picture, Result, RowStream
from ._trace import Trace, open

__all__ = [
    "Cancelled",
    "Error",
    "Picture",
    "ProgramEnded",
    "ProgramNotFound",
    "Result",
    "RowStream",
    "Trace",
    "TraceWarning",
    "open",
]
