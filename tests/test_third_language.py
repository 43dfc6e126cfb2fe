"""A third language is one folder and one line, and is then heard everywhere."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LETTERS = {code: code + 1 for code in range(ord("一"), ord("龠"))} | {ord("z"): "ž"}


def written(text: str) -> str:
    """Write Chinese in the made-up language; slots keep their names."""
    return "".join(
        piece if index % 2 else piece.translate(LETTERS)
        for index, piece in enumerate(re.split(r"(\{\w+\})", text))
    )


class Translation(ast.NodeTransformer):
    """Writes every text of a language's file in the made-up one; keys and comments stay."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.Constant(written(node.value)) if isinstance(node.value, str) else node

    def visit_Dict(self, node: ast.Dict) -> ast.Dict:
        return ast.Dict(node.keys, [self.visit(value) for value in node.values])


def add_language(root: Path, name: str) -> None:
    """Do what somebody does who adds a language: a folder, and a line that registers it."""
    words = root / "digest" / "wording"
    (words / name).mkdir()
    for path in (words / "zh").glob("*.py"):
        tree = Translation().visit(ast.parse(path.read_text("utf-8")))
        source = ast.unparse(ast.fix_missing_locations(tree)).replace(
            "wording.zh", f"wording.{name}"
        )
        (words / name / path.name).write_text(source, "utf-8")
    languages = root / "digest" / "languages.py"
    text = languages.read_text("utf-8")
    line = '    ZH = "zh"\n'
    assert line in text
    languages.write_text(text.replace(line, f'{line}    {name.upper()} = "{name}"\n'), "utf-8")


def test_a_third_language_is_heard_in_threads_errors_forms_and_pages(tmp_path: Path) -> None:
    for folder in ("digest", "bot", "adapters", "tests"):
        ignored = shutil.ignore_patterns("__pycache__", "snapshots")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    add_language(tmp_path, "xx")

    def spoken(language: str) -> dict[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "tests.spoken", language],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    chinese, third = spoken("zh"), spoken("xx")

    for place in ("thread", "buttons", "form", "headings"):
        assert len(chinese[place]) > 3
        assert third[place] == [written(text) for text in chinese[place]], place
    assert third["error"] == written(chinese["error"])
    assert all(text in third["page"] for text in third["headings"])
    assert chinese["discord"]["žh-CN"] == third["discord"]["žh-CN"]
    assert third["discord"]["žh-CN"] == written(third["discord"]["zh-CN"])
