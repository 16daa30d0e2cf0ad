# SPDX-License-Identifier: GPL-2.0
#
# The core: directories of a network without the machines that use it.

CORE := $(call below,kmod/core)
# Compiled for the kernel alone.
SKIP_kmod/core := kmod/core/platform_kernel.c

# The core's own tests bring a machine, in toy.
TEST_DIRS += kmod/core/tests
kmod/core/tests_WITH = kmod/core/tests/toy $(CORE)
