# SPDX-License-Identifier: GPL-2.0
#
# torusd: uses torusctl's functions, without its commands.

PROGRAMS += torusd
torusd_OWN := $(call sources,user/torusd)
torusd_WITH = user/torusctl $(CTL_WITH)
torusd_LIBS = $(NL_LIBS) $(JSON_LIBS) -lm

# Its work on tables is tested on the core, in the module's place.
TEST_DIRS += user/torusd/tests
user/torusd/tests_WITH = user/torusd user/torusctl user/route/tests $(CTL_WITH) $(ENGINE_RIGS)
user/torusd/tests_LIBS = $(NL_LIBS) $(JSON_LIBS)
