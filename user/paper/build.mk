# SPDX-License-Identifier: GPL-2.0
#
# Figures and tables of the papers.

TEST_DIRS += user/paper/tests
user/paper/tests_WITH = $(user/sim/tests_WITH)
user/paper/tests_LIBS = $(user/sim/tests_LIBS)
