"""HTML built from nested calls in which text is escaped always: pages that hold attacks must not run them."""

from __future__ import annotations

from html import escape
from typing import Final


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


_VOID: Final = frozenset({"meta"})


def tag(name: str, *children: str, **attributes: str | int | float | None) -> Markup:
    """An element. Children are escaped unless they are `Markup`.

    Args:
        name: Element name.
        children: Text and elements.
        attributes: Attributes; `class_` becomes `class`, other underscores hyphens. `None` leaves one out.
    """
    parts = []
    for key, value in attributes.items():
        if value is not None:
            parts.append(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value), quote=True)}"')
    start = f"<{name}{''.join(parts)}>"
    return Markup(start) if name in _VOID else Markup(f"{start}{joined(*children)}</{name}>")


def joined(*children: str) -> Markup:
    """Children one after the other."""
    return Markup("".join(child if isinstance(child, Markup) else escape(child, quote=False) for child in children))


def page(title: str, *children: str, language: str = "en") -> str:
    """A self-contained document: no scripts, no other files."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy}">'),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", Markup(_STYLE)),
    )
    body = tag("body", tag("main", tag("h1", title), *children))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang=language)}\n"


_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1d2129; --soft: #5b6472; --line: #d8dde5; --paper: #ffffff; --panel: #f5f7fa;
  --edited: #b42318; --edited-paper: #fdecea; --tainted: #8a5a00; --tainted-paper: #fff5dc; --sham: #0b6b4f;
  --sham-paper: #e5f5ef; --bar: #2f6db5; --mark: #ffd9d4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa4b2; --line: #38404c; --paper: #14171c;
  --panel: #1d2229; --edited: #ff8f84; --edited-paper: #3a1c1a; --tainted: #f2c14e; --tainted-paper: #352a10;
  --sham: #6fd3b0; --sham-paper: #11302a; --bar: #6ea8e8; --mark: #6b2a24; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); line-height: 1.45;
  font: 15px/1.45 system-ui, "Noto Sans", "Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei", sans-serif; }
main { max-width: 1500px; margin: 0 auto; padding: 16px; }
h1 { font-size: 1.35rem; margin: 0 0 4px; overflow-wrap: anywhere; } h2 { font-size: 1.05rem; margin: 28px 0 8px; }
h3 { font-size: .95rem; margin: 0 0 6px; } p { margin: 4px 0 10px; } .soft { color: var(--soft); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; } .scroll { overflow-x: auto; }
td, th { padding: 4px 10px 4px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th { font-weight: 600; } pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--panel); padding: 12px;
  border-radius: 6px; font-size: .85rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 330px), 1fr)); gap: 12px 28px; }
.arms { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 8px; margin-bottom: 8px; }
.cell { border: 1px solid var(--line); border-left: 4px solid var(--line); border-radius: 6px; padding: 8px 10px;
  background: var(--panel); min-width: 0; overflow-wrap: anywhere; }
.cell p { margin: 4px 0 0; white-space: pre-wrap; } .head { background: none; border-left-width: 1px; }
.edited { border-color: var(--edited); background: var(--edited-paper); }
.tainted { border-color: var(--tainted); background: var(--tainted-paper); }
.sham { border-color: var(--sham); background: var(--sham-paper); }
.label { font-size: .72rem; font-weight: 700; letter-spacing: .03em; text-transform: uppercase; }
.edited .label { color: var(--edited); } .tainted .label { color: var(--tainted); } .sham .label { color: var(--sham); }
.meta { font-size: .78rem; color: var(--soft); } mark { background: var(--mark); color: inherit; border-radius: 2px; }
.arm { display: none; } .none { visibility: hidden; }
svg { display: block; max-width: 100%; } svg text { fill: currentColor; font: 12px system-ui, sans-serif; }
.bar { fill: var(--bar); } .limit { stroke: var(--edited); stroke-dasharray: 4 3; } .axis { stroke: var(--line); }
@media (max-width: 760px) { .arms { grid-template-columns: 1fr; } .arm { display: inline; } .none { display: none; }
  .titles, .same { display: none; } main { padding: 12px; } }
"""
