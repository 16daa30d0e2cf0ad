# SPDX-License-Identifier: GPL-2.0
#
# Results of a workload, as they are printed.

TEST_DIRS += user/report/tests
user/report/tests_WITH = user/report $(PARSE) $(ENGINE_RIGS) $(ENGINE)
user/report/tests_LIBS = $(JSON_LIBS)
