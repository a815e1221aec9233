"""Which field, entry or collection every comment and blank line of a YAML document belongs to."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TypeAlias

from cachespec.formatting.tree import Entry, Node, Note, Tree

# A collection around an offset, with its entries before and after the offset.
Around: TypeAlias = tuple[Node, Entry | None, Entry | None]

# An editor looks for this comment at the head of the document, whatever stands below it.
_MODELINE = re.compile(r"#\s*yaml-language-server:")


class Owners:
    """Gives every comment and blank line of a tree to the entry, or to the end of the collection, it belongs to."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.header: list[str] = []
        # Blank lines go where the comment after them goes, if one follows before the next entry.
        self._blank = False
        self._leading: list[str] | None = None
        self._goes_on = False
        for note in tree.notes:
            if note.offset < tree.header:
                self.header += [note.text] if note.text or self.header[-1:] != [""] else []
            elif note.own_line:
                self._line(note)
            else:
                self._flush()
                self._remark(note)
        self._flush()
        self._split_head()

    def _flush(self) -> None:
        """Ends a run of lines between two entries."""
        if self._blank and self._leading is not None:
            self._leading.append("")
        self._blank = self._goes_on = False

    def _line(self, note: Note) -> None:
        trailing, leading = self._candidates(note)
        if leading is not self._leading:
            self._flush()
            self._leading = leading
        if not note.text:
            self._blank = True
            return
        # After a line for the next entry, deeper indentation is part of what that line says.
        owner = trailing if leading is None or (trailing is not None and not self._goes_on) else leading
        assert owner is not None
        self._goes_on = owner is leading
        owner += ["", note.text] if self._blank else [note.text]
        self._blank = False

    def _path(self, offset: int) -> list[Around]:
        """The collections open at an offset, outermost first, each with the entries before and after the offset."""
        path = []
        node = self._tree.document
        while True:
            index = bisect_right(node.entries, offset, key=lambda entry: entry.start)
            before = node.entries[index - 1] if index else None
            after = node.entries[index] if index < len(node.entries) else None
            path.append((node, before, after))
            if before is None or not before.value.collection or offset < before.value.start:
                return path
            if before.value.flow and offset >= before.value.end:
                return path
            node = before.value

    def _remark(self, note: Note) -> None:
        path = self._path(note.offset)
        node, before, after = path[-1]
        if before is not None:
            before.remarks.append(note.text)
        elif node.flow:
            later = after.leading if after is not None else node.trailing
            (later if node.opening else node.opening).append(note.text)
        elif len(path) > 1 and (outer := path[-2][1]) is not None:
            outer.remarks.append(note.text)
        else:
            assert after is not None
            after.leading.append(note.text)

    def _candidates(self, note: Note) -> tuple[list[str] | None, list[str] | None]:
        """The end of a collection, or the entry, that a line can belong to; the first goes before the second."""
        path = self._path(note.offset)
        node, before, after = path[-1]
        if before is not None and note.offset < before.value.end:
            inside = before.value
            if not inside.block_collection:
                return None, before.leading
            if note.offset < inside.start:
                return None, inside.entries[0].leading
        if node.flow or before is None:
            return (None, after.leading) if after is not None else (node.trailing, None)
        return self._after_blocks(note, path)

    def _after_blocks(self, note: Note, path: list[Around]) -> tuple[list[str] | None, list[str] | None]:
        """A line after some blocks have ended: its indentation says whether it belongs to the end of one."""
        going_on = max((level for level, (_, _, after) in enumerate(path) if after is not None), default=-1)
        after = path[going_on][2] if going_on >= 0 else None
        ended = [node for node, _, _ in path[going_on + 1 :]]
        if after is not None and note.column <= after.value.outer:
            return None, after.leading
        within = [node for node in ended if node.entries[0].value.outer <= note.column]
        if after is not None:
            return within[-1].trailing if within else None, after.leading
        return (within or ended)[-1 if within else 0].trailing, None

    def _split_head(self) -> None:
        """What touches the first field belongs to it; what a blank line separates is the head of the document."""
        root, head = self._tree.root, self._tree.document.entries[0].leading
        if not root.block_collection:
            return
        cut = 1 + max((at for at, line in enumerate(head) if not line or _MODELINE.match(line)), default=-1)
        root.entries[0].leading[:0] = head[cut:]
        del head[cut:]
