#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Check commit subjects, and the text of lines that are new, against doc/english.md.

	words.py BASE

New are the commits after BASE, and the lines of the work tree that BASE does not have. A line that
the change only moves is not new. Prints TAP with each complaint; skips without BASE (a shallow
clone, or no clone). A subject is only reported, because a landed commit cannot be changed.
"""
import collections
import re
import subprocess
import sys

from tap import Tap

GUIDE, REFERENCES = "doc/english.md", "doc/references.md"
SUBJECT_MAX = 72
SUBJECT = re.compile(r"[\w.+/-]+: [a-z][^\s]*( .*)?[^.\s]")
# First words that are no imperative, and imperatives that look like other forms
NO_VERB = {"a", "an", "the", "its", "no", "new", "more", "some", "this", "that", "what", "how"}
VERB = re.compile(r"(need|feed|seed|speed|embed|exceed|proceed|bring|ring|ping|bias|focus|.*ss)$")
OTHER_FORM = re.compile(r".*(ed|ing|[^s]s)$")
SENTENCE = re.compile(r"(?:^|[.!?|]\s+)(What|Who|Whose)\b([^.?!|]*)([.?!|]|$)")
NAMES = r"\b([A-Z][a-z]+(?: et al\.| and [A-Z][a-z]+)?) "
CITED = re.compile(NAMES + r"(?:\((\d{4})\)|((?<=al\. )(?:19|20)\d\d))")
KEY = re.compile(r"\b([a-z]{3,}(?:19|20)\d\d)\b")
NUMBERED = re.compile(r"\b[Pp]apers? 0\d\d\b")
HUNK = re.compile(r"@@ -\S+ \+(\d+)")


def git(*words):
    return subprocess.run(["git", *words], check=True, capture_output=True, text=True,
                          errors="replace").stdout


def bad_subjects(base):
    for line in git("log", "--no-merges", "--format=%h %s", f"{base}..HEAD").splitlines():
        commit, subject = line.split(" ", 1)
        if subject.startswith("Revert "):
            continue
        verb = subject.partition(": ")[2].split(" ")[0]
        why = [reason for reason, bad in (
            (f"longer than {SUBJECT_MAX}", len(subject) > SUBJECT_MAX),
            ("not `area: summary'", not SUBJECT.fullmatch(subject)),
            ("no imperative", verb in NO_VERB or
             bool(OTHER_FORM.match(verb)) and not VERB.match(verb))) if bad]
        if why:
            yield f"{commit} {subject}: {', '.join(why)}"


def bare(line):
    return line.strip(" \t*/#|-")


def new_lines(base):
    """{path: numbers of the lines that are new}"""
    added, removed, path, number = [], set(), None, 0
    for line in git("diff", "--no-color", "--no-ext-diff", "-U0", "-M", base).splitlines():
        if line.startswith("+++ "):
            path = line[6:] if line.startswith("+++ b/") else None
        elif line.startswith("@@"):
            number = int(HUNK.match(line).group(1))
        elif line.startswith("-") and not line.startswith("--- "):
            removed.add(bare(line[1:]))
        elif line.startswith("+") and path:
            added.append((path, number, bare(line[1:])))
            number += 1
    found = collections.defaultdict(set)
    for name, at, text in added:
        if text not in removed:
            found[name].add(at)
    return found


# Readers of a file's lines: (number, text, whether the line starts a paragraph) of each line for a
# reader of the source.

def c_comments(lines):
    inside = False
    for number, line in enumerate(lines, 1):
        start = -1 if inside else line.find("/*")
        if inside or start >= 0:
            text = line[start + 2:] if start >= 0 else line
            yield number, text.partition("*/")[0].strip(" \t*"), start >= 0
            inside = "*/" not in text
        elif line.lstrip().startswith("//"):
            yield number, line.strip(" \t/"), False


def script_comments(lines):
    inside = False
    for number, line in enumerate(lines, 1):
        quotes = line.count('"""')
        if line.lstrip().startswith("#") and not line.startswith("#!"):
            yield number, line.strip(" \t#"), False
        elif inside or quotes:
            yield number, line.strip().replace('"""', ""), not inside
        inside ^= quotes % 2 == 1


