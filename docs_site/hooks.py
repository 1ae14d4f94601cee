"""What the site needs beyond MkDocs and its plugins; mkdocs.yml names this file.

- Chinese pages: lines broken between Chinese characters are joined without a space, and headings have the anchors of
  the English page, so that ``alphabeta.md#the-rule`` leads to the same place in both languages.
- Links out of docs/: the README is the start page, CONTRIBUTING.md and CHANGELOG.md are pages of their own, and other
  files of the repository are shown by their names.
- Lessons: the files of the course, which the app shows too, are pages below Learn. Their figures are pictures, made
  ahead by docs/pictures/make.py, because whoever builds a wheel has no Numba; their quizzes open answer by answer.
- Comments: ``<!-- file: NAME -->`` above a listing is its title, other comments are left out.
- Fonts, colours and the icon are those of the app, taken from its folder.
- A search index for each language, and no file that no page asks for.
"""

from __future__ import annotations

import html
import importlib
import json
import posixpath
import re
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

log = get_plugin_logger(__name__)

ROOT = Path(__file__).resolve().parent.parent
APP = {"/static/pictures/": "pictures/static", "/static/": "web/static"}
"""Where the app's files are in the package, by the beginnings of their addresses."""
OTHER_LANGUAGE = "zh"
REPOSITORY_PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Files of the repository that are pages of the site, each with the name of its page."""
LESSONS = "src/plyground/course/lessons"
"""Where the lessons stand in the repository."""
LESSON_PAGES = "learn"
"""The folder of the site that has them."""
LESSON_WORDS = {
    "en": {
        "section": "Lessons",
        "try": "To change it, start the app with <code>plyground web</code> and open {}.",
        "question": "A question.",
        "right": "Right.",
        "wrong": "Wrong.",
        "exercise": "Now you: in the app, open {}.",
    },
    OTHER_LANGUAGE: {
        "section": "Lessons",
        "try": "想动手改一改，就用 <code>plyground web</code> 启动应用，打开 {}。",
        "question": "小测验：",
        "right": "对。",
        "wrong": "不对。",
        "exercise": "动手练习：在应用里打开 {}。",
    },
}
START_PAGES = ("README.md", "README.zh-CN.md")
"""Files of the repository in whose place the site has its start page."""
UNUSED = re.compile(r"\.map$|^assets/javascripts/lunr/|^assets/images/|^assets/stylesheets/palette")
"""What the theme brings and no page here asks for."""
THEME_LICENCES = {"licenses/LICENSE": "theme.LICENSE", "material/LICENSE": "icons.LICENSE"}
"""The licences of the theme and of its icons, by the ends of their paths in its package, with their names here."""
LEFT_OVER = ("404.html", "sitemap.xml", "sitemap.xml.gz", "objects.inv")
"""Pages are found by links, from the disk: what servers and crawlers want has no use."""

FENCE = re.compile(r"^(?P<indent> *)(?P<marks>```+).*?^(?P=indent)(?P=marks) *$\n?", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(?P<level>#{1,6}) +(?P<text>.+?) *$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[(?P<text>(?:[^\[\]`]|`[^`]*`)*)\]\((?P<target>[^)\s]+)\)")
COMMENT = re.compile(r"^ *<!--.*?--> *\n?", re.MULTILINE | re.DOTALL)
LISTING = re.compile(r"^<!-- (?P<use>file|append): (?P<file>\S+) -->\n```(?P<language>\w+)$", re.MULTILINE)
APPENDED = {"en": "{}, appended", OTHER_LANGUAGE: "{}（追加）"}

HAN = r"\u2e80-\u2fdf\u3007\u3400-\u4dbf\u4e00-\u9fff"
MARKS = r"\u3000-\u3006\u3008-\u303f\uff00-\uffef\u2018\u2019\u201c\u201d\u2026\u2014"
"""Punctuation as wide as a character: it brings its own space."""
TAGS = r"(?:</?(?:a|code|em|strong|span|kbd|sub|sup)\b[^>]*>)*"
BROKEN_LINE = re.compile(
    rf"(?<=[{HAN}])({TAGS})\n *({TAGS})(?=[{HAN}])"
    rf"|(?<=[{MARKS}])({TAGS})\n *({TAGS})(?=[^\s<])"
    rf"|\n *({TAGS})(?=[{MARKS}])"
)
"""The end of a line within a paragraph where Chinese wants no space, with the tags around it."""


# Lessons ---------------------------------------------------------------------------------------------------------


def lesson_reader() -> Any:
    """The module that reads lessons, without the rest of Plyground, which needs more than a build of pages has."""
    if "plyground" not in sys.modules:
        package = ModuleType("plyground")
        package.__path__ = [str(ROOT / "src" / "plyground")]
        sys.modules["plyground"] = package
    return importlib.import_module("plyground.course.lesson")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """The lessons come first below Learn, in the order of the course."""
    pages = [f"{LESSON_PAGES}/{name}.md" for name in lesson_reader().lesson_names()]
    section = LESSON_WORDS["en"]["section"]
    for entry in config.nav or ():
        if "Learn" in entry and section not in entry["Learn"][0]:
            entry["Learn"].insert(0, {section: pages})
    return config


def lesson_page(name: str, config: MkDocsConfig) -> File:
    """The page of a lesson in the language that is being built, as the language plugin would have made it."""
    versions = {}
    for language, suffix in lesson_reader().LANGUAGES.items():
        source = lesson_reader().lesson_file(name, language)
        file: Any = File.generated(config, f"{LESSON_PAGES}/{name}{suffix}.md", abs_src_path=str(source))
        file.dest_uri = f"{LESSON_PAGES}/{name}.html" if language == "en" else f"{language}/{LESSON_PAGES}/{name}.html"
        file.abs_dest_path = str(Path(config.site_dir) / file.dest_uri)
        file.name, file.url = name, file.dest_uri
        file.locale, file.locale_alternate_of = language, language
        file.localization = None if language == "en" else language
        file.norm_src_uri = f"{LESSON_PAGES}/{name}.md"
        file.alternates = versions
        versions[language] = file
    return versions[current_language(config)]


def lesson_source(page: Page) -> str:
    """The file of the repository that a page of a lesson is made of; "" for other pages."""
    folder, _, file = page.file.src_uri.rpartition("/")
    return f"{LESSONS}/{file}" if folder == LESSON_PAGES else ""


def lesson_markdown(source: str, language: str) -> str:
    """A lesson as Markdown for the site."""
    reader = lesson_reader()
    name = Path(source).name.partition(".")[0]
    lesson, words = reader.read_lesson(name, language), LESSON_WORDS[language]
    parts = [f"# {lesson.title}", lesson.lead]
    for part in lesson.parts:
        if isinstance(part, reader.Figure):
            parts.append(lesson_figure(name, part, words))
        elif isinstance(part, reader.Quiz):
            parts.append(lesson_quiz(part, words))
        elif isinstance(part, reader.Exercise):
            parts.append(f'<p class="site-exercise">{words["exercise"].format(in_app(part.address))}</p>')
        else:
            parts.append(part.markdown)
    return "\n\n".join(parts) + "\n"


def in_app(address: str) -> str:
    """An address of the app, which is a link where the app serves the site; see site.js."""
    shown = address.replace("%20", " ").replace("%3D", "=")  # as people write it, and browsers take it so too
    return f'<a data-app="{html.escape(address)}"><code>{html.escape(shown)}</code></a>'


def lesson_figure(name: str, figure: Any, words: dict[str, str]) -> str:
    said = re.sub(r"[\[\]*`]", "", LINK.sub(r"\g<text>", figure.caption))
    return (
        f'<figure class="site-figure" markdown="1">\n'
        f"![{said}](../pictures/lessons/{name}-{figure.key}.svg)\n"
        f'<figcaption markdown="span">{figure.caption} {words["try"].format(in_app(figure.address))}</figcaption>\n'
        f"</figure>"
    )


def lesson_quiz(quiz: Any, words: dict[str, str]) -> str:
    answers = [
        f'<details markdown="1"><summary markdown="span">{one_line(answer.text)}</summary>\n\n'
        f"**{words['right' if answer.right else 'wrong']}** {one_line(answer.why)}\n\n</details>"
        for answer in quiz.answers
    ]
    question = f"**{words['question']}** {one_line(quiz.question)}"
    return "\n\n".join(['<div class="site-quiz" markdown="1">', question, *answers, "</div>"])


def one_line(text: str) -> str:
    """A text whose lines are joined, between Chinese characters without a space; what looks like a tag is none."""
    return re.sub(rf"(?<=[{HAN}{MARKS}])\n|\n(?=[{HAN}{MARKS}])", "", text).replace("\n", " ").replace("<", "&lt;")


# Files -----------------------------------------------------------------------------------------------------------


@event_priority(-200)  # after the plugin that chooses the files of a language, which knows those of docs/ alone
def on_files(files: Files, config: MkDocsConfig) -> Files:
    for file in list(files):
        if UNUSED.search(file.src_uri):
            files.remove(file)
    add(files, File.generated(config, "assets/app/icon.svg", abs_src_path=str(app_file("/static/icon.svg"))))
    tokens = app_file("/static/tokens.css").read_text(encoding="utf-8")
    tokens = tokens.replace("font-display: optional", "font-display: swap")  # people read longer than fonts take
    add(files, File.generated(config, "assets/app/tokens.css", content=re.sub(r'url\("/.*/', 'url("', tokens)))
    for font in map(app_file, re.findall(r'url\("(/[^"]+)"\)', tokens)):
        for path in (font, *font.parent.glob(f"{font.stem}.LICENSE")):
            add(files, File.generated(config, f"assets/app/{path.name}", abs_src_path=str(path)))
    for file in metadata.files("mkdocs-material") or ():
        if name := THEME_LICENCES.get("/".join(file.parts[-2:])):
            add(files, File.generated(config, f"assets/{name}", abs_src_path=str(file.locate())))
    for source, page in REPOSITORY_PAGES.items():
        add(files, repository_page(source, page, config))
    for name in lesson_reader().lesson_names():
        add(files, lesson_page(name, config))
    return files


def app_file(address: str) -> Path:
    """The file that the app serves at an address."""
    start = next(start for start in APP if address.startswith(start))
    return ROOT / "src" / "plyground" / APP[start] / address.removeprefix(start)


def add(files: Files, file: File) -> None:
    if file.src_uri in files.src_uris:
        files.remove(files.src_uris[file.src_uri])
    files.append(file)


def repository_page(source: str, page: str, config: MkDocsConfig) -> File:
    """A page from outside docs/ in the language that is being built, as the language plugin would have made it."""
    versions = {}
    for language in ("en", OTHER_LANGUAGE):
        file: Any = File.generated(config, page, abs_src_path=str(ROOT / source))
        if language != "en":
            file.dest_uri = f"{language}/{file.dest_uri}"
            file.abs_dest_path = str(Path(config.site_dir) / file.dest_uri)
        file.locale, file.locale_alternate_of = "en", language
        file.localization, file.norm_src_uri = None, file.src_uri
        file.alternates = versions
        versions[language] = file
    return versions[current_language(config)]


def current_language(config: MkDocsConfig) -> str:
    return str(config.plugins["i18n"].current_language)


# Pages -----------------------------------------------------------------------------------------------------------


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    language = "en"
    if translated := page.file.src_uri.endswith(f".{OTHER_LANGUAGE}.md"):
        language = OTHER_LANGUAGE
    lesson = lesson_source(page)
    if lesson:
        markdown = lesson_markdown(lesson, language)
    markdown = LISTING.sub(lambda found: listing(found, language), markdown)
    original = Path(config.docs_dir, page.file.src_uri)
    if lesson:
        original = ROOT / lesson
    original = original.with_name(original.name.replace(f".{OTHER_LANGUAGE}.md", ".md"))
    if translated and original.exists():
        markdown = with_anchors(markdown, anchors(original.read_text(encoding="utf-8")), page.file.src_uri)
    source = next((name for name, uri in REPOSITORY_PAGES.items() if uri == page.file.src_uri), None)
    here = source or lesson or f"docs/{page.file.src_uri}"
    return outside_fences(markdown, lambda text: COMMENT.sub("", with_links(text, here)))


def listing(found: re.Match[str], language: str) -> str:
    """The first line of a listing, whose file's name stands in the comment above it."""
    title = APPENDED[language].format(found["file"]) if found["use"] == "append" else found["file"]
    return f'```{found["language"]} title="{title}"'


