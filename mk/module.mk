# SPDX-License-Identifier: GPL-2.0
#
# The modules, by Kbuild, and the kernel's sources. Kbuild lists the modules' objects.

MODULES = torus torus_bus torus_host torus_edu torus_net $(VFIO_MODULE)
# Only for a kernel with VFIO
VFIO_MODULE = $(shell grep -qs '^CONFIG_VFIO=[my]' $(KDIR)/include/config/auto.conf && echo torus_vfio)
# Not installed
TEST_MODULES = torus_port_test torus_clock_test

# HOST=1 means the kernel that runs here; otherwise the one which the VM boots. KERNEL=6.12 (or
# another series) selects that: its objects, and its torus.ko, lie below build/kernel-RELEASE.
ifeq ($(HOST),1)
KDIR ?= /lib/modules/$(shell uname -r)/build
else
KDIR ?= /usr/src/linux-headers-$(shell KERNEL=$(KERNEL) scripts/kernel-version.sh)
endif

# As `uname -r' prints it; Debian's kernel.release may differ.
RELEASE = $(shell sed -n 's/^.define UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h)
# Kbuild accepts no space in a module's path: a tree whose path has one is copied to the cache.
SPACE = $(word 2,$(CURDIR))
MODULE_HOME = $(if $(SPACE),$(shell scripts/cache-dir.sh)/module-$(firstword \
	$(shell pwd | cksum)),$(CURDIR))
MODULE_TREE = $(MODULE_HOME)$(if $(KERNEL),/$(B)/kernel-$(RELEASE))
kbuild = $(if $(KERNEL)$(SPACE),scripts/kernel-tree.sh $(MODULE_TREE) && )$(MAKE) -C $(KDIR) \
	M=$(MODULE_TREE) TORUS_SELFTESTS=m $(MODULE_FLAGS)

module:
ifneq ($(wildcard Kbuild),)
	+$(Q)$(kbuild) modules
	@mkdir -p $(B)
	@$(if $(KERNEL),,for ko in $(addsuffix .ko,$(MODULES) $(TEST_MODULES)); do cmp -s $(MODULE_TREE)/$$ko $(B)/$$ko || \
		cp $(MODULE_TREE)/$$ko $(B)/$$ko || exit; done)
	+$(Q)$(MAKE) -s $(DRIVER_KO)
endif

# The example of a driver, built as its author builds it: outside of this tree, with what
# install-module installs.
DRIVER_SRC = $(wildcard user/examples/driver/*)
DRIVER_DIR = $(MODULE_TREE)/build/driver
DRIVER_KO = $(if $(KERNEL),$(MODULE_TREE),$(B))/torus_count.ko
$(DRIVER_KO): $(DRIVER_SRC) include/linux/torus_bus.h include/uapi/linux/torus_port.h \
		$(MODULE_TREE)/Module.symvers
	@mkdir -p $(DRIVER_DIR)
	$(Q)cp $(DRIVER_SRC) $(DRIVER_DIR)
	$(Q)$(MAKE) -s install-driver-headers DESTDIR=$(DRIVER_DIR)/root >/dev/null
	$(Q)$(MAKE) -s -C $(DRIVER_DIR) $(MODULE_FLAGS) KDIR=$(KDIR) RELEASE=$(RELEASE) \
		TORUS=$(DRIVER_DIR)/root/lib/modules/$(RELEASE)/torus
	$(Q)cp $(DRIVER_DIR)/torus_count.ko $@

sparse:
ifneq ($(wildcard Kbuild),)
	+$(Q)$(kbuild) C=2 CF=-D__CHECK_ENDIAN__ modules
endif

# A link into the cache: when that goes, so does this, and it is made again.
$(B)/linux-source:
	@mkdir -p $(@D)
	@rm -f $@; dir=$$(scripts/linux-source.sh) && ln -s "$$dir" $@
