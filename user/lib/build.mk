# SPDX-License-Identifier: GPL-2.0
#
# libtorus: static, shared, and for this tree under its internal names.

LIB := $(B)/libtorus.a
LIB_MAP := $(B)/libtorus.map
LIB_ORDER := user/lib/order.lds
# Hints around faults are the library's, too, and its knowledge of machines.
LIB_DIRS := user/lib $(addprefix user/lib/,context job collective match) user/machine/public user/common user/route user/machine
LIB_OBJ := $(call objects,user,$(call sources,$(LIB_DIRS)))

USER_PRODUCTS += $(LIB) $(B)/libtorus.so $(B)/libtorus.pc

# The static library is one object, in which only the names that the shared one
# exports are global: a program may call its own functions what it likes.
$(B)/libtorus.names: $(wildcard include/torus/*.h) user/lib/build.mk mk/rules.mk
	$(call names,torus_,$(filter %.h,$^))

$(LIB_MAP): $(B)/libtorus.names
	$(call version_script,LIBTORUS_0)

$(B)/whole/libtorus.o: $(call objects,whole,$(call sources,$(LIB_DIRS))) $(LIB_ORDER) $(B)/sources
	$(call say,LD,$@)
	$(Q)$(if $(WHOLE),$(CC) $(WHOLE_FLAGS) $(PACKAGE_CFLAGS) $(WHOLE) -flto-partition=one \
		-flinker-output=nolto-rel,$(LD)) -r -T $(LIB_ORDER) -o $@ $(filter %.o,$^)

$(B)/libtorus.o: $(B)/whole/libtorus.o $(B)/libtorus.names
	$(Q)$(OBJCOPY) --keep-global-symbols=$(B)/libtorus.names $< $@

$(LIB): $(B)/libtorus.o
	$(archive)

# For the selftests: under its internal names, and not compiled as a whole.
$(B)/libtorusinside.a: $(LIB_OBJ) $(B)/sources
	$(archive)

$(B)/libtorus.so: $(B)/whole/libtorus.o $(LIB_MAP) $(B)/sources
	$(call link,-shared -Wl$(comma)-soname$(comma)libtorus.so.0 \
		-Wl$(comma)--version-script=$(LIB_MAP) -Wl$(comma)--no-undefined,$(LIB_LIBS))
	@ln -sf $(@F) $@.0

$(B)/libtorus.pc: user/lib/libtorus.pc.in mk/install.mk
	$(call say,GEN,$@)
	$(call pc_file,$@)

# Tested against a fake engine in memory, without the core.
TEST_DIRS += user/lib/tests
user/lib/tests_WITH := $(LIB_DIRS)
user/lib/tests_LIBS := $(LIB_LIBS)
