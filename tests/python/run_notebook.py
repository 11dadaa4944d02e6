"""Runs the code cells of a notebook in order, as Jupyter would, and fails at the first error.

Usage: run_notebook.py NOTEBOOK [--jupyter]. The folder of the notebook is the working folder. The last expression of a cell is shown like
in Jupyter: by _repr_png_, _repr_svg_, _repr_html_ or repr. With --jupyter, the notebook is executed by nbclient with a kernel of Jupyter.
"""

import ast
import json
import os
import pathlib
import sys


def show(value):
    """Prints how a value is shown; fails if a picture is none."""
    png = value._repr_png_() if hasattr(value, "_repr_png_") else None
    if png is not None:
        assert png.startswith(b"\x89PNG\r\n\x1a\n"), "a picture is no PNG"
        print(f"[picture of {len(png)} bytes]")
        return
    if hasattr(value, "_repr_html_"):
        assert value._repr_html_().startswith("<"), "a table is no HTML"
    if value is not None:
        print(repr(value))


def run_cell(source, names, where):
    tree = ast.parse(source, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, where, "exec"), names)
    if last is not None:
        show(eval(compile(ast.Expression(last.value), where, "eval"), names))


def run_plain(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4, "only notebooks of format 4 are known"
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert cells, "the notebook has no code"
    os.chdir(path.parent)
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        assert not cell["outputs"] and cell["execution_count"] is None, f"cell {number} is stored with outputs"
        print(f"--- cell {number}")
        run_cell("".join(cell["source"]), names, f"<cell {number}>")


def run_jupyter(path):
    import nbclient
    import nbformat

    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    shown = {kind for cell in notebook.cells for output in cell.get("outputs", []) for kind in output.get("data", {})}
    assert {"image/png", "text/html"} <= shown, f"Jupyter shows only {shown}"


if __name__ == "__main__":
    (run_jupyter if "--jupyter" in sys.argv else run_plain)(pathlib.Path(sys.argv[1]).resolve())
