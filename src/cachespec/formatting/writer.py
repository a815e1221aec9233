"""A YAML document written anew: the structure by ruamel.yaml, what it cannot keep put back into its output."""

from __future__ import annotations

import re

from cachespec.formatting.tree import LONGEST_KEY, STEP, Entry, Node, Tree, on_lines


class Writer:
    """Puts comments, blank lines and the author's line breaks into what ruamel.yaml has written."""

    def __init__(self, tree: Tree, plain: Tree) -> None:
        self._tree = tree
        self._plain = plain
        self._edits: list[tuple[int, int, str]] = []
        # Lines that go before the next entry, with their indentation.
        self._waiting: list[tuple[int, str]] = []
        # Some texts keep the blank lines below them; one more would be part of the text.
        self._no_blank = False

    def written(self, header: list[str]) -> str:
        self._collection(self._tree.document, self._plain.document)
        result, offset = [line + "\n" for line in header], 0
        # Sorting is stable: what goes to the same place keeps its order.
        for start, end, text in sorted(self._edits, key=lambda edit: edit[0]):
            result += [self._plain.text[offset:start], text]
            offset = end
        return "".join([*result, self._plain.text[offset:], self._lines()])

    def _collection(self, node: Node, place: Node) -> None:
        for entry, its_place in zip(node.entries, place.entries, strict=True):
            if entry is node.entries[0]:
                entry.leading = _without_blanks_before(entry.leading)
            self._entry(entry, its_place)
        self._waiting += [(place.entries[-1].value.outer, line) for line in node.trailing]

    def _entry(self, entry: Entry, place: Entry) -> None:
        beside = [] if entry.compact else entry.remarks[-1:]
        self._above(entry.leading + entry.remarks[: len(entry.remarks) - len(beside)], place)
        indent = place.value.outer
        if entry.key is not None and place.key is not None and self._tree.stands_in(entry.key, key=True):
            self._replace(place.key, self._tree.written(entry.key, indent, key=True))
        remark = "".join(f"  {text}" for text in beside)
        if entry.value.block_collection:
            self._at_line_end(place.value.start if place.key is None else place.key.end, remark)
            self._collection(entry.value, place.value)
        elif entry.value.block_scalar:
            self._replace(place.value, self._block_scalar(entry.value, indent, remark))
        else:
            if self._tree.stands_in(entry.value, key=False):
                self._replace(place.value, self._flow(entry.value, indent))
            self._at_line_end(place.value.end, remark)

    def _above(self, lines: list[str], place: Entry) -> None:
        indent = self._plain.indentation(place.start)
        self._waiting += [(indent, line) for line in lines]
        start = place.start - self._plain.column(place.start)
        self._edits.append((start, start, self._lines()))

    def _lines(self) -> str:
        lines = ""
        for indent, line in self._waiting:
            if line:
                lines += " " * indent + line + "\n"
                self._no_blank = False
            elif not self._no_blank:
                lines += "\n"
        self._waiting = []
        return lines

    def _at_line_end(self, offset: int, remark: str) -> None:
        self._no_blank = False
        end = self._plain.text.index("\n", offset)
        self._edits.append((end, end, remark))

    def _replace(self, place: Node, text: str) -> None:
        self._edits.append((place.start, place.end, text))

    def _block_scalar(self, node: Node, indent: int, remark: str) -> str:
        """A literal or folded text, moved to the indentation that its place has now."""
        header, lines = self._tree.block_text(node)
        self._no_blank = "+" in header
        first = node.anchor + re.sub("[1-9]", str(STEP), header) + remark
        return first + on_lines(lines, indent + STEP)

    def _flow(self, node: Node, indent: int) -> str:
        """A value in flow style, with line breaks where the author had them and where comments need them."""
        if not node.collection:
            return self._tree.written(node, indent)
        opening, closing = "[]" if node.kind == "SequenceStartEvent" else "{}"
        text = node.anchor + opening + "".join(f"  {remark}" for remark in node.opening)
        inner = indent + STEP
        at = indent
        broken = bool(node.opening)
        for entry, breaks in zip(node.entries, node.breaks, strict=False):
            above = entry.leading + entry.remarks[:-1]
            if entry is node.entries[0]:
                above = _without_blanks_before(above)
            if broken or breaks or above:
                text += on_lines(above, inner) + "\n" + " " * inner
                at = inner
            elif entry is not node.entries[0]:
                text += " "
            text += self._pair(entry, at) + ("," if entry is not node.entries[-1] else "")
            text += "".join(f"  {remark}" for remark in entry.remarks[-1:])
            broken = bool(entry.remarks)
        if broken or node.breaks[-1] or node.trailing:
            text += on_lines(node.trailing, inner) + "\n" + " " * indent
        return text + closing

    def _pair(self, entry: Entry, indent: int) -> str:
        value = self._flow(entry.value, indent)
        if entry.key is None:
            return value
        key = self._tree.written(entry.key, indent, key=True)
        mark = "? " if len(key) > LONGEST_KEY else ""
        # A colon that follows an alias at once would be part of it.
        return f"{mark}{key}{' ' if entry.key.target else ''}: {value}"


def _without_blanks_before(lines: list[str]) -> list[str]:
    start = next((at for at, line in enumerate(lines) if line), len(lines))
    return lines[start:]
