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

# MPI programs, which selftests/mpi.sh starts. Where there is no mpicc, they are left out.
MPI_SRC := $(wildcard selftests/mpi/mpi*.c)
MPI_SHARED := $(filter-out $(MPI_SRC),$(wildcard selftests/mpi/*.c))
MPI_SELFTESTS = $(eval MPI_SELFTESTS := $(if $(shell command -v $(MPICC) 2>/dev/null),\
	$(patsubst selftests/mpi/%.c,$(B)/selftests/%,$(MPI_SRC))))$(MPI_SELFTESTS)

$(patsubst selftests/mpi/%.c,$(B)/selftests/%,$(MPI_SRC)): $(B)/selftests/%: selftests/mpi/%.c $(MPI_SHARED) \
		$(wildcard selftests/mpi/*.h) selftests/build.mk mk/flags.mk
	$(call say,MPICC,$@)
	@mkdir -p $(@D)
	$(Q)$(MPICC) -O2 -g -std=gnu11 -D_GNU_SOURCE $(WARN) -Wno-stringop-overflow -pthread -o $@ $(filter %.c,$^)

# The harness kills a test after 30 s of wall time, which a busy host with an
# emulated guest may well need for 3 s of work.  A test that hangs is ended for its silence
# (scripts/vm-selftest.sh) before the 600 s are over, but in make soak and make check-debug.
$(B)/selftests/include/kselftest_harness.h: selftests/build.mk | $(B)/linux-source
	@mkdir -p $(@D)
	@sed 's/\(define TEST_TIMEOUT_DEFAULT\) .*/\1 600/' \
		$(B)/linux-source/tools/testing/selftests/kselftest_harness.h >$@
