"""Write the docstrings of the native part into its stub, `constructor_game/_engine.pyi`, so that editors show them.

The doc comments of `python/src` are their source. `--check` only compares.
"""

import ast
import sys
import textwrap
from pathlib import Path
from typing import Any

from constructor_game import _engine

STUB = Path(__file__).parents[1] / "constructor_game/_engine.pyi"
WIDTH = 120
Definition = ast.ClassDef | ast.FunctionDef


def docstring(value: Any) -> str | None:
    """Return the docstring of a class, function or property of the native part."""
    text: str | None = value.__func__.__doc__ if isinstance(value, staticmethod) else value.__doc__
    return text


def lines(text: str, indent: str) -> str:
    """Return a docstring as code, its paragraphs and list items wrapped."""
    blocks: list[str] = []
    for line in text.strip().splitlines():
        if blocks and line and blocks[-1] and not line.startswith("- "):
            blocks[-1] += " " + line.strip()
        else:
            blocks.append(line)
    wrapped = [
        textwrap.wrap(
            block, WIDTH - len(indent), subsequent_indent="  " * block.startswith("- "), break_on_hyphens=False
        )
        or [""]
        for block in blocks
    ]
    wrapped[0][0] = '"""' + wrapped[0][0]
    found = [line for block in wrapped for line in block]
    if len(found) == 1:
        return f'{indent}{found[0]}"""'
    return "\n".join(f"{indent}{line}".rstrip() for line in [*found, '"""'])


def definitions(tree: ast.Module) -> list[tuple[Definition, str | None]]:
    """Return the classes, methods and functions of the stub with their docstrings."""
    found: list[tuple[Definition, str | None]] = []
    for node in tree.body:
        if not isinstance(node, Definition) or not hasattr(_engine, node.name):
            continue
        value = getattr(_engine, node.name)
        found.append((node, docstring(value)))
        if isinstance(node, ast.ClassDef):
            methods = [member for member in node.body if isinstance(member, ast.FunctionDef)]
            found += [(method, docstring(vars(value)[method.name])) for method in methods if method.name[:2] != "__"]
    return found


def documented(stub: str) -> str:
    """Return the stub with the docstrings of the native part."""
    code = stub.splitlines()
    for node, text in sorted(definitions(ast.parse(stub)), key=lambda found: -found[0].lineno):
        first = node.body[0]
        indent = " " * (node.col_offset + 4)
        has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        decorators = getattr(first, "decorator_list", [])
        start, end = min(part.lineno for part in [first, *decorators]) - 1, first.end_lineno or first.lineno
        if isinstance(node, ast.FunctionDef):
            signature = code[start][: first.col_offset].rstrip()
            if text is None:
                # A docstring that has gone leaves the line of the signature alone.
                code[start - (not signature) : end] = [f"{signature or code[start - 1]} ..."]
            else:
                code[start:end] = [*([signature] if signature else []), lines(text, indent)]
        elif text is not None:
            code[start : end if has_docstring else start] = [lines(text, indent), *([] if has_docstring else [""])]
    return "\n".join(code) + "\n"


def main() -> None:
    """Write the stub, or with `--check` compare it."""
    stub = STUB.read_text()
    expected = documented(stub)
    if "--check" not in sys.argv:
        STUB.write_text(expected)
    elif stub != expected:
        sys.exit(f"{STUB.name} is out of date: python docs/stubs.py")


if __name__ == "__main__":
    main()
