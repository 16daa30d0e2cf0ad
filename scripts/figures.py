#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The papers' figures as pages to read.

	figures.py DIRECTORY COMMAND NAME...	NAME.json and NAME.svg are there; COMMAND made them

Writes NAME.html, the verdicts above the picture and the numbers below, and index.html, which counts
the verdicts of each page and of all.  Rows that differ have the reason that scripts/papers.list gives.
"""
import collections
import html
import json
import os
import sys

import papers

# In the order of the index; what is no result comes last.
VERDICTS = ("within", "OUTSIDE", "reproduced", "not reproduced", "not comparable", "misprint",
            "fitted", "configuration")
STYLE = """
body { font: 15px/1.45 sans-serif; max-width: 80em; margin: auto; padding: 1em 1.5em; color: #222 }
img { max-width: 100%; border: 1px solid #ccc }
table { border-collapse: collapse; margin: 1em 0 }
th, td { padding: .2em .5em; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top }
th { vertical-align: bottom } td.name { white-space: nowrap } td.label { min-width: 16em }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums } td.n { white-space: nowrap }
tr.sum td { font-weight: bold; border-top: 2px solid #888 }
.v { display: inline-block; padding: 0 .5em; border-radius: .6em; background: #e4e4e4; white-space: nowrap }
.within, .reproduced { background: #cdeccd }
.OUTSIDE, .not-reproduced { background: #f6c6c0 }
.not-comparable, .misprint { background: #f5e6b3 }
.why { color: #666; font-size: 90% }
dt { font-weight: bold; margin-top: .6em } dd { margin-left: 0 }
"""


def text(value):
    return html.escape(str(value))


def number(value):
    return "-" if value is None else f"{value:.5g}" if abs(value) < 1e5 else f"{value:,.0f}"


def chip(verdict, count=None):
    words = verdict if count is None else f"{count} {verdict}"
    return f'<span class="v {verdict.replace(" ", "-")}">{words}</span>'


def count(document):
    return collections.Counter(row["verdict"] for row in document["rows"] if row["verdict"])


def summary(document):
    found = count(document)
    chips = [chip(verdict, found[verdict]) for verdict in VERDICTS if found[verdict]]
    return f"{document['judged']} judged" + "".join(f" {one}" for one in chips)


def page(title, body):
    return (f'<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{text(title)}</title>\n'
            f"<style>{STYLE}</style>\n{body}</html>\n")


def asked(row):
    """What the verdict goes by."""
    if row["demand"] in ("at least", "at most"):
        return row["demand"]
    if row["tolerance"] is None:
        return ""
    return f"&plusmn; {row['tolerance']:.3g} {text(row['tolerance_unit'])}"


def table(name, document, reasons):
    lines = ['<table><tr><th></th><th class="n">ours</th><th class="n">other</th><th></th>'
             "<th>other is</th><th>asked</th><th>verdict</th></tr>"]
    for row in document["rows"]:
        why = row["why"]
        if row["verdict"] in papers.DIFFER:
            why = reasons.get((name, row["id"]))
        said = chip(row["verdict"]) if row["verdict"] else ""
        if why:
            said += f'<div class="why">{text(why)}</div>'
        lines.append(f'<tr><td class="label">{text(row["label"])}</td><td class="n">{number(row["ours"])}</td>'
                     f'<td class="n">{number(row["other"])}</td><td>{text(row["unit"] or "")}</td>'
                     f'<td>{text(row["other_is"] or "")}</td><td>{asked(row)}</td><td>{said}</td></tr>')
    return "\n".join(lines) + "</table>\n"


def figure(name, document, reasons):
    title = f"{name}: {document['title']}"
    notes = "".join(f"<p>{text(note)}</p>\n" for note in document["notes"])
    body = (f"<h1>{text(title)}</h1>\n<p>{summary(document)}</p>\n"
            f'<p><img src="{name}.svg" alt="{text(title)}"></p>\n'
            f"<dl><dt>The paper</dt><dd>{text(document['says'])}</dd>\n"
            f"<dt>Here</dt><dd>{text(document['configuration'])}; seed {document['seed']}</dd></dl>\n"
            f"{table(name, document, reasons)}{notes}"
            f'<p><a href="index.html">all figures</a> <a href="{name}.txt">text</a> '
            f'<a href="{name}.json">JSON</a></p>\n')
    return page(title, body)


def index(command, documents):
    head = "".join(f'<th class="n">{verdict}</th>' for verdict in VERDICTS)
    lines = [f'<table><tr><th>figure</th><th></th><th class="n">judged</th>{head}</tr>']
    total, judged = collections.Counter(), 0

    def cells(found):
        return "".join(f'<td class="n">{chip(verdict, found[verdict]) if found[verdict] else ""}</td>'
                       .replace(f" {verdict}</span>", "</span>") for verdict in VERDICTS)

    for name, document in documents.items():
        found = count(document)
        total.update(found)
        judged += document["judged"]
        lines.append(f'<tr id="{name}"><td class="name"><a href="{name}.html">{name}</a></td>'
                     f"<td class=\"label\">{text(document['title'])}</td>"
                     f'<td class="n">{document["judged"]}</td>{cells(found)}</tr>')
    lines.append(f'<tr class="sum"><td>all</td><td></td><td class="n">{judged}</td>{cells(total)}</tr>')
    body = ("<h1>The papers' figures and tables beside our numbers</h1>\n"
            f"<p>Made by <code>{text(command)}</code>. Ours stand beside numbers that the papers print, "
            "that follow from those, or that a closed form gives.</p>\n"
            + "\n".join(lines) + "</table>\n")
    return page("torus: the papers' figures", body)


def main(directory, command, names):
    here = os.path.dirname(os.path.abspath(__file__))
    reasons = {key: why for key, (_, why) in
               papers.expected(os.path.join(here, "papers.list")).items()}
    documents = {name: papers.read(os.path.join(directory, f"{name}.json")) for name in names}
    for name, document in documents.items():
        with open(os.path.join(directory, f"{name}.html"), "w", encoding="utf-8") as file:
            file.write(figure(name, document, reasons))
    with open(os.path.join(directory, "index.html"), "w", encoding="utf-8") as file:
        file.write(index(command, documents))


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
