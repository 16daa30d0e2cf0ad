#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Small trees with one defect each: scripts/include_graph.py must find it."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import include_graph  # noqa: E402

ORDER = """
kmod/core
kmod/core/low
kmod/core/left kmod/core/right
kmod/core/top
kmod/arch/*
user/lib
"""

SOUND = {
    "kmod/core/platform.h": "typedef unsigned int u32;\n",
    "kmod/core/low/low.h": '#include "core/platform.h"\nu32 low_get(u32 (*of)(u32 x));\n'
                           "extern const u32 low_table[4];\n"
                           "static inline u32 low_half(u32 x)\n{\n\treturn x / 2;\n}\n",
    "kmod/core/low/low.c": '#include "low.h"\nconst u32 low_table[4] = { 1, 2, 3, 4 };\n'
                           "u32 low_get(u32 (*of)(u32 x))\n{\n\treturn of(low_table[0]);\n}\n",
    "kmod/core/left/left.h": '#include "core/low/low.h"\nstruct box {\n\tu32 (*hook)(u32 x);\n};\n'
                             "u32 left_get(const struct box *box, u32 x);\n",
    "kmod/core/left/left.c": '#include "core/left/left.h"\n'
                             "u32 left_get(const struct box *box, u32 x)\n{\n"
                             "\treturn box->hook(low_half(x));\n}\n",
    "kmod/core/right/right.h": '#include "core/left/left.h"\n',
    "kmod/core/top/top.c": '#include "core/right/right.h"\n'
                           "int main(void)\n{\n\treturn (int)left_get(0, 1);\n}\n",
    "kmod/core/tests/test_top.c": '#include "core/top/top.h"\nvoid nobody(void);\n',
    "kmod/arch/toy/toy.c": '#include "core/left/left.h"\n',
    "user/lib/lib.h": "int lib_get(void);\n",
}


def graph_of(changes):
    """The graph of the sound tree with @changes made to it."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**SOUND, **changes}.items():
            os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        return include_graph.Graph(root, ORDER, ["user/lib"])


class Defects(unittest.TestCase):
    """Each defect is found, and nothing else."""

    def only(self, changes, *words):
        """@changes bring one defect, whose text has @words."""
        defects = graph_of(changes).defects
        self.assertEqual(len(defects), 1, defects)
        for word in words:
            self.assertIn(word, defects[0])

    def test_sound(self):
        graph = graph_of({})
        self.assertEqual(graph.defects, [])
        self.assertIn("kmod/core/left       > kmod/core/low(1)", graph.text())

    def test_arrow_up(self):
        self.only({"kmod/core/low/up.c": '#include "core/top/top.h"\n',
                   "kmod/core/top/top.h": "\n"},
                  "kmod/core/low/up.c", "kmod/core/top/top.h", "above")

    def test_arrow_up_within_a_line_of_its_own(self):
        self.only({"kmod/core/left/up.c": '#include "../top/top.h"\n',
                   "kmod/core/top/top.h": "\n"}, "kmod/core/left/up.c", "above")

    def test_arrow_up_in_angles(self):
        self.only({"kmod/core/low/up.c": "#include <core/left/left.h>\n"}, "above")

    def test_circle(self):
        self.only({"kmod/core/left/back.c": '#include "core/right/right.h"\n'},
                  "circle", "kmod/core/left > kmod/core/right > kmod/core/left")

    def test_name_of_another_layer(self):
        self.only({"kmod/core/low/more.h": "void left_more(u32 x);\n",
                   "kmod/core/left/more.c": "void left_more(u32 x)\n{\n}\n"},
                  "kmod/core/low/more.h", "left_more", "kmod/core/left/more.c")

    def test_variable_of_another_layer(self):
        self.only({"kmod/core/low/more.h": "extern const u32 *const left_list[];\n",
                   "kmod/core/left/more.c": "const u32 *const left_list[] = { 0 };\n"},
                  "kmod/core/low/more.h", "left_list")

    def test_name_of_nobody(self):
        self.only({"kmod/core/low/more.h": "void low_more(u32 x);\n"}, "low_more", "nobody")

    def test_static_function_is_no_definition(self):
        self.only({"kmod/core/low/more.h": "void low_more(u32 x);\n",
                   "kmod/core/low/more.c": "static void low_more(u32 x)\n{\n}\n"},
                  "low_more", "nobody")

    def test_core_in_the_library(self):
        self.only({"user/lib/lib.c": '#include "core/platform.h"\n'}, "without the core")

    def test_header_of_another_name(self):
        self.only({"user/lib/other.c": "int lib_get(void)\n{\n\treturn 0;\n}\n"},
                  "lib_get", "user/lib/other.h")

    def test_header_of_another_name_with_an_attribute(self):
        self.only({"user/lib/more.h": "void lib_say(const char *format, ...)\n"
                                      "\t__attribute__((format(printf, 1, 2)));\n",
                   "user/lib/say.c": "void lib_say(const char *format, ...)\n{\n}\n"},
                  "user/lib/more.h", "lib_say", "user/lib/say.h")

    def test_unknown_layer(self):
        self.only({"kmod/core/attic/box.c": "\n"}, "kmod/core/attic", "no line")

    def test_a_machine_may_include_what_is_below(self):
        self.assertIn("kmod/arch/toy        > kmod/core/left(1)", graph_of({}).text())

    def test_comments_and_strings_say_nothing(self):
        self.assertEqual(graph_of({
            "kmod/core/low/more.c": '/*\n#include "core/none.h"\nvoid left_get(void);\n*/\n'
                                    'const char low_text[] = "void left_get(void) {";\n',
        }).defects, [])


if __name__ == "__main__":
    unittest.main(verbosity=0)
