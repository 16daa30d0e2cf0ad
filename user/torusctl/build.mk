# SPDX-License-Identifier: GPL-2.0

CTL_DIRS := user/torusctl $(addprefix user/torusctl/,print route snapshot)
# Also what torusd needs.
CONFIG_WITH = user/config user/rehearsal user/netlink user/report $(PARSE) $(ROUTES) $(ENGINE)
CTL_WITH = user/devquery user/capture $(CONFIG_WITH)

PROGRAMS += torusctl
torusctl_OWN := $(call sources,$(CTL_DIRS))
torusctl_WITH = $(CTL_WITH)
torusctl_LIBS = $(NL_LIBS) $(JSON_LIBS) -lm

# Tested on fabrics of the core, in the module's place.
TEST_DIRS += user/config/tests
user/config/tests_WITH = $(CONFIG_WITH)
user/config/tests_LIBS = $(NL_LIBS) $(JSON_LIBS)

# Tested with a made-up module.
TEST_DIRS += user/torusctl/tests
user/torusctl/tests_WITH = $(CTL_DIRS) $(CTL_WITH)
user/torusctl/tests_LIBS = $(NL_LIBS) $(JSON_LIBS)
