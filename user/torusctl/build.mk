# SPDX-License-Identifier: GPL-2.0

CTL_WITH = user/query user/netlink user/report user/capture $(WORDS) $(ROUTES) $(ENGINE)

PROGRAMS += torusctl
torusctl_OWN := $(call sources,user/torusctl)
torusctl_WITH = $(CTL_WITH)
torusctl_LIBS = $(NL_LIBS) $(JSON_LIBS) -lm

# Tested with a made-up module.
TEST_DIRS += user/torusctl/tests
user/torusctl/tests_WITH = user/torusctl $(CTL_WITH)
user/torusctl/tests_LIBS = $(NL_LIBS) $(JSON_LIBS)
