# SPDX-License-Identifier: GPL-2.0
#
# Routes: hints around faults, routing tables, and the files that hold them.

ROUTES := user/route $(addprefix user/route/,xt deadlock tofu kncube file spec)

# The policy is tested by itself, and against the core: the core must deliver each packet that the
# policy says is delivered.
TEST_DIRS += user/route/tests
user/route/tests_WITH = $(ROUTES) $(PARSE) $(ENGINE_RIGS) $(ENGINE)
