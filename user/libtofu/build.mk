# SPDX-License-Identifier: GPL-2.0
#
# libtofucom, uTofu's library. FIFO groups are taken by libtorus, which is in it.

TOFUCOM := $(B)/libtofucom.a
TOFUCOM_MAP := $(B)/libtofucom.map
TOFUCOM_OBJ := $(call objects,user,$(call sources,user/libtofu)) $(LIB_OBJ)

USER_PRODUCTS += $(TOFUCOM) $(B)/libtofucom.so $(B)/tofucom.pc

# Programs declare utofu_get_last_error() themselves.
$(B)/libtofucom.names: include/utofu.h include/utofu_profile.h user/libtofu/build.mk mk/rules.mk
	$(call names,p?utofu_,$(filter %.h,$^),utofu_get_last_error)

$(TOFUCOM_MAP): $(B)/libtofucom.names
	$(call version_script,LIBTOFUCOM_0)

$(B)/libtofucom.o: $(TOFUCOM_OBJ) $(B)/libtofucom.names $(B)/sources
	$(call say,LD,$@)
	$(Q)$(LD) -r -o $@ $(filter %.o,$^)
	$(Q)$(OBJCOPY) --keep-global-symbols=$(B)/libtofucom.names $@

$(TOFUCOM): $(B)/libtofucom.o
	$(archive)

$(B)/libtofucom.so: $(TOFUCOM_OBJ) $(TOFUCOM_MAP) $(B)/sources
	$(call link,-shared -Wl$(comma)-soname$(comma)libtofucom.so.0 \
		-Wl$(comma)--version-script=$(TOFUCOM_MAP) -Wl$(comma)--no-undefined,$(LIB_LIBS))
	@ln -sf $(@F) $@.0

$(B)/tofucom.pc: user/libtofu/tofucom.pc.in mk/install.mk
	$(call say,GEN,$@)
	$(call pc_file,$@,$<)

# Tested without the kernel: fake.c stands for the device.
TEST_DIRS += user/libtofu/tests
user/libtofu/tests_WITH = user/libtofu user/common user/machine $(ENGINE)
