# SPDX-License-Identifier: GPL-2.0
#
# Machines: with the core, all that user space and the module share.

ENGINE = $(call below,kmod/arch) $(CORE)
# Scenes of the tests, for tests of other directories, too.
ENGINE_RIGS := kmod/arch/tests kmod/core/tests

TEST_DIRS += kmod/arch/tests
kmod/arch/tests_WITH = kmod/core/tests $(ENGINE)
# Some tests compare sums with those of mpfr.
kmod/arch/tests_LIBS := -lmpfr
