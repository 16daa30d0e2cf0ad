# SPDX-License-Identifier: GPL-2.0
#
# Tables of machines, and parsers of arguments.

PARSE := user/parse user/machine user/common

# Compared with the core, which says the same in its own way.
TEST_DIRS += user/parse/tests user/machine/tests user/common/tests
user/parse/tests_WITH = $(PARSE) $(ENGINE_RIGS) $(ENGINE)
user/machine/tests_WITH = $(user/parse/tests_WITH)
user/common/tests_WITH = $(user/parse/tests_WITH)