def page_lines(lines):
    fenced = False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith(("    ", "\t", "#", ".", "'")):
            yield number, line.strip().removeprefix("- ").strip("| "), line.startswith(("|", "- "))


def kind(name):
    """The reader of a file's text, if it has one."""
    ends = name.rpartition(".")[2]
    if ends in ("c", "h"):
        return c_comments
    if ends in ("sh", "bash", "py"):
        return script_comments
    return page_lines if ends in ("md", "1", "3", "5", "7", "8") else None


def blocks(name, read):
    """Each paragraph: its text, and (offset, line number) of its lines."""
    try:
        with open(name, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError):
        return
    text, starts, last = "", [], 0
    for number, words, begins in read(lines):
        if text and (begins or number != last + 1 or not words or words.startswith("@")):
            yield text, starts
            text, starts = "", []
        if words:
            starts.append((len(text), number))
            text += words + " "
        last = number
    if text:
        yield text, starts


def line_at(starts, offset):
    return [number for start, number in starts if start <= offset][-1]


def blank(match):
    return " " * len(match.group(0))


def listed_words():
    """The words of the guide that are always avoided."""
    with open(GUIDE, encoding="utf-8") as file:
        rows = [line.split("|")[1:-1] for line in file if line.startswith("|")]
    words = [word.strip() for row in rows if len(row) == 3 and row[2].strip() == "always"
             for word in row[0].split(",")]
    either = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words)
    return re.compile(rf"\b({either})\b", re.I)


def listed_sources():
    """(keys, citations) of doc/references.md"""
    with open(REFERENCES, encoding="utf-8") as file:
        rows = re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", file.read(), re.M)
    return {key for key, _ in rows}, {cited for _, cited in rows}


def judge(name, lines, words, sources, complaints):
    """Adds complaints about the new @lines of a file."""
    keys, citations = sources

    def unknown(text):
        for m in CITED.finditer(text):
            cited = f"{m.group(1)} ({m.group(2) or m.group(3)})"
            if cited not in citations:
                yield "citation", m.start(), cited
        for m in KEY.finditer(text):
            if m.group() not in keys:
                yield "citation", m.start(), m.group()
        for m in NUMBERED.finditer(text):
            yield "citation", m.start(), m.group()

    for text, starts in blocks(name, kind(name)):
        if not lines.intersection(number for _, number in starts):
            continue
        # names and quotations have words of their own
        prose = re.sub(r'`[^`]*`|"[^"]*"|@\w+', blank, text)
        found = [("sentence", m.start(1), f"a sentence begins with {m.group(1)}")
                 for m in SENTENCE.finditer(prose) if m.group(3) != "?"]
        found += [("word", m.start(), m.group()) for m in words.finditer(prose)]
        found += unknown(text)
        for sort, offset, what in found:
            number = line_at(starts, offset)
            if number in lines:
                complaints[sort].append(f"{name}:{number}: {what}")


def main(base):
    known = subprocess.run(["git", "merge-base", base, "HEAD"], check=False, capture_output=True,
                           text=True)
    if known.returncode:
        print(f"1..0 # SKIP the clone does not have commit {base}")
        return 0
    base = known.stdout.strip()
    complaints = {"sentence": [], "word": [], "citation": []}
    words, sources = listed_words(), listed_sources()
    for name, lines in new_lines(base).items():
        if kind(name) and name not in (GUIDE, REFERENCES):
            judge(name, lines, words, sources, complaints)
    tap = Tap()
    for subject in bad_subjects(base):
        print(f"# subject: {subject}")
    claims = {"sentence": "no new sentence begins with What, Who or Whose",
              "word": f"new lines have no word that {GUIDE} lists",
              "citation": f"each new citation is in {REFERENCES}"}
    for sort, claim in claims.items():
        tap.tell(not complaints[sort], claim, *complaints[sort])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
