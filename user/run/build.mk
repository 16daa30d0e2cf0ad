# SPDX-License-Identifier: GPL-2.0

PROGRAMS += torus-run
torus-run_OWN := $(call sources,user/run)
torus-run_WITH = user/devquery user/netlink user/report $(PARSE) $(ROUTES) $(ENGINE)
# Directory where make install puts the provider
%/user/run/provider.o: EXTRA_FLAGS += -DTORUS_LIBDIR='"$(LIBDIR)"'
torus-run_LIBS = $(NL_LIBS) -lm

# Its processes are tested without a fabric.
TEST_DIRS += user/run/tests
user/run/tests_WITH = user/run $(torus-run_WITH)
user/run/tests_LIBS = $(NL_LIBS)
