"""Makes the fonts of pictures: `python fonts/make.py`, with npm on the path and `pip install fonttools brotli`.

Pictures must look the same on every machine, also on one without fonts, and resvg, which draws a PNG, reads TrueType
alone. So each font is cut down to the characters that pictures can show, and written as TrueType to
src/plyground/pictures/static/fonts, from where the app takes its Inter too. README.md there says where each is from.

A font that stands in for another must have no letters of its own: resvg sets a whole text in the first font that has
all of its characters. So the Chinese font and the one of signs have nothing that Inter has.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).parent.parent
FONTS = ROOT / "src/plyground/pictures/static/fonts"
SOURCES = {
    "inter": "inter-ui@4.1.1",
    "chinese": "@fontsource-variable/noto-sans-sc@5.3.1",
    "dejavu": "dejavu-fonts-ttf@2.37.3",
}

LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x391, 0x3CA)]
"""Latin for the languages of Europe, and Greek."""
SIGNS = [*range(0x2000, 0x2100), *range(0x2150, 0x2160), *range(0x2190, 0x230C), *range(0x2500, 0x27C0)]
SIGNS += [0x2122, 0x2318, 0x232B]
"""Punctuation, raised figures, fractions, arrows, mathematics, boxes, shapes, pieces, dice, ticks."""
SUITS = range(0x2660, 0x2668)
"""From one font, all of them: Inter has hearts alone."""
WIDE = (range(0x2E80, 0x3040), range(0x3100, 0xA000), range(0xF900, 0xFB00), range(0xFF00, 0xFFF0))


def chinese_characters() -> set[int]:
    """What the words of this repository are written with in Chinese, and the 3755 characters of GB 2312's first level.

    The second part covers what people write themselves, such as the names in a game of theirs, and words to come.
    """
    texts = [path for folder in ("src", "docs") for path in (ROOT / folder).rglob("*")]
    texts = [path for path in (*texts, *ROOT.glob("*.md")) if path.suffix in {".py", ".js", ".json", ".html", ".md"}]
    written = {ord(character) for path in texts for character in path.read_text("utf-8")}
    first_level = (bytes((row, cell)) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    written |= {ord(character) for pair in first_level if (character := pair.decode("gb2312", "ignore"))}
    written |= {*range(0x3000, 0x3004), *range(0x3008, 0x3012), *range(0xFF01, 0xFF5F)}
    return {code for code in written if any(code in part for part in WIDE)}


def cut(font: TTFont, codes: set[int], features: list[str]) -> None:
    """Leave only the characters, and of the layout only these features."""
    names = [0, 1, 2, 4, 6, 13, 14, 16, 25]  # copyright, family, style, licence
    options = Options(layout_features=features, hinting=False, name_IDs=names, notdef_outline=True)
    options.drop_tables += ["STAT", "BASE", "vhea", "vmtx", "VORG", "gasp", "MVAR", "FFTM"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)


def set_cmap(font: TTFont, characters: dict[int, str]) -> None:
    """The characters in the two forms that readers want: format 4 up to U+FFFF, and format 12."""
    tables = []
    for kind, encoding in ((4, 1), (12, 10)):
        table = CmapSubtable.newSubtable(kind)
        table.platformID, table.platEncID, table.language = 3, encoding, 0
        table.cmap = {code: name for code, name in characters.items() if kind == 12 or code < 0x10000}
        tables.append(table)
    font["cmap"].tables = tables


def rename(font: TTFont, family: str) -> None:
    """Give the font one family name, without a style in it."""
    for record in list(font["name"].names):
        if record.nameID in {1, 4, 16}:
            record.string = family
        elif record.nameID in {6, 25}:
            record.string = family.replace(" ", "")
        elif record.nameID == 2:
            record.string = "Regular"


def draw_empty_box(font: TTFont) -> None:
    """What stands for a character without a font: a box, instead of Inter's small print."""
    size, pen = font["head"].unitsPerEm / 100, TTGlyphPen(None)
    for left, bottom, right, top in ((8, 0, 60, 72), (54, 6, 14, 66)):  # the inner one runs the other way round
        corners = ((left, bottom), (left, top), (right, top), (right, bottom))
        pen.moveTo(tuple(round(size * part) for part in corners[0]))
        for corner in corners[1:]:
            pen.lineTo(tuple(round(size * part) for part in corner))
        pen.closePath()
    font["glyf"][".notdef"] = pen.glyph()
    font["hmtx"][".notdef"] = (round(size * 68), round(size * 8))
    font["gvar"].variations[".notdef"] = []


