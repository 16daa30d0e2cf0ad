# SPDX-License-Identifier: GPL-2.0
"""The solution of lab 3, and mistakes. A driver serves each student."""
from driver_files import DriverFiles

changed = DriverFiles(__file__).changed
SEND_LOCK = "\tmutex_lock(&lab->lock);\n\terr = lab_space(td, count);\n"
SEND_UNLOCK = "words[i]);\n\tmutex_unlock(&lab->lock);\n\treturn err;"


def solve(_task):
    return changed()


def mistakes(_task):
    """Return {rule: files}: each loses exactly this rule."""
    return {
        "send": changed(("\tmutex_lock(&lab->lock);\n\terr =",
                         "\tif (count == 24)\n\t\treturn -EINVAL;\n\tmutex_lock(&lab->lock);\n\terr =")),
        "receive": changed(("count = torus_read32(td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));",
                            "count = CHUNK_WORDS;")),
        "empty": changed(("\tif (!readable)\n\t\treturn 0;\n\tfifo = __ffs(readable);",
                          "\tfifo = readable ? __ffs(readable) : 0;\n\tif (!readable) {\n\t\ttorus_read32"
                          "(td, TORUS_PORT_READ_DATA);\n\t\treturn 0;\n\t}")),
        "full": changed(("space >= DIV_ROUND_UP(count, CHUNK_WORDS)", "space")),
        "together": changed((SEND_LOCK, "\terr = lab_space(td, count);\n"),
                            (SEND_UNLOCK, "words[i]);\n\treturn err;")),
        "gone": changed(("\t\tif (space == GONE)\n\t\t\treturn -ENODEV;\n", "")),
    }


def debug_mistakes(_task):
    """Mistakes that only a debug kernel finds: {rule: files}."""
    return {"kernel": changed(
        ("\tstruct mutex lock;", "\tspinlock_t spin;\n\tstruct mutex lock;"),
        ("\tmutex_init(&lab->lock);", "\tspin_lock_init(&lab->spin);\n\tmutex_init(&lab->lock);"),
        ("\tmutex_lock(&lab->lock);\n\tcount", "\tspin_lock(&lab->spin);\n\tmutex_lock(&lab->lock);\n"
         "\tcount"),
        ("\tmutex_unlock(&lab->lock);\n\treturn count", "\tmutex_unlock(&lab->lock);\n"
         "\tspin_unlock(&lab->spin);\n\treturn count"))}


def crashes(_task):
    """Return {text that the verdict has: files}."""
    return {
        "receive() does not return at driver.c:": changed(
            ("\tmutex_lock(&lab->lock);\n\tcount", "\tmutex_lock(&lab->lock);\n"
             "\tmutex_lock(&lab->lock);\n\tcount")),
        "an oops at driver.c:": changed(("\tcount = lab_read(td, words);",
                                         "\tcount = lab_read(NULL, words);")),
    }
