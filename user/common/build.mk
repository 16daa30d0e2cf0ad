# SPDX-License-Identifier: GPL-2.0

# The only source that reads VERSION, in every flavour
VERSION_OBJECTS := $(patsubst %,$(B)/%/user/common/version.o,user asan whole mutate/base)
$(VERSION_OBJECTS): EXTRA_FLAGS += -DTORUS_VERSION='"$(VERSION)"'
$(VERSION_OBJECTS): VERSION
