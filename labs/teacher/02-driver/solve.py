# SPDX-License-Identifier: GPL-2.0
"""The solution of lab 2, and mistakes. A driver serves each student."""
import pathlib

SOLUTION = (pathlib.Path(__file__).parent / "driver.c").read_text(encoding="ascii")
LOOP = "} while (control != GONE && control & TORUS_PORT_CONTROL_RESET);"


def solve(_task):
    return {"driver.c": SOLUTION}


def changed(old, new, count=-1):
    assert old in SOLUTION, old
    return {"driver.c": SOLUTION.replace(old, new, count)}


def mistakes(_task):
    """Return {rule: files}: each loses exactly this rule. Names that differ by spaces are equal."""
    free = "\tdma_free_coherent(torus_dma_device(td), PAGE_SIZE, lab->buffer, lab->at);\n"
    return {
        "identity": changed(" ||\n\t    torus_read32(td, TORUS_PORT_VERSION) != "
                            "TORUS_PORT_ABI_VERSION", ""),
        "interrupt": changed("TORUS_PORT_READ_DATA, fifo));\n\t}\n", "TORUS_PORT_READ_DATA, fifo));\n"
                             "\t\treturn IRQ_HANDLED;\n\t}\n"),
        "interrupt ": changed("\ttorus_write32(lab->td, TORUS_PORT_ACKNOWLEDGE, "
                              "TORUS_PORT_STATUS_RECEIVE);\n", ""),
        "failure": changed("\t\tkfree(lab);\n\t\treturn err;", "\t\treturn err;"),
        "unbind": changed("\tfree_irq(lab->irq, lab);\n", ""),
        "leaks": changed(free + "\tkfree(lab);\n", free),
        "leaks ": changed(free, ""),
    }


def debug_mistakes(_task):
    """Mistakes that only a debug kernel finds: {rule: files}."""
    return {"kernel": changed("\tfor (;;) {\n\t\treadable", "\tkfree(kmalloc(64, GFP_KERNEL));\n"
                              "\tfor (;;) {\n\t\treadable")}


def crashes(_task):
    """Return {text that the verdict has: files}."""
    return {
        "remove() of a node that is gone does not return at driver.c:": changed(
            LOOP, "} while (control & TORUS_PORT_CONTROL_RESET);"),
        "an oops at driver.c:": changed("\tlab->td = td;\n\terr", "\terr"),
    }
