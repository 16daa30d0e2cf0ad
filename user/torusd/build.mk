# SPDX-License-Identifier: GPL-2.0
#
# torusd: creates, compares and saves fabrics as torusctl does, without its commands and printing.

PROGRAMS += torusd
torusd_OWN := $(call sources,user/torusd)
torusd_WITH = $(CONFIG_WITH)
torusd_LIBS = $(NL_LIBS) $(JSON_LIBS) -lm

# Its work on tables is tested on the core, in the module's place.
TEST_DIRS += user/torusd/tests
user/torusd/tests_WITH = user/torusd user/route/tests $(CONFIG_WITH) $(ENGINE_RIGS)
user/torusd/tests_LIBS = $(NL_LIBS) $(JSON_LIBS)
