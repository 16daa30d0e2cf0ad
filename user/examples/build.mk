# SPDX-License-Identifier: GPL-2.0

EXAMPLE_SRC := $(call sources,user/examples)
EXAMPLES := $(patsubst user/examples/%.c,$(B)/examples/%,$(EXAMPLE_SRC))
USER_PRODUCTS += $(EXAMPLES)

$(EXAMPLES): $(B)/examples/%: user/examples/%.c $(B)/libtorus.a $(PUBLIC_HEADERS)
	$(newcomer)

# raw.c calls the kernel itself: it is linked without the library.
$(B)/examples/raw: private LIB :=
$(B)/examples/raw: private LIB_LIBS :=
