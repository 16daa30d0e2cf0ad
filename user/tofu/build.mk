# SPDX-License-Identifier: GPL-2.0
#
# Chains of barrier gates, checked against the core's gates.

TEST_DIRS += user/tofu/tests
user/tofu/tests_WITH = user/tofu $(ENGINE_RIGS) $(ENGINE)
