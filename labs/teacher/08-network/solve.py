# SPDX-License-Identifier: GPL-2.0
"""The solution of lab 8, and mistakes. A driver serves each student."""
from driver_files import DriverFiles

changed = DriverFiles(__file__).changed
ACKNOWLEDGE = "\ttorus_write32(lab->td, TORUS_PORT_ACKNOWLEDGE, CAUSES);\n"
RECEIVE = "\tdone = lab_receive(lab, budget);\n"


def solve(_task):
    return changed()


def mistakes(_task):
    """Return {rule: files}: each loses exactly this rule."""
    return {
        "interface": changed(("\tdev->mtu = TORUS_LAB_MTU;\n", "")),
        "transmit": changed(("\t\tdev->stats.tx_dropped++;\n", "\t\tdev->stats.tx_errors++;\n")),
        # The zeros after the frame, too.
        "receive": changed(("lab_deliver(lab, bytes);", "lab_deliver(lab, (count - TORUS_LAB_FRAME_AT) * 4);")),
        "napi": changed(("\t\ttorus_write32(lab->td, TORUS_PORT_ENABLE, 0);\n\t\t__napi_schedule",
                         "\t\t__napi_schedule")),
        "order": changed((ACKNOWLEDGE, ""), (RECEIVE, RECEIVE + ACKNOWLEDGE)),
        "full": changed(("space >= PACKET_CHUNKS", "space > 0")),
        "wake": changed(("\tif (lab_has_space(lab))\n\t\tnetif_start_queue(lab->dev);\n", "")),
    }


def debug_mistakes(_task):
    """Mistakes that only a debug kernel finds: {rule: files}."""
    return {"kernel": changed(("\tif (napi_schedule_prep(&lab->napi)) {",
                               "\tkfree(kmalloc(64, GFP_KERNEL));\n"
                               "\tif (napi_schedule_prep(&lab->napi)) {"))}


def crashes(_task):
    """Return {text that the verdict has: files}."""
    return {
        "remove() does not return at driver.c:": changed((
            "\tnapi_disable(&lab->napi);\n\ttorus_write32", "\tnapi_disable(&lab->napi);\n"
            "\tnapi_disable(&lab->napi);\n\ttorus_write32")),
        "an oops at driver.c:": changed(("\tlab->td = td;\n", "")),
    }
