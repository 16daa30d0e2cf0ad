# SPDX-License-Identifier: GPL-2.0
#
# Streams of jobs, tested by what can be worked out by hand.

TEST_DIRS += user/jobs/tests
user/jobs/tests_WITH = $(user/sim/tests_WITH)
user/jobs/tests_LIBS = $(JSON_LIBS)
