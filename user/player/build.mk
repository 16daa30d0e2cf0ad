# SPDX-License-Identifier: GPL-2.0
#
# torus-player: a trace as a page for a browser.

PROGRAMS += torus-player
torus-player_OWN := $(call sources,user/player)
torus-player_WITH = user/report $(PARSE) $(ENGINE)
torus-player_LIBS = $(JSON_LIBS) -lm

# The page is a part of the program.
$(addsuffix /user/player/page.o,$(B)/user $(B)/asan $(B)/whole $(B)/mutate/base): user/player/page.html

TEST_DIRS += user/player/tests
user/player/tests_WITH = user/player user/report $(PARSE) $(ENGINE_RIGS) $(ENGINE)
user/player/tests_LIBS = $(JSON_LIBS)
