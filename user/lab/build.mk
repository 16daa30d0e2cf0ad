# SPDX-License-Identifier: GPL-2.0
#
# The device of lab 1: the registers of a node, for a program without a kernel module.

LAB_DEVICE := lab/registers
USER_PRODUCTS += $(B)/$(LAB_DEVICE)
LINKED += $(LAB_DEVICE)
$(LAB_DEVICE)_OWN := $(call sources,user/lab)
$(LAB_DEVICE)_WITH = $(PARSE) $(ENGINE)
$(LAB_DEVICE)_LIBS := -lm
