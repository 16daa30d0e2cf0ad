# SPDX-License-Identifier: GPL-2.0
"""The solution of lab 9, and mistakes. A driver serves each student."""
from driver_files import DriverFiles

changed = DriverFiles(__file__).changed
LOOP = "} while (control != GONE && control & TORUS_PORT_CONTROL_RESET);"
HANDLER = "\ttorus_write32(lab->td, TORUS_PORT_ACKNOWLEDGE, CAUSES);\n\tlab_event(lab);\n"


def solve(_task):
    return changed()


def mistakes(_task):
    """Return {rule: files}: each loses exactly this rule."""
    return {
        "exchange": changed(("\t\tif (count)\n\t\t\treturn count;",
                             "\t\tif (count)\n\t\t\treturn min(count, 32);")),
        "lost": changed(("wait_event_interruptible_timeout(lab->wait, atomic_read(&lab->events) != seen,\n"
                         "\t\t\t\t\t\t     HZ) < 0",
                         "wait_event_interruptible(lab->wait, atomic_read(&lab->events) != seen)")),
        # An interrupt without a cause is taken for a node that is gone.
        "spurious": changed((HANDLER, "\tif (!torus_read32(lab->td, TORUS_PORT_STATUS))\n"
                             "\t\tWRITE_ONCE(lab->gone, true);\n" + HANDLER)),
        "stuck": changed(("\tint err;\n\n\tfor (;;) {\n\t\terr = READ_ONCE(lab->gone)",
                          "\tint err, tries = 0;\n\n\tfor (;;) {\n\t\tif (++tries > 1000)\n"
                          "\t\t\treturn -EIO;\n\t\terr = READ_ONCE(lab->gone)")),
        "dma": changed(("\tif (!count)\n\t\tlab_recover(lab);\n", ""),
                       ("static void lab_recover", "static __maybe_unused void lab_recover")),
        "unplug": changed(("\t\tif (err != -EAGAIN)\n\t\t\treturn err;",
                           "\t\tif (err != -EAGAIN)\n\t\t\treturn err ? -EIO : 0;")),
    }


def debug_mistakes(_task):
    """Mistakes that only a debug kernel finds: {rule: files}."""
    return {"kernel": changed((HANDLER, "\tkfree(kmalloc(64, GFP_KERNEL));\n" + HANDLER))}


def crashes(_task):
    """Return {text that the verdict has: files}."""
    return {
        "remove() of a node that is gone does not return at driver.c:": changed(
            (LOOP, "} while (control & TORUS_PORT_CONTROL_RESET);")),
        "an oops at driver.c:": changed(("\tlab_event(lab);\n\treturn IRQ_HANDLED;",
                                         "\tlab = NULL;\n\tlab_event(lab);\n\treturn IRQ_HANDLED;")),
    }
