# SPDX-License-Identifier: GPL-2.0
#
# Captures of packets, as files.

TEST_DIRS += user/capture/tests
user/capture/tests_WITH = user/capture $(PARSE) $(ENGINE_RIGS) $(ENGINE)
