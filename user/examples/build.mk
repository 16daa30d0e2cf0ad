# SPDX-License-Identifier: GPL-2.0

EXAMPLE_SRC := $(call sources,user/examples)
EXAMPLES := $(patsubst user/examples/%.c,$(B)/examples/%,$(EXAMPLE_SRC))
USER_PRODUCTS += $(EXAMPLES)

$(EXAMPLES): $(B)/examples/%: user/examples/%.c $(B)/libtorus.a $(PUBLIC_HEADERS)
	$(newcomer)

# raw.c calls the kernel itself: it is linked without the library.
$(B)/examples/raw: private LIB :=
$(B)/examples/raw: private LIB_LIBS :=

# A driver in user space, and a guest without an operating system, for nodes that torus_vfio hands
# over. Only selftests need them. The guest is a program for 32-bit processors of x86.
PORT_EXAMPLES := $(B)/examples/user_driver $(if $(filter x86_64,$(shell uname -m)),$(B)/examples/guest)

$(B)/examples/user_driver: user/examples/port/user_driver.c include/uapi/linux/torus_port.h
	$(newcomer)
$(B)/examples/user_driver: private LIB :=
$(B)/examples/user_driver: private LIB_LIBS :=

$(B)/examples/guest: user/examples/port/guest.c user/examples/port/guest.ld \
		include/uapi/linux/torus_port.h
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -m32 -O2 -std=gnu99 $(filter-out -Wno-%,$(WARN)) -ffreestanding -mgeneral-regs-only \
		-fno-pic -no-pie -fno-stack-protector -fno-asynchronous-unwind-tables -nostdlib -static \
		-Iinclude/uapi -idirafter /usr/include/$(shell $(CC) -print-multiarch) \
		-Wl,-T,user/examples/port/guest.ld -Wl,--build-id=none -o $@ $<
