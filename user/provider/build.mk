# SPDX-License-Identifier: GPL-2.0
#
# torus-fi.so: a provider that libfabric loads. libtorus is in it. Where libfabric's headers are
# missing, the provider is left out.

PROVIDER = $(eval PROVIDER := $(if $(shell pkg-config --exists libfabric 2>/dev/null && echo y),\
	$(B)/torus-fi.so))$(PROVIDER)
USER_PRODUCTS += $(if $(PROVIDER),$(PROVIDER),provider-left-out)

$(B)/torus-fi.so: $(call objects,user,$(call sources,user/provider)) $(LIB) \
		user/provider/exports.map $(B)/sources
	$(call link,-shared -Wl$(comma)--version-script=user/provider/exports.map \
		-Wl$(comma)--no-undefined,-lfabric $(LIB_LIBS))

.PHONY: provider-left-out
provider-left-out:
	@echo 'torus-fi.so, the provider for libfabric, is left out: pkg-config does not find libfabric (libfabric-dev)' >&2

# Tested without the kernel, against the fake kernel of the library's tests.
TEST_DIRS += $(if $(PROVIDER),user/provider/tests)
user/provider/tests_WITH = user/provider user/lib/tests $(LIB_DIRS)
user/provider/tests_LIBS = -lfabric $(LIB_LIBS)
