# SPDX-License-Identifier: GPL-2.0
#
# Manual pages, and the programs that are their examples.

MAN := $(B)/man/made
MAN_SRC := $(sort $(wildcard user/man/*.[1-9]))
MAN_EXAMPLE_SRC := $(call sources,user/man/examples)
MAN_EXAMPLES := $(patsubst user/man/examples/%.c,$(B)/man/examples/%,$(MAN_EXAMPLE_SRC))
USER_PRODUCTS += $(MAN) $(MAN_EXAMPLES)

LINKED += man/parameters
man/parameters_OWN := user/man/parameters.c
man/parameters_WITH = $(ENGINE)
man/parameters_LIBS := -lm

# The pages are made of headers, kernel-doc and tables.
$(MAN): $(B)/man/parameters user/man/generate.py user/man/errors debian/changelog VERSION $(MAN_SRC) \
		$(MAN_EXAMPLE_SRC) kmod/dev/base/params.c include/uapi/linux/torus.h scripts/uapi.py \
		include/uapi/linux/torus_port.h include/linux/torus_bus.h $(wildcard kmod/bus/*.c) \
		kmod/drivers/net/ethtool.c \
		$(wildcard include/torus/*.h) \
		$(wildcard $(addsuffix /*.c,$(LIB_DIRS)))
	$(call say,MAN,$(@D))
	@rm -rf $(@D)/man[1-9]
	$(Q)python3 user/man/generate.py $(@D) $(B)/man/parameters $(MAN_SRC)
	@touch $@

$(MAN_EXAMPLES): $(B)/man/examples/%: user/man/examples/%.c $(B)/libtorus.a $(PUBLIC_HEADERS)
	$(newcomer)