def save(font: TTFont, name: str) -> set[int]:
    """Write the font; the characters that it has."""
    characters = font.getBestCmap()
    set_cmap(font, characters)
    font.flavor = None
    font.recalcTimestamp = False
    font.save(FONTS / name)
    print(f"{name}: {len(characters)} characters, {(FONTS / name).stat().st_size // 1024} KB")
    return set(characters)


def inter(folder: Path) -> set[int]:
    """Inter for texts of any size, in the weights that pages and pictures use."""
    font = TTFont(folder / "variable/InterVariable.woff2")
    features = ["kern", "calt", "ccmp", "locl", "mark", "mkmk", "tnum", "case", "cv05", "cv11", "ss03"]
    cut(font, {code for code in LETTERS + SIGNS if code not in SUITS}, features)
    font = instantiateVariableFont(font, {"opsz": 14, "wght": (400, 700)})
    draw_empty_box(font)
    rename(font, "Inter")
    return save(font, "inter.ttf")


def chinese(folder: Path) -> None:
    """Noto Sans SC, glued together from the hundred files in which it is published."""
    wanted, whole, mapping = chinese_characters(), None, {}
    for path in sorted((folder / "files").glob("noto-sans-sc-*-wght-normal.woff2")):
        part = TTFont(path)
        codes = wanted & set(part.getBestCmap())
        wanted -= codes
        if not codes:
            continue
        cut(part, codes, [])
        part = instantiateVariableFont(part, {"wght": (400, 700)})
        names = {name: f"uni{code:04X}" for code, name in part.getBestCmap().items()}
        if any(part["glyf"][name].isComposite() for name in names):
            sys.exit(f"{path.name} has glyphs made of others, which this script cannot glue")
        if whole is None:
            whole, first = part, part["glyf"]
            order = [".notdef"]
            glyphs = {".notdef": first[".notdef"]}
            widths = {".notdef": part["hmtx"][".notdef"]}
            variations = {".notdef": part["gvar"].variations.get(".notdef", [])}
        for code, name in part.getBestCmap().items():
            new = names[name]
            mapping[code] = new
            if new not in glyphs:
                order.append(new)
            glyphs[new], widths[new] = part["glyf"][name], part["hmtx"][name]
            variations[new] = part["gvar"].variations.get(name, [])
    assert whole is not None
    if wanted:
        sys.exit(f"Noto Sans SC has no {''.join(map(chr, sorted(wanted)))}")
    whole.setGlyphOrder(order)
    whole["glyf"].glyphs, whole["glyf"].glyphOrder = glyphs, order
    whole["hmtx"].metrics, whole["gvar"].variations = widths, variations
    for table in ("GSUB", "GPOS", "GDEF", "HVAR", "prep"):
        if table in whole:
            del whole[table]
    set_cmap(whole, mapping)
    whole["maxp"].numGlyphs = len(order)
    rename(whole, "Noto Sans SC")
    save(whole, "noto-sans-sc.ttf")


def signs(folder: Path, known: set[int]) -> None:
    """The signs that Inter lacks: suits of cards, pieces, dice, parts of boxes."""
    font = TTFont(folder / "ttf/DejaVuSans.ttf")
    cut(font, {code for code in SIGNS if code not in known}, [])
    rename(font, "DejaVu Signs")
    save(font, "dejavu-signs.ttf")


def mono(folder: Path) -> None:
    """The font of boards that are drawn with characters."""
    font = TTFont(folder / "ttf/DejaVuSansMono.ttf")
    cut(font, {*LETTERS, *SIGNS}, [])
    save(font, "dejavu-sans-mono.ttf")


def main() -> None:
    """Fetch the sources and make every font."""
    FONTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        folders = {}
        for name, package in SOURCES.items():
            packed = subprocess.run(
                ["npm", "pack", "--silent", package], cwd=work, check=True, capture_output=True, text=True
            ).stdout.split()[-1]
            with tarfile.open(Path(work, packed)) as archive:
                archive.extractall(Path(work, name), filter="data")
            folders[name] = Path(work, name, "package")
        known = inter(folders["inter"])
        signs(folders["dejavu"], known)
        mono(folders["dejavu"])
        chinese(folders["chinese"])


if __name__ == "__main__":
    main()