def outside_fences(markdown: str, change: Any) -> str:
    """The page with `change` applied to everything but its code blocks."""
    parts, end = [], 0
    for fence in FENCE.finditer(markdown):
        parts += [change(markdown[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, change(markdown[end:])])


def anchors(markdown: str) -> list[str]:
    """The anchors of a page's headings in order, as MkDocs is configured to make them."""
    found: list[str] = []
    for heading in HEADING.finditer(FENCE.sub("", markdown)):
        anchor = re.sub(r"[^\w\- ]", "", heading["text"].lower()).replace(" ", "-")
        found.append(f"{anchor}_{found.count(anchor)}" if anchor in found else anchor)
    return found


def with_anchors(markdown: str, names: list[str], page: str) -> str:
    """The page whose headings have these anchors."""
    left = list(names)

    def named(found: re.Match[str]) -> str:
        return f"{found[0].rstrip()} {{ #{left.pop(0)} }}" if left else found[0]

    headings = len(HEADING.findall(FENCE.sub("", markdown)))
    if headings != len(names):
        log.warning(f"{page} has {headings} headings, its original {len(names)}: links to some of them lead elsewhere")
    return outside_fences(markdown, lambda text: HEADING.sub(named, text))


def with_links(markdown: str, here: str) -> str:
    """The page with links that work in the site; `here` is where it stands in the repository."""

    def mended(found: re.Match[str]) -> str:
        text, (path, _, anchor) = found["text"], found["target"].partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return found[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(here), path))
        if target in START_PAGES:
            page = "docs/index.md"
            anchor = "install-and-run" if anchor else ""
        elif target in REPOSITORY_PAGES:
            page = f"docs/{REPOSITORY_PAGES[target]}"
        elif target.startswith(f"{LESSONS}/"):
            page = target.replace(LESSONS, f"docs/{LESSON_PAGES}")
        elif target.startswith("docs/"):
            page = target
        else:
            return f"{text} (`{target}`)" if target not in text else text
        start = "docs" if here in REPOSITORY_PAGES else posixpath.dirname(here).replace(LESSONS, f"docs/{LESSON_PAGES}")
        return f"[{text}]({posixpath.relpath(page, start)}{'#' if anchor else ''}{anchor})"

    return LINK.sub(mended, markdown)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    if page.file.src_uri.endswith(f".{OTHER_LANGUAGE}.md"):
        html = outside_pre(html, joined_lines)
    if lesson_source(page):
        html = str(lesson_reader().with_scripts(html))
    if page.file.src_uri in ("index.md", f"index.{OTHER_LANGUAGE}.md"):
        html = with_doors(html)
    return html


