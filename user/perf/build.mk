# SPDX-License-Identifier: GPL-2.0
#
# torus-pingpong and torus-perf. Like any user's program, they use the public names of libtorus.

PROGRAMS += torus-pingpong torus-perf
torus-pingpong_OWN := $(call sources,user/perf) user/perf/compare/sizes.c
torus-pingpong_WITH := user/report user/common
torus-pingpong_LIBS = $(LIB) $(LIB_LIBS) $(JSON_LIBS)

torus-perf_OWN := $(call sources,user/perf/compare)
torus-perf_WITH := user/report user/common
torus-perf_LIBS = $(LIB) $(LIB_LIBS) $(JSON_LIBS)
