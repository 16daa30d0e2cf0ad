#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""words.py finds each kind of text that breaks the guide, and accepts text that follows it."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ENV = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
       **{f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER")
          for what in ("NAME", "EMAIL")}}
OLD = "/* What is old stays, beside all else. */\nint a;\n"


class Words(unittest.TestCase):
    def setUp(self):
        self.tree = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.tree)
        os.mkdir(os.path.join(self.tree, "doc"))
        for page in ("english.md", "references.md"):
            shutil.copy(os.path.join(HERE, "..", "doc", page), os.path.join(self.tree, "doc"))
        self.git("init", "-q")
        self.base = self.commit("area: start", OLD)

    def git(self, *words, at=None):
        return subprocess.run(["git", *words], cwd=at or self.tree, env=ENV, check=True,
                              capture_output=True, text=True).stdout.strip()

    def commit(self, subject, text, name="a.c"):
        with open(os.path.join(self.tree, name), "w", encoding="utf-8") as file:
            file.write(text)
        self.git("add", "-A")
        self.git("commit", "-qm", subject)
        return self.git("rev-parse", "HEAD")

    def words(self, at=None):
        run = subprocess.run([sys.executable, os.path.join(HERE, "words.py"), self.base],
                             cwd=at or self.tree, env=ENV, check=False, capture_output=True,
                             text=True)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout

    def complains(self, *expected):
        status, said = self.words()
        self.assertEqual((status, said.count("\n# ")), (1, len(expected)), said)
        for one in expected:
            self.assertIn(one, said)

    def test_good(self):
        self.commit("area/part: describe the queue",
                    OLD + '/* Send @behind.  What now?  "told" and `room`\n'
                    ' * of Liu et al. (2012), liu2012-fig5 */\n')
        self.assertEqual(self.words()[0], 0, self.words()[1])

    def test_subjects(self):
        subjects = ("No area", "area: Upper case", "area: added a queue", "area: the queue",
                    "area: ends.", "area: " + "long " * 14 + "word", "one, two: add a queue")
        for subject in subjects:
            self.commit(subject, OLD + f"int b_{len(subject)};\n")
        self.commit("area: pass an address", OLD)
        status, said = self.words()
        self.assertEqual((status, said.count("# subject: ")), (0, len(subjects)), said)
        for subject in subjects:
            self.assertIn(subject, said)

    def test_sentences(self):
        self.commit("area: add text", OLD + "/*\n * Send.\n * Who waits is woken.\n */\n"
                    "int b;\t/* What it is */\n/* Whose?  Nothing. */\n")
        self.complains("a.c:5: a sentence begins with Who", "a.c:7: a sentence begins with What")

    def test_words(self):
        self.commit("area: add text", OLD + "/* It has\n * come, there is room. */\n")
        self.commit("area: add a page", "- is told\n\n    it is told\n", "a.md")
        self.commit("area: add a script", "#!/bin/told\n# likewise\ntold=\n", "a.sh")
        self.complains("a.c:3: has come", "a.c:4: room", "a.md:1: told", "a.sh:2: likewise")

    def test_citations(self):
        self.commit("area: add text", OLD + "/* Liu\n * et al. (2013), paper 005, liu2013 */\n")
        self.complains("a.c:3: Liu et al. (2013)", "a.c:4: paper 005", "a.c:4: liu2013")

    def test_work_tree(self):
        with open(os.path.join(self.tree, "a.c"), "a", encoding="utf-8") as file:
            file.write("/* told */\n")
        self.complains("a.c:3: told")

    def test_moved(self):
        self.commit("area: move a comment", "int a;\n\n" + OLD.splitlines()[0] + "\n")
        self.assertEqual(self.words()[0], 0)

    def test_shallow(self):
        self.commit("No area", OLD + "/* told */\n")
        with tempfile.TemporaryDirectory() as clone:
            self.git("clone", "-q", "--depth=1", f"file://{self.tree}", clone)
            status, said = self.words(clone)
        self.assertEqual((status, said[:12]), (0, "1..0 # SKIP "))


if __name__ == "__main__":
    unittest.main()
