# SPDX-License-Identifier: GPL-2.0
#
# Knowledge of machines, and the words that programs understand.

WORDS := user/words user/machine user/common

# Compared with the core, which says the same in its own way.
TEST_DIRS += user/words/tests user/machine/tests user/common/tests
user/words/tests_WITH = $(WORDS) $(ENGINE_RIGS) $(ENGINE)
user/machine/tests_WITH = $(user/words/tests_WITH)
user/common/tests_WITH = $(user/words/tests_WITH)
