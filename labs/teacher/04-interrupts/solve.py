# SPDX-License-Identifier: GPL-2.0
"""The solution of lab 4, and mistakes. A driver serves each student."""
from driver_files import DriverFiles

changed = DriverFiles(__file__).changed
ACKNOWLEDGE = "\ttorus_write32(lab->td, TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);\n"
SEEN = "\t\tseen = atomic_read(&lab->events);\n"
LOOK = "\t\tcount = lab_look(lab, words);\n\t\tif (count)\n\t\t\treturn count;\n"
SLEEP = ("\t\tif (wait_event_interruptible(lab->wait, atomic_read(&lab->events) != seen))\n"
         "\t\t\treturn -ERESTARTSYS;\n")


def solve(_task):
    return changed()


def mistakes(_task):
    """Return {rule: files}: each loses exactly this rule."""
    return {
        "receive": changed(("\t\tif (count)\n\t\t\treturn count;",
                            "\t\tif (count)\n\t\t\treturn min(count, 8);")),
        "idle": changed((SLEEP, "\t\tusleep_range(2000, 4000);\n"), (SEEN, ""), ("count, seen;", "count;")),
        # Discard packets that are taken to be old.
        "burst": changed(("\tint count, seen;\n\n",
                          "\tu32 full = __ffs(torus_read32(td, TORUS_PORT_READABLE) | 1 << 15);\n"
                          "\tint count, seen;\n\n\tif (full < 15 && torus_read32(td, "
                          "TORUS_PORT_AT_FIFO(TORUS_PORT_LEVEL, full)) > 2)\n"
                          "\t\twhile (torus_lab_fifo_receive(td, words) > 0)\n\t\t\t;\n")),
        "wakeup": changed((SEEN + LOOK, LOOK + SEEN)),
        "order": changed((ACKNOWLEDGE, ""), ("\twake_up_all(&lab->wait);\n\treturn IRQ_HANDLED;",
                                             "\twake_up_all(&lab->wait);\n" + ACKNOWLEDGE +
                                             "\treturn IRQ_HANDLED;")),
        "unbind": changed(("READ_ONCE(lab->gone) ? -ENODEV", "READ_ONCE(lab->gone) ? -EIO")),
    }


def debug_mistakes(_task):
    """Mistakes that only a debug kernel finds: {rule: files}."""
    return {"kernel": changed(("\tatomic_inc(&lab->events);\n\twake_up_all(&lab->wait);\n\treturn",
                               "\tkfree(kmalloc(64, GFP_KERNEL));\n\tatomic_inc(&lab->events);\n"
                               "\twake_up_all(&lab->wait);\n\treturn"))}


def crashes(_task):
    """Return {text that the verdict has: files}."""
    return {
        "remove() does not return at driver.c:": changed((
            "\twake_up_all(&lab->wait);\n\ttorus_lab_detach",
            "\ttorus_lab_detach")),
        "an endless loop at driver.c:": changed(
            ("\tatomic_inc(&lab->events);\n\twake_up_all(&lab->wait);\n\treturn",
             "\tatomic_inc(&lab->events);\n\tfor (;;)\n\t\tcpu_relax();\n\treturn")),
    }
