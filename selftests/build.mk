# SPDX-License-Identifier: GPL-2.0
#
# Programs that run against the loaded module.

SELFTEST_SRC := $(call sources,selftests)
SELFTESTS := $(patsubst selftests/%.c,$(B)/selftests/%,$(SELFTEST_SRC))
SELFTEST_OBJ := $(call objects,user,$(SELFTEST_SRC))

$(SELFTESTS): $(B)/selftests/%: $(B)/user/selftests/%.o $(call archives,user,user/netlink user/tofu) \
		$(B)/libtorusinside.a $(B)/libtofucom.a
	$(call link,,$(NL_LIBS) $(LIB_LIBS) -lm)

# The kernel's own test headers are not written for our warnings.
$(SELFTEST_OBJ): EXTRA_FLAGS := -isystem $(B)/selftests/include \
	-isystem $(B)/linux-source/tools/testing/selftests
$(SELFTEST_OBJ): | $(B)/selftests/include/kselftest_harness.h

# The harness kills a test after 30 s of wall time, which a busy host with an
# emulated guest may well need for 3 s of work.  A test that hangs is ended for its silence
# (scripts/vm-selftest.sh) before the 600 s are over, but in make soak and make check-debug.
$(B)/selftests/include/kselftest_harness.h: selftests/build.mk | $(B)/linux-source
	@mkdir -p $(@D)
	@sed 's/\(define TEST_TIMEOUT_DEFAULT\) .*/\1 600/' \
		$(B)/linux-source/tools/testing/selftests/kselftest_harness.h >$@
