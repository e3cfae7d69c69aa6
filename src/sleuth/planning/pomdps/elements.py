"""XML as elements that know their line. Documents with a DTD or entities of their own are refused."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from sleuth.support.errors import SleuthError

_MOST_DEEP = 1000


@dataclass
class Element:
    """An element.

    Attributes:
        name, attributes: of its tag.
        line: where it begins.
        children: the elements within it.
        text: the text within it, that of its children left out.

    """

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def fail(self, message: str) -> NoReturn:
        """Raise SleuthError with the line."""
        raise SleuthError(f"line {self.line}: {message}")

    def all(self, name: str) -> list[Element]:
        """Return the children of a name."""
        return [child for child in self.children if child.name == name]

    def one(self, name: str) -> Element:
        """Return the only child of a name. Raises SleuthError for none or several."""
        found = self.all(name)
        if len(found) != 1:
            self.fail(f"<{self.name}> needs one <{name}>, and has {len(found)}")
        return found[0]

    def attribute(self, name: str) -> str:
        """Return an attribute. Raises SleuthError where it is missing or empty."""
        if not self.attributes.get(name, "").strip():
            self.fail(f"<{self.name}> needs the attribute {name}")
        return self.attributes[name].strip()

    def words(self) -> list[str]:
        """Return the words of the text."""
        return self.text.split()


def document(data: bytes) -> Element:
    """Return the root of a document. Raises SleuthError naming the line."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    root = Element("", {}, 1)
    open_ = [root]

    def refuse(*_: object) -> NoReturn:
        raise SleuthError(f"line {parser.CurrentLineNumber}: a DTD and entities are not read")

    def begin(name: str, attributes: dict[str, str]) -> None:
        if len(open_) > _MOST_DEEP:
            raise SleuthError(f"line {parser.CurrentLineNumber}: more than {_MOST_DEEP} elements in another")
        open_.append(Element(name, attributes, parser.CurrentLineNumber))
        open_[-2].children.append(open_[-1])

    def end(_: str) -> None:
        open_.pop()

    def text(data: str) -> None:
        open_[-1].text += data

    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, text
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise SleuthError(f"line {error.lineno}: no XML: {expat.ErrorString(error.code)}") from None
    return root.children[0]
