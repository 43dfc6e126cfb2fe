"""`docs/quality.md`: each section is written by its own command and leaves the others alone."""

from pathlib import Path


def write_section(path: Path, text: str) -> None:
    """Put a section (`# Heading` and what follows) in the place of the one of that heading."""
    heading = text.partition("\n")[0]
    kept = path.read_text(encoding="utf-8") if path.exists() else ""
    sections = [part for part in _sections(kept) if part.strip()]
    headings = [part.partition("\n")[0] for part in sections]
    if heading in headings:
        sections[headings.index(heading)] = text
    else:
        sections.append(text)
    path.write_text("\n".join(part.rstrip("\n") + "\n" for part in sections), encoding="utf-8")


def _sections(text: str) -> list[str]:
    sections: list[list[str]] = []
    fenced = False
    for line in text.split("\n"):
        fenced ^= line.startswith("```")
        if (line.startswith("# ") and not fenced) or not sections:
            sections.append([])
        sections[-1].append(line)
    return ["\n".join(lines) for lines in sections]
