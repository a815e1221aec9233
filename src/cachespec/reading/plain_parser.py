"""The parser of PyYAML that needs no compiled library, giving the events that libyaml gives.

The two differ in tabs, in `?` and `:` within brackets and braces, and in where they notice a mistake. What is read here
must be what libyaml reads, so that a verdict does not depend on how PyYAML was built.
"""

from __future__ import annotations

import re

from yaml.error import Mark
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner, ScannerError
from yaml.tokens import ScalarToken, TagToken

_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)", re.DOTALL)
_TAG_HANDLE = re.compile("![0-9A-Za-z_-]*!")
_TAG_SUFFIX = re.compile(r"[0-9A-Za-z_;/?:@&=+$.!~*'()%-]+")
_BREAKS = "\r\n\x85\u2028\u2029"
_ENDS = "\0" + _BREAKS
_BLANK_OR_END = "\0 \t" + _BREAKS
_TAB = "found a tab character that violates indentation"


class PlainParser(Reader, Scanner, Parser):
    """Parse events of a text, as libyaml gives them."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)

    def scan_to_next_token(self) -> None:
        """Passes over blanks and comments. A tab is a blank where no key can begin."""
        while True:
            while self.peek() == " " or ((self.flow_level or not self.allow_simple_key) and self.peek() == "\t"):
                self.forward()
            if self.peek() == "#":
                while self.peek() not in _ENDS:
                    self.forward()
            if not self.scan_line_break():  # type: ignore[no-untyped-call]
                return
            if not self.flow_level:
                self.allow_simple_key = True

    def check_key(self) -> bool:
        return self.peek(1) in _BLANK_OR_END

    def check_plain(self) -> bool:
        character = self.peek()
        if character not in _BLANK_OR_END + "-?:,[]{}#&*!|>'\"%@`":
            return True
        following = self.peek(1)
        if character == "-":
            return following not in " \t"
        return bool(not self.flow_level and character in "?:" and following not in _BLANK_OR_END)

    def scan_tag(self) -> TagToken:
        """A tag: a comma may follow it in flow style, and brackets are no part of a short one."""
        start_mark = self.get_mark()
        character = self.peek(1)
        handle: str | None = None
        if character == "<":
            self.forward(2)
            suffix = self.scan_tag_uri("tag", start_mark)
            if self.peek() != ">":
                raise ScannerError(None, None, "did not find the expected '>'", self.get_mark())
            self.forward()
        elif character in _BLANK_OR_END:
            suffix = "!"
            self.forward()
        else:
            found = _TAG_HANDLE.match(self.buffer, self.pointer)
            handle = found[0] if found else "!"
            self.forward(len(handle))
            suffix = self._short_tag(start_mark)
        if self.peek() not in _BLANK_OR_END and not (self.flow_level and self.peek() == ","):
            raise ScannerError(None, None, "did not find expected whitespace or line break", self.get_mark())
        return TagToken((handle, suffix), start_mark, self.get_mark())

    def _short_tag(self, start_mark: Mark) -> str:
        found = _TAG_SUFFIX.match(self.buffer, self.pointer)
        if not found:
            raise ScannerError(None, None, "did not find expected tag URI", self.get_mark())
        end = found.end()
        suffix = ""
        while self.pointer < end:
            if self.peek() == "%":
                suffix += self.scan_uri_escapes("tag", start_mark)
            else:
                suffix += self.peek()
                self.forward()
        return suffix

    def scan_flow_scalar(self, style: str) -> ScalarToken:
        """A scalar in quotes, whose escapes stand for characters."""
        start = self.index
        try:
            token: ScalarToken = super().scan_flow_scalar(style)
        except ScannerError as error:
            if style == '"':
                self._look_at_escapes(start, error.problem_mark.index if error.problem_mark else self.index)
            raise
        except (ValueError, OverflowError):
            self._look_at_escapes(start, len(self.buffer))
            raise
        if style == '"' and _SURROGATE.search(token.value):
            self._look_at_escapes(start, self.index)
        return token

    def _look_at_escapes(self, start: int, end: int) -> None:
        """Raises ScannerError for an escape that is no character."""
        for escape in _ESCAPE.finditer(self.buffer, start, end):
            code = int(escape[1] or escape[2] or "0", 16)
            if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
                place = Mark("", escape.start() + 2, 0, 0, None, 0)
                raise ScannerError(None, None, "found invalid Unicode character escape code", place)

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Mark]:
        found: tuple[list[str], int, Mark] = super().scan_block_scalar_indentation()
        self._refuse_tab()
        return found

    def scan_block_scalar_breaks(self, indent: int) -> tuple[list[str], Mark]:
        found: tuple[list[str], Mark] = super().scan_block_scalar_breaks(indent)
        if self.column < indent:
            self._refuse_tab()
        return found

    def _refuse_tab(self) -> None:
        if self.peek() == "\t":
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError(None, None, problem, self.get_mark())

    def scan_plain(self) -> ScalarToken:
        """A plain scalar: in flow style it ends before a bracket, a brace or a comma."""
        chunks: list[str] = []
        start_mark = end_mark = self.get_mark()
        indent = self.indent + 1
        spaces: list[str] = []
        while self.peek() != "#":
            if self.column == 0 and (self.check_document_start() or self.check_document_end()):  # type: ignore[no-untyped-call]
                break
            length = self._plain_length()
            if length == 0:
                break
            self.allow_simple_key = False
            chunks += [*spaces, self.prefix(length)]
            self.forward(length)
            end_mark = self.get_mark()
            if self.peek() not in " \t" + _BREAKS:
                break
            spaces = self._plain_spaces(indent)
            if not self.flow_level and self.column < indent:
                break
        return ScalarToken("".join(chunks), True, start_mark, end_mark)

    def _plain_length(self) -> int:
        length = 0
        while (character := self.peek(length)) not in _BLANK_OR_END:
            if character == ":":
                following = self.peek(length + 1)
                if self.flow_level and following in ",?[]{}":
                    self.forward(length)
                    raise ScannerError(None, None, "found unexpected ':'", self.get_mark())
                if following in _BLANK_OR_END:
                    break
            elif self.flow_level and character in ",[]{}":
                break
            length += 1
        return length

    def _plain_spaces(self, indent: int) -> list[str]:
        """The blanks and line breaks within a plain scalar, folded."""
        blanks = first = ""
        breaks: list[str] = []
        while (character := self.peek()) in " \t" + _BREAKS:
            if character in " \t":
                if first and self.column < indent and character == "\t":
                    raise ScannerError(None, None, _TAB, self.get_mark())
                blanks += "" if first else character
                self.forward()
            elif first:
                breaks.append(self.scan_line_break())  # type: ignore[no-untyped-call]
            else:
                first = self.scan_line_break()  # type: ignore[no-untyped-call]
                # Only a line break in a plain scalar makes room for a key.
                self.allow_simple_key = True
        if not first:
            return [blanks]
        return breaks or [" "]
