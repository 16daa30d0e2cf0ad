# SPDX-License-Identifier: GPL-2.0
"""The solution of lab 5, and mistakes. A driver serves each student."""
from driver_files import DriverFiles

changed = DriverFiles(__file__).changed
UNMAP = "dma_unmap_single(dma, ring->body[i].at, BODY_BYTES, ring->direction);"
TO_CPU = ("\tdma_sync_single_for_cpu(torus_dma_device(td), ring->body[slot].at, BODY_BYTES,\n"
          "\t\t\t\tDMA_FROM_DEVICE);\n")
TO_DEVICE = ("\tdma_sync_single_for_device(torus_dma_device(td), ring->body[slot].at, bytes, "
             "DMA_TO_DEVICE);\n")


def solve(_task):
    return changed()


def mistakes(_task):
    """Return {rule: files}: each loses exactly this rule. Names that differ by spaces are equal."""
    return {
        "send": changed(("count > TORUS_LAB_WORDS)", "count > TORUS_LAB_WORDS || count == 16)")),
        "receive": changed((TO_CPU, "")),
        "receive ": changed(("\tring->done++;\n", "\tif (++ring->done == 12)\n\t\twords[2]++;\n")),
        "order": changed(("\tdescriptor->address = cpu_to_le64(ring->body[slot].at);\n"
                          "\tdescriptor->length = cpu_to_le32(bytes);\n\tdescriptor->status = 0;\n"
                          "\tring_tail(td, ring);\n",
                          "\tdescriptor->length = 0;\n\tdescriptor->status = 0;\n\tring_tail(td, ring);\n"
                          "\tdescriptor->address = cpu_to_le64(ring->body[slot].at);\n"
                          "\tdescriptor->length = cpu_to_le32(bytes);\n")),
        "full": changed(("\t\tif (ring->tail - head < DESCRIPTORS)\n", "\t\tif (head != GONE)\n")),
        "mapping": changed((TO_DEVICE, TO_DEVICE + "\tdma_sync_single_for_device(torus_dma_device(td), "
                            "ring->body[slot].at, 2 * BODY_BYTES, DMA_TO_DEVICE);\n")),
        "remove": changed(("\tlab_reset(td);\n\tring_free(td, &lab->send);\n\tring_free(td, "
                           "&lab->receive);\n", "\tring_free(td, &lab->send);\n\tring_free(td, "
                           "&lab->receive);\n\tlab_reset(td);\n")),
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
        "an oops at driver.c:": changed(("\tif (head == ring->done)\n\t\treturn 0;\n",
                                         "\tif (head == ring->done)\n\t\treturn 0;\n"
                                         "\tdescriptor = NULL;\n")),
    }
