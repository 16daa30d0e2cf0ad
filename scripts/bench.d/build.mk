# SPDX-License-Identifier: GPL-2.0
#
# torus-sim with a core that is compiled as the kernel compiles it, for make bench.

$(B)/kernel-like/torus-sim: $(call objects,user,$(torus-sim_OWN) scripts/bench.d/thunk.c) \
		$(call archives,kernel-like,$(filter kmod/%,$(torus-sim_WITH))) \
		$(call archives,user,$(filter-out kmod/%,$(torus-sim_WITH))) $(B)/sources
	$(call link,,$(torus-sim_LIBS))
