# SPDX-License-Identifier: GPL-2.0

PROGRAMS += torus-info
torus-info_OWN := $(call sources,user/info)
torus-info_WITH = user/devquery user/report $(PARSE) $(ENGINE)
torus-info_LIBS = $(JSON_LIBS) -lm