def joined_lines(html: str) -> str:
    return BROKEN_LINE.sub(lambda found: "".join(filter(None, found.groups())), html)


def with_doors(html: str) -> str:
    """The start page, whose one list is the doors for its kinds of readers: the stylesheet makes cards of them."""
    start, _, rest = html.partition("<ul>")
    doors, _, rest = rest.partition("</ul>")
    doors = re.sub(r"</a>[:：]\s*(.*?)</li>", r"</a><span>\1</span></li>", doors, flags=re.DOTALL)
    return f'{start}<ul class="doors">{doors}</ul>{rest}'


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Each language searches its own index. The blanks at the beginnings of lines, a third of a page, are left out."""
    if page.url.startswith(f"{OTHER_LANGUAGE}/"):
        output = re.sub(r'(<script id="__config".*?"base": ?)"([^"]*)"', below_language, output, count=1)
    output = re.sub(r'<link rel="alternate"[^>]*>', "", output)  # for each of which the theme would ask for a sitemap
    return outside_pre(output, lambda text: re.sub(r"\s*\n\s*", "\n", text))


def below_language(found: re.Match[str]) -> str:
    """Where the site begins, as a page of the other language sees it: one folder less far up."""
    return f'{found[1]}"{found[2].removesuffix("..").rstrip("/") or "."}"'


def outside_pre(html: str, change: Any) -> str:
    parts = re.split(r"(<pre\b.*?</pre>)", html, flags=re.DOTALL)
    return "".join(part if number % 2 else change(part) for number, part in enumerate(parts))


# The finished site -----------------------------------------------------------------------------------------------


@event_priority(-200)  # after the languages have been put together
def on_post_build(config: MkDocsConfig) -> None:
    site = Path(config.site_dir)
    for name in LEFT_OVER:
        (site / name).unlink(missing_ok=True)
        (site / OTHER_LANGUAGE / name).unlink(missing_ok=True)
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    prefix = f"{OTHER_LANGUAGE}/"
    entries: dict[str, list[dict[str, Any]]] = {"": [], prefix: []}
    for entry in index["docs"]:
        folder = prefix if entry["location"].startswith(prefix) else ""
        entries[folder].append(entry | {"location": entry["location"].removeprefix(folder)})
    for folder, found in entries.items():
        text = json.dumps({"config": index["config"] | {"lang": ["en"]}, "docs": found}, ensure_ascii=False)
        (site / folder / "search").mkdir(parents=True, exist_ok=True)
        (site / folder / "search" / "search_index.json").write_text(text, encoding="utf-8")
        (site / folder / "search" / "search_index.js").write_text(f"var __index = {text}", encoding="utf-8")
