# SPDX-License-Identifier: GPL-2.0
#
# What people type. The objects of the module itself are listed in Kbuild.
#
# Everything of user space is built below build/, so that it never meets the
# objects that Kbuild leaves beside the sources.

B := build

# HOST=1 means the kernel that runs here; otherwise the one which the VM boots. KERNEL=6.12 (or
# another series) selects that: its objects, and its torus.ko, lie below build/kernel-RELEASE.
ifeq ($(HOST),1)
KDIR ?= /lib/modules/$(shell uname -r)/build
else
KDIR ?= /usr/src/linux-headers-$(shell KERNEL=$(KERNEL) scripts/kernel-version.sh)
endif

OBJCOPY ?= objcopy
MPICC ?= mpicc

# WERROR=0 lets a newer compiler than ours warn.
WERROR ?= 1
# V=1 shows the commands.
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(Q),@printf '  %-7s %s\n' $(1) $(2))

WARN := -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror) -Wno-unused-parameter
INCLUDE := -Ikmod -Iinclude -Iinclude/uapi
BASE_FLAGS := -g -std=gnu11 $(WARN) $(INCLUDE) -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -MMD -MP
# A 32-bit x86 without SSE2 rounds a double twice, so sums would differ between processors.
BASE_FLAGS += $(if $(shell $(CC) -dM -E -x c /dev/null 2>/dev/null | grep -w __i386__),\
	-msse2 -mfpmath=sse)
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=undefined \
	-fno-omit-frame-pointer
MODULE_FLAGS := W=1 $(if $(filter 1,$(WERROR)),KCFLAGS=-Werror)

# Evaluated only where used: `make help` and `make check` must work before
# anything is installed.
JSON_CFLAGS = $(shell pkg-config --cflags json-c 2>/dev/null)
JSON_LIBS = $(shell pkg-config --libs json-c 2>/dev/null)
NL_CFLAGS = $(shell pkg-config --cflags libnl-genl-3.0 2>/dev/null)
NL_LIBS = $(shell pkg-config --libs libnl-genl-3.0 2>/dev/null)
# What libtorus itself is linked with.
LIB_LIBS := -lz
LIB_ORDER := user/lib/order.lds

# What a distribution adds to the flags of programs and library.
PACKAGE_CFLAGS ?=
PACKAGE_LDFLAGS ?=

# Where things are installed, below DESTDIR.  MULTIARCH=1 means Debian's place for
# libraries, lib/x86_64-linux-gnu.
PREFIX ?= /usr/local
DESTDIR ?=
MULTIARCH ?= 0
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib$(if $(filter 1,$(MULTIARCH)),/$(shell $(CC) -print-multiarch))
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
# Examples: what can be run at once, and their sources.
LIBEXECDIR ?= $(PREFIX)/libexec
EXAMPLEDIR ?= $(DATADIR)/doc/libtorus-dev/examples
# Where Python looks for what did not come with it; Debian's own place has no version.
PYTHON ?= /usr/bin/python3
PYTHONDIR ?= $(if $(filter /usr,$(PREFIX)),/usr/lib/python3/dist-packages,$(shell \
	$(PYTHON) -c 'import sys, sysconfig; print("$(PREFIX)/lib/python%d.%d/%s-packages" % ( \
	sys.version_info[:2] + ("dist" if "deb_system" in sysconfig.get_scheme_names() else \
	"site",)))' 2>/dev/null || echo $(PREFIX)/lib/python3/site-packages))
# Where udev/rules.d and systemd/system are.
SYSTEMDIR ?= $(PREFIX)/lib
# Who may open /dev/torus: the members of a group, which packages make, or everybody.
GROUP ?=

# --- sources: new files are found by themselves ------------------------------

TEST_DIRS := kmod/core/tests kmod/arch/tests
# (env_kernel.c is the kernel's side alone)
CORE_SRC := $(filter-out $(TEST_DIRS:=/%) %/env_kernel.c,$(sort $(wildcard \
	kmod/core/*.c kmod/core/*/*.c kmod/arch/*.c kmod/arch/*/*.c)))
# Core is tested with a machine of the tests' own, machines with those of the list.
CORE_TEST_SRC := $(sort $(wildcard kmod/core/tests/test_*.c))
ARCH_TEST_SRC := $(sort $(wildcard kmod/arch/tests/test_*.c))
TEST_SRC := $(CORE_TEST_SRC) $(ARCH_TEST_SRC)
CORE_TEST_HELP_SRC := $(filter-out $(CORE_TEST_SRC),$(sort $(wildcard \
	kmod/core/tests/*.c kmod/core/tests/toy/*.c)))
ARCH_TEST_HELP_SRC := kmod/core/tests/rig.c \
	$(filter-out $(ARCH_TEST_SRC),$(sort $(wildcard kmod/arch/tests/*.c)))
TEST_HELP_SRC := $(sort $(CORE_TEST_HELP_SRC) $(ARCH_TEST_HELP_SRC))
# What libraries and programs share.
COMMON_SRC := $(sort $(wildcard user/common/*.c))
LIB_SRC := $(sort $(COMMON_SRC) $(wildcard user/lib/*.c user/machine/public/*.c))
# The library is tested against a fake engine in memory, without the core.
LIB_TEST_SRC := $(sort $(wildcard user/lib/tests/test_*.c))
LIB_TEST_HELP_SRC := $(filter-out $(LIB_TEST_SRC),$(sort $(wildcard user/lib/tests/*.c)))
NETLINK_SRC := $(sort $(wildcard user/netlink/*.c))
REPORT_SRC := $(sort $(wildcard user/report/*.c))
# Captures as files, read as they were written.
CAPTURE_SRC := $(sort $(wildcard user/capture/*.c))
CAPTURE_TEST_SRC := $(sort $(wildcard user/capture/tests/test_*.c))
ROUTE_SRC := $(sort $(wildcard user/route/*.c))
# Policy is tested by itself, and against the core: what it says gets through must.
ROUTE_TEST_SRC := $(sort $(wildcard user/route/tests/test_*.c))
ROUTE_TEST_HELP_SRC := $(filter-out $(ROUTE_TEST_SRC),$(sort $(wildcard user/route/tests/*.c)))
# Routing tables: what they say, and the files that hold them.  Programs take both, the
# library does not.
TABLE_SRC := $(sort $(wildcard user/route/xt/*.c user/route/proof/*.c user/route/tofu/*.c \
	user/route/kncube/*.c))
# Of the core what they are made of: Tofu's geometry, the route functions.
TABLE_CORE_SRC := kmod/core/base/geometry.c kmod/core/base/number.c \
	kmod/arch/tofu/geometry.c kmod/arch/tofu/route.c kmod/arch/tofu/walk.c \
	kmod/arch/kncube/way.c
TABLE_FILE_SRC := $(sort $(wildcard user/route/file/*.c user/route/target/*.c))
# Chains of barrier gates, held against the core's gates.
TOFU_SRC := $(sort $(wildcard user/tofu/*.c))
TOFU_TEST_SRC := $(sort $(wildcard user/tofu/tests/test_*.c))
# uTofu: a library of its own, tested without the kernel.
TOFUCOM_SRC := $(sort $(wildcard user/libtofu/*.c))
TOFUCOM_TEST_SRC := $(sort $(wildcard user/libtofu/tests/test_*.c))
TOFUCOM_TEST_HELP_SRC := $(filter-out $(TOFUCOM_TEST_SRC),$(sort $(wildcard user/libtofu/tests/*.c)))
# Streams of jobs, by what can be worked out by hand.
JOBS_TEST_SRC := $(sort $(wildcard user/jobs/tests/test_*.c))
JOBS_TEST_OWN := $(addprefix user/jobs/,grid.c kinds.c schedule.c stream.c swf.c) \
	user/route/tofu/ring.c user/route/tofu/shape.c user/route/tofu/view.c
# What a figure's rows amount to.
PAPER_TEST_SRC := $(sort $(wildcard user/paper/tests/test_*.c))
PAPER_TEST_OWN := user/paper/figure.c
CAPTURE_TEST_OWN = $(CAPTURE_SRC) $(WORDS_SRC) $(MACHINE_SRC)
# What user space knows of each machine, and the words that its programs understand.
MACHINE_SRC := $(sort $(wildcard user/machine/*.c))
WORDS_SRC := $(sort $(COMMON_SRC) $(wildcard user/words/*.c))
# What torusd does about tables is tested on the core, in the module's place; each of its tests
# stands for what it does not take.
TORUSD_TEST_SRC := $(sort $(wildcard user/torusd/tests/test_*.c))
TORUSD_OWN_test_torusd_tables := user/torusd/tables.c user/torusd/inject.c \
	user/route/target/live.c user/route/target/target.c
TORUSD_OWN_test_torusd_watch := user/torusd/watch.c
torusd_own = $(TORUSD_OWN_$(notdir $(basename $(1))))
TORUSD_TEST_OWN := $(foreach src,$(TORUSD_TEST_SRC),$(call torusd_own,$(src)))
# Held against the core, which says the same in its own way; what is printed, too.
KNOW_TEST_SRC := $(sort $(wildcard user/common/tests/test_*.c user/machine/tests/test_*.c user/words/tests/test_*.c \
	user/report/tests/test_*.c))
# torusctl is tested with the module's side made up.
CTL_TEST_SRC := $(sort $(wildcard user/torusctl/tests/test_*.c))
CTL_OWN_test_ctl_crop := user/torusctl/crop.c
CTL_OWN_test_ctl_target := $(addprefix user/torusctl/,place.c target.c)
ctl_own = $(CTL_OWN_$(notdir $(basename $(1))))
CTL_TEST_OWN := $(foreach src,$(CTL_TEST_SRC),$(call ctl_own,$(src)))
# torus-run's processes are tested without a fabric.
RUN_TEST_SRC := $(sort $(wildcard user/run/tests/test_*.c))
RUN_TEST_OWN := $(COMMON_SRC) $(addprefix user/run/,keep.c missing.c orphans.c output.c rank.c stream.c \
	team.c tell.c)
# torus-sim: runs and sweeps, logs of applications, figures of the papers, streams of jobs,
# barriers, records of programs.
# Its ranks over MPI are a module, for it knows none itself.
SIM_MPI_SRC := user/sim/transport/mpi.c
SIM_MPI_PARTS := $(addprefix user/sim/transport/,silence.c silence.h wire.h)
SIM_SRC := $(sort $(filter-out $(SIM_MPI_SRC),$(wildcard user/sim/*.c user/sim/transport/*.c user/replay/*.c user/paper/*.c user/jobs/*.c \
	user/barrier/*.c user/rerun/*.c)))
# Its configurations are tested by themselves, its ranks with the core.
SIM_TEST_SRC := $(sort $(wildcard user/sim/tests/test_*.c))
SIM_OWN_test_sim_config := $(addprefix user/sim/,config.c configfile.c typed.c) $(MACHINE_SRC) \
	$(WORDS_SRC)
SIM_OWN_test_sim_cgroup := user/sim/cgroup.c
SIM_OWN_test_sim_ranks := $(COMMON_SRC) $(addprefix user/sim/transport/,fork.c ranks.c silence.c) \
	user/sim/tests/lead.c
SIM_OWN_test_sim_dealt := $(SIM_OWN_test_sim_ranks) user/sim/parcel.c user/paper/dealt.c
SIM_OWN_test_sim_links := $(SIM_OWN_test_sim_ranks) $(addprefix user/sim/,links.c out.c)
SIM_OWN_test_sim_replay := $(SIM_OWN_test_sim_ranks) user/sim/interrupt.c user/sim/piece.c user/sim/progress.c \
	$(addprefix user/replay/,expr.c lex.c log.c match.c program.c rank.c run.c stuck.c table.c \
	team.c together.c) $(WORDS_SRC) $(MACHINE_SRC)
SIM_OWN_test_sim_threads := user/sim/threads.c
sim_own = $(sort $(SIM_OWN_$(notdir $(basename $(1)))))
SIM_TEST_OWN := $(sort $(foreach src,$(SIM_TEST_SRC),$(call sim_own,$(src))))
# Targets of a fuzzer, each with what it reads; make check runs them over the inputs that are kept.
FUZZ_SRC := $(sort $(wildcard user/fuzz/fuzz_*.c))
FUZZ_MAIN := user/fuzz/replay.c
FUZZ_OWN_fuzz_log := $(JOBS_TEST_OWN) $(WORDS_SRC) $(MACHINE_SRC) \
	$(addprefix user/replay/,expr.c lex.c log.c program.c table.c)
FUZZ_OWN_fuzz_netlink := $(NETLINK_SRC) $(COMMON_SRC)
FUZZ_OWN_fuzz_packets := $(MACHINE_SRC) $(addprefix user/fuzz/,calls.c clients.c tables.c)
FUZZ_OWN_fuzz_routes := $(TABLE_SRC) $(filter-out %/live.c,$(TABLE_FILE_SRC)) $(ROUTE_SRC) \
	$(WORDS_SRC) $(MACHINE_SRC)
# The scenes of kept states are the unit tests'.
FUZZ_OWN_fuzz_state := $(ARCH_TEST_HELP_SRC)
FUZZ_OWN_fuzz_words := $(WORDS_SRC) $(MACHINE_SRC)
fuzz_own = $(FUZZ_OWN_$(notdir $(basename $(1))))
CTL_SRC := $(sort $(wildcard user/torusctl/*.c))
TORUSD_SRC := $(sort $(wildcard user/torusd/*.c))
# Questions to /dev/torus, and who asks them.
QUERY_SRC := $(sort $(wildcard user/query/*.c))
RUN_SRC := $(sort $(wildcard user/run/*.c))
INFO_SRC := $(sort $(wildcard user/info/*.c))
PINGPONG_SRC := $(sort $(COMMON_SRC) $(wildcard user/perf/*.c))
PERF_SRC := $(sort $(COMMON_SRC) $(wildcard user/perf/beside/*.c))
DEMO_SRC := $(sort $(COMMON_SRC) $(wildcard user/demo/*.c))
EXAMPLE_SRC := $(sort $(wildcard user/examples/*.c))
SELFTEST_SRC := $(sort $(wildcard selftests/*.c))
USER_SRC := $(MACHINE_SRC) $(WORDS_SRC) $(LIB_SRC) $(NETLINK_SRC) $(REPORT_SRC) $(CAPTURE_SRC) $(ROUTE_SRC) \
	$(TABLE_SRC) $(TABLE_FILE_SRC) $(TOFU_SRC) $(TOFUCOM_SRC) $(SIM_SRC) $(CTL_SRC) $(TORUSD_SRC) $(QUERY_SRC) $(RUN_SRC) $(INFO_SRC) \
	$(PINGPONG_SRC) $(PERF_SRC) $(DEMO_SRC) $(SELFTEST_SRC) user/man/parameters.c

objs = $(patsubst %.c,$(B)/$(1)/%.o,$(2))

TEST_NAMES := $(notdir $(TEST_SRC:.c=) $(LIB_TEST_SRC:.c=) $(ROUTE_TEST_SRC:.c=) \
	$(KNOW_TEST_SRC:.c=) $(TOFU_TEST_SRC:.c=) $(TOFUCOM_TEST_SRC:.c=) $(JOBS_TEST_SRC:.c=) $(TORUSD_TEST_SRC:.c=) \
	$(PAPER_TEST_SRC:.c=) $(SIM_TEST_SRC:.c=) $(CAPTURE_TEST_SRC:.c=) \
	$(RUN_TEST_SRC:.c=) $(CTL_TEST_SRC:.c=))
ifneq ($(words $(TEST_NAMES)),$(words $(sort $(TEST_NAMES))))
$(error two test programs have one name: $(TEST_NAMES))
endif

# --- products ----------------------------------------------------------------

CORE_LIB := $(if $(CORE_SRC),$(B)/libtoruscore.a)
LIB := $(if $(LIB_SRC),$(B)/libtorus.a)
LIB_SO := $(if $(LIB_SRC),$(B)/libtorus.so)
LIB_MAP := user/lib/libtorus.map
LIB_VERSION := 0.1
LIB_PC := $(if $(LIB_SRC),$(B)/libtorus.pc)
TOFUCOM := $(B)/libtofucom.a
TOFUCOM_SO := $(B)/libtofucom.so
TOFUCOM_MAP := user/libtofu/libtofucom.map
TOFUCOM_PC := $(B)/tofucom.pc
# The parts of the library under their internal names, for what is built in this
# tree: the policy for torusctl, all of it for the selftests.
ROUTE_LIB := $(if $(ROUTE_SRC),$(B)/libtorusroute.a)
TABLE_LIB := $(if $(TABLE_SRC),$(B)/libtorustable.a)
LIB_INSIDE := $(if $(LIB_SRC),$(B)/libtorusinside.a)
# Sources that several programs share; archives, so that each takes what it uses.  What a
# number means is the core's, which torusctl does not have otherwise, and how a state's file is
# made of sections.
SHARED_CORE_SRC := kmod/core/base/parse.c kmod/core/base/crc.c kmod/core/state/carrier.c
SHARED_LIB := $(if $(REPORT_SRC),$(B)/libtorusshared.a)
NETLINK_LIB := $(if $(NETLINK_SRC),$(B)/libtorusnl.a)
SIM := $(if $(SIM_SRC),$(B)/torus-sim)
CTL := $(if $(CTL_SRC),$(B)/torusctl)
TORUSD := $(if $(TORUSD_SRC),$(B)/torusd)
RUN := $(if $(RUN_SRC),$(B)/torus-run)
INFO := $(if $(INFO_SRC),$(B)/torus-info)
PINGPONG := $(if $(PINGPONG_SRC),$(B)/torus-pingpong)
PERF := $(if $(PERF_SRC),$(B)/torus-perf)
DEMOS := $(if $(DEMO_SRC),$(B)/demo/torus-demo)
EXAMPLES := $(patsubst user/examples/%.c,$(B)/examples/%,$(EXAMPLE_SRC))
# The manual pages, and the programs that are their examples.
MAN_SRC := $(sort $(wildcard user/man/*.[1-8]))
MAN := $(if $(MAN_SRC),$(B)/man/made)
MAN_EXAMPLE_SRC := $(sort $(wildcard user/man/examples/*.c))
MAN_EXAMPLES := $(patsubst user/man/examples/%.c,$(B)/man/examples/%,$(MAN_EXAMPLE_SRC))
SELFTESTS := $(patsubst selftests/%.c,$(B)/selftests/%,$(SELFTEST_SRC))
TESTS := $(addprefix $(B)/asan/tests/,$(TEST_NAMES))
# Core without machines, and its tests' helpers with the only machine they know.
CORE_ALONE_SRC := $(filter-out kmod/arch/%,$(CORE_SRC))
CORE_TEST_LIBS := $(call objs,asan,$(CORE_TEST_HELP_SRC)) $(B)/asan/libtoruscorealone.a
TEST_LIBS := $(B)/asan/libarchtest.a $(B)/asan/libtoruscore.a
# Where there is an MPI: torus-sim loads it when several are started together.
SIM_MPI = $(if $(shell command -v $(MPICC) 2>/dev/null),$(B)/torus-sim-mpi.so)
TOOLS := $(SIM) $(CTL) $(TORUSD) $(RUN) $(INFO) $(PINGPONG) $(PERF)

.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules --no-print-directory

.PHONY: all
all: user tests selftests module ## build everything (default)

.PHONY: help
help: ## print this
	@echo 'make [TARGET] [HOST=1] [KERNEL=6.1|6.12] [KDIR=...] [V=1] [WERROR=0]'
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile | \
		column -t -s '|' 2>/dev/null || \
		sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1: \2/p' Makefile
	@echo
	@echo 'HOST=1 uses the running kernel instead of the VM'"'"'s.'

.PHONY: deps
deps: ## install the packages that are needed (root), or say which
	@scripts/deps.sh

.PHONY: user
user: $(B)/packages $(CORE_LIB) $(LIB) $(LIB_SO) $(LIB_PC) $(TOFUCOM) $(TOFUCOM_SO) $(TOFUCOM_PC) $(NETLINK_LIB) $(SHARED_LIB) $(TOOLS) $(SIM_MPI) $(DEMOS) $(EXAMPLES) $(MAN) $(MAN_EXAMPLES) ## the library, the tools, the demo, the examples

.PHONY: tests
tests: $(B)/packages $(TESTS) ## the core's unit tests, under ASan and UBSan

# For the scripts, which must not run a program whose source is gone.
.PHONY: print-tests
print-tests:
	@printf '%s\n' $(TESTS)

# What compiles with any C library
.PHONY: print-portable
print-portable:
	@printf '%s\n' $(sort $(LIB_SRC) $(ROUTE_SRC) $(MACHINE_SRC) $(TOFUCOM_SRC) $(CORE_SRC))

.PHONY: print-tools
print-tools:
	@printf '%s\n' $(notdir $(TOOLS))

.PHONY: selftests
selftests: $(SELFTESTS) ## the programs that run against the loaded module

# --- compiling ---------------------------------------------------------------

# An archive or a program must also be made anew when a source has vanished.
ifeq ($(filter help clean deps,$(MAKECMDGOALS)),)
# By a name of its own, for two calls of make may be at it at once.
$(shell mkdir -p $(B); new=$(B)/sources.$$$$; printf '%s\n' $(CORE_SRC) $(TEST_SRC) $(TEST_HELP_SRC) \
	$(LIB_TEST_SRC) $(LIB_TEST_HELP_SRC) $(ROUTE_TEST_SRC) $(KNOW_TEST_SRC) $(TOFU_TEST_SRC) \
	$(JOBS_TEST_SRC) $(PAPER_TEST_SRC) $(SIM_TEST_SRC) $(TORUSD_TEST_SRC) $(TOFUCOM_TEST_SRC) \
	$(CAPTURE_TEST_SRC) $(RUN_TEST_SRC) $(CTL_TEST_SRC) \
	$(TOFUCOM_TEST_HELP_SRC) $(ROUTE_TEST_HELP_SRC) $(USER_SRC) >$$new && { cmp -s $$new $(B)/sources || \
	mv -f $$new $(B)/sources; }; rm -f $$new)
endif

# Libraries, by pkg-config's names. What is missing is told once and in words, not by a missing
# header of each source.
NEEDED := json-c libnl-genl-3.0 zlib
$(B)/packages: Makefile
	@for name in $(NEEDED); do pkg-config --exists $$name 2>/dev/null || { \
		echo "make: pkg-config does not find $$name: \`make deps' installs what is" \
			"needed (as root), or says what that is" >&2; exit 1; }; done
	@mkdir -p $(@D)
	@touch $@

$(B)/core/%.o: %.c Makefile
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 $(BASE_FLAGS) $(PACKAGE_CFLAGS) -c -o $@ $<

# As the kernel compiles it: no vector registers, thunks. For make bench. Where the
# processor needs no thunk the kernel patches each jump to the return thunk into a return;
# thunk.c has a return there, so that the core pays for the jump at most.
KERNEL_LIKE := -mgeneral-regs-only -mindirect-branch=thunk -mfunction-return=thunk-extern \
	-fno-jump-tables -fno-strict-aliasing -fno-common -fno-delete-null-pointer-checks

$(B)/kernel-like/%.o: %.c Makefile
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 $(KERNEL_LIKE) $(BASE_FLAGS) -c -o $@ $<

$(B)/asan/%.o: %.c Makefile | $(B)/packages
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -O1 $(SANITIZE) $(BASE_FLAGS) -c -o $@ $<

# Position independent throughout: the library's objects serve both forms.
$(B)/user/%.o: %.c Makefile | $(B)/packages
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 -fPIC -pthread $(BASE_FLAGS) $(EXTRA_FLAGS) $(PACKAGE_CFLAGS) -c -o $@ $<

# The library is compiled as a whole, where the compiler can leave an ordinary object behind:
# a packet's way leads through a dozen files of small functions.  Functions of three times the
# usual size are put into their callers.
WHOLE = $(eval WHOLE := $(shell echo 'int x;' | $(CC) -flto -r -flinker-output=nolto-rel -x c \
	-o /dev/null - 2>/dev/null && echo -flto --param max-inline-insns-auto=45))$(WHOLE)
WHOLE_FLAGS = -O2 -fPIC -pthread -fno-semantic-interposition -ffunction-sections -fno-plt

$(B)/whole/%.o: %.c Makefile | $(B)/packages
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) $(WHOLE_FLAGS) $(WHOLE) $(BASE_FLAGS) $(PACKAGE_CFLAGS) -c -o $@ $<

$(B)/mutate/base/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(Q)$(CC) -O1 $(BASE_FLAGS) -c -o $@ $<

$(call objs,user,$(USER_SRC)): EXTRA_FLAGS = $(NL_CFLAGS) $(JSON_CFLAGS)
$(call objs,user,user/sim/transport/launch.c): EXTRA_FLAGS += -DMODULE_DIR='"$(LIBDIR)/torus"'
$(call objs,asan,$(REPORT_SRC) $(KNOW_TEST_SRC)): BASE_FLAGS += $(JSON_CFLAGS)
$(call objs,asan,$(TORUSD_TEST_SRC) $(TORUSD_TEST_OWN) $(SIM_TEST_SRC) $(SIM_TEST_OWN) $(RUN_TEST_SRC) \
	$(RUN_TEST_OWN) $(CTL_TEST_SRC) $(CTL_TEST_OWN)) $(call objs,mutate/base,$(TORUSD_TEST_SRC) $(TORUSD_TEST_OWN) $(SIM_TEST_SRC) \
	$(SIM_TEST_OWN) $(RUN_TEST_SRC) $(RUN_TEST_OWN) $(CTL_TEST_SRC) $(CTL_TEST_OWN)): \
	BASE_FLAGS += $(NL_CFLAGS) $(JSON_CFLAGS)
$(call objs,asan,$(FUZZ_SRC) $(foreach src,$(FUZZ_SRC),$(call fuzz_own,$(src)))): \
	BASE_FLAGS += $(NL_CFLAGS) $(JSON_CFLAGS)
# The kernel's own test headers are not written for our warnings.
$(call objs,user,$(SELFTEST_SRC)): EXTRA_FLAGS += \
	-isystem $(B)/selftests/include \
	-isystem $(B)/linux-source/tools/testing/selftests
$(call objs,user,$(SELFTEST_SRC)): | $(B)/selftests/include/kselftest_harness.h

define archive
	$(call say,AR,$@)
	@mkdir -p $(@D) && rm -f $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)
endef

define link
	$(call say,LD,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread $(PACKAGE_LDFLAGS) $(1) -Wl,--as-needed -o $@ $(filter %.o,$^) \
		-Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(2)
endef

$(B)/libtoruscore.a: $(call objs,core,$(CORE_SRC)) $(B)/sources
	$(archive)

$(B)/asan/libtoruscore.a: $(call objs,asan,$(CORE_SRC)) $(B)/sources
	$(archive)

$(B)/asan/libtoruscorealone.a: $(call objs,asan,$(CORE_ALONE_SRC)) $(B)/sources
	$(archive)

$(B)/asan/libarchtest.a: $(call objs,asan,$(ARCH_TEST_HELP_SRC)) $(B)/sources
	$(archive)

# Hints around faults are the library's, too, and what it must know of machines.
LIB_OBJ := $(call objs,user,$(LIB_SRC) $(ROUTE_SRC) $(MACHINE_SRC))
LIB_WHOLE := $(call objs,whole,$(LIB_SRC) $(ROUTE_SRC) $(MACHINE_SRC))

# The static library is one object, in which only the names that the shared one
# exports are global: a program may call its own functions what it likes.
$(B)/libtorus.names: $(LIB_MAP) Makefile
	@sed -n 's/^\t\(torus_[a-z0-9_]*\);$$/\1/p' $< >$@

$(B)/whole/libtorus.o: $(LIB_WHOLE) $(LIB_ORDER) $(B)/sources
	$(call say,LD,$@)
	$(Q)$(if $(WHOLE),$(CC) $(WHOLE_FLAGS) $(PACKAGE_CFLAGS) $(WHOLE) -flto-partition=one \
		-flinker-output=nolto-rel,$(LD)) -r -T $(LIB_ORDER) -o $@ $(filter %.o,$^)

$(B)/libtorus.o: $(B)/whole/libtorus.o $(B)/libtorus.names
	$(Q)$(OBJCOPY) --keep-global-symbols=$(B)/libtorus.names $< $@

$(B)/libtorus.a: $(B)/libtorus.o
	$(archive)

$(B)/libtorusroute.a: $(call objs,user,$(ROUTE_SRC)) $(B)/sources
	$(archive)

$(B)/libtorustable.a: $(call objs,user,$(TABLE_SRC) $(TABLE_CORE_SRC) $(TABLE_FILE_SRC)) $(B)/sources
	$(archive)

$(B)/libtofuchain.a: $(call objs,user,$(TOFU_SRC)) $(B)/sources
	$(archive)

$(B)/libtorusinside.a: $(LIB_OBJ) $(B)/sources
	$(archive)

# Written for the places that this make was told; install-user makes it again.
pc_place = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))
# By install and not by a redirection, which would take its mode from the umask.
pc_file = @sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(call pc_place,$(LIBDIR))|; \
	s|@INCLUDEDIR@|$(call pc_place,$(INCLUDEDIR))|; s|@VERSION@|$(LIB_VERSION)|' \
	$(if $(2),$(2),user/lib/libtorus.pc.in) | install -m 644 /dev/stdin $(1)

# libtofucom, made as libtorus is.
# FIFO groups are taken by libtorus, whose parts are in it.
TOFUCOM_OBJ = $(call objs,user,$(TOFUCOM_SRC)) $(LIB_OBJ)

$(B)/libtofucom.names: $(TOFUCOM_MAP) Makefile
	@sed -n 's/^\t\(p*utofu_[a-z0-9_]*\);$$/\1/p' $< >$@

$(B)/libtofucom.o: $(TOFUCOM_OBJ) $(B)/libtofucom.names $(B)/sources
	$(call say,LD,$@)
	$(Q)$(LD) -r -o $@ $(filter %.o,$^)
	$(Q)$(OBJCOPY) --keep-global-symbols=$(B)/libtofucom.names $@

$(B)/libtofucom.a: $(B)/libtofucom.o
	$(archive)

$(B)/libtofucom.so: $(TOFUCOM_OBJ) $(TOFUCOM_MAP) $(B)/sources
	$(call link,-shared -Wl$(comma)-soname$(comma)libtofucom.so.0 \
		-Wl$(comma)--version-script=$(TOFUCOM_MAP) -Wl$(comma)--no-undefined,$(LIB_LIBS))
	@ln -sf $(@F) $@.0

$(B)/tofucom.pc: user/libtofu/tofucom.pc.in Makefile
	$(call say,GEN,$@)
	$(call pc_file,$@,$<)

$(B)/libtorus.pc: user/lib/libtorus.pc.in Makefile
	$(call say,GEN,$@)
	$(call pc_file,$@)

$(B)/libtorusnl.a: $(call objs,user,$(NETLINK_SRC)) $(B)/sources
	$(archive)

$(B)/libtorusshared.a: $(call objs,user,$(MACHINE_SRC) $(WORDS_SRC) $(SHARED_CORE_SRC) $(REPORT_SRC) \
		$(CAPTURE_SRC)) $(B)/sources
	$(archive)

$(B)/libtorus.so: $(B)/whole/libtorus.o $(LIB_MAP) $(B)/sources
	$(call link,-shared -Wl$(comma)-soname$(comma)libtorus.so.0 \
		-Wl$(comma)--version-script=$(LIB_MAP) -Wl$(comma)--no-undefined,$(LIB_LIBS))
	@ln -sf $(@F) $@.0

comma := ,

$(B)/torus-sim: $(call objs,user,$(SIM_SRC) $(TOFU_SRC)) $(SHARED_LIB) $(CORE_LIB) $(TABLE_LIB) $(B)/sources
	$(call link,,$(JSON_LIBS) -lm)

# Open MPI's mpicc or MPICH's: whatever there is. The latter's MPI_STATUSES_IGNORE is an address at
# which gcc sees no room.
$(B)/torus-sim-mpi.so: $(SIM_MPI_SRC) $(SIM_MPI_PARTS) Makefile
	$(call say,MPICC,$@)
	@mkdir -p $(@D)
	$(Q)$(MPICC) -O2 -fPIC -shared -g -std=gnu11 $(WARN) -Wno-stringop-overflow $(PACKAGE_CFLAGS) $(PACKAGE_LDFLAGS) \
		-o $@ $(filter %.c,$^)

$(B)/kernel-like/libtoruscore.a: $(call objs,kernel-like,$(CORE_SRC)) $(B)/sources
	$(archive)

$(B)/kernel-like/torus-sim: $(call objs,user,$(SIM_SRC) $(TOFU_SRC) scripts/bench.d/thunk.c) $(SHARED_LIB) \
		$(B)/kernel-like/libtoruscore.a $(TABLE_LIB) $(B)/sources
	$(call link,,$(JSON_LIBS) -lm)

$(B)/torusctl: $(call objs,user,$(CTL_SRC) $(QUERY_SRC)) $(SHARED_LIB) $(NETLINK_LIB) $(ROUTE_LIB) $(TABLE_LIB) $(B)/sources
	$(call link,,$(NL_LIBS) $(JSON_LIBS) -lm)

# torusctl's calls, without its words.
$(B)/torusd: $(call objs,user,$(TORUSD_SRC) $(QUERY_SRC) $(filter-out %/main.c,$(CTL_SRC))) $(SHARED_LIB) $(NETLINK_LIB) \
		$(ROUTE_LIB) $(TABLE_LIB) $(B)/sources
	$(call link,,$(NL_LIBS) $(JSON_LIBS) -lm)

$(B)/torus-run: $(call objs,user,$(RUN_SRC) $(QUERY_SRC)) $(TABLE_LIB) $(SHARED_LIB) $(NETLINK_LIB) $(B)/sources
	$(call link,,$(NL_LIBS) -lm)

$(B)/torus-info: $(call objs,user,$(INFO_SRC) $(QUERY_SRC)) $(SHARED_LIB) $(B)/sources
	$(call link,,$(JSON_LIBS) -lm)

# Like any user's program: by the public names alone.
$(B)/torus-pingpong: $(call objs,user,$(PINGPONG_SRC) user/perf/beside/sizes.c) $(LIB) $(B)/sources
	$(call link,,$(LIB_LIBS) $(JSON_LIBS))

$(B)/torus-perf: $(call objs,user,$(PERF_SRC)) $(LIB) $(B)/sources
	$(call link,,$(LIB_LIBS) $(JSON_LIBS))

$(DEMOS): $(call objs,user,$(DEMO_SRC)) $(LIB) $(B)/sources
	$(call link,,$(LIB_LIBS))

# As a newcomer builds them: the public headers, strict C99, one command.
define newcomer
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 -g -std=c99 -pedantic $(filter-out -Wno-%,$(WARN)) $(PACKAGE_CFLAGS) \
		-Iinclude -Iinclude/uapi $(PACKAGE_LDFLAGS) -o $@ $< $(LIB) $(LIB_LIBS)
endef
PUBLIC_HEADERS := $(wildcard include/torus/*.h) include/uapi/linux/torus.h

$(EXAMPLES): $(B)/examples/%: user/examples/%.c $(LIB) $(PUBLIC_HEADERS)
	$(newcomer)

$(MAN_EXAMPLES): $(B)/man/examples/%: user/man/examples/%.c $(LIB) $(PUBLIC_HEADERS)
	$(newcomer)

# The pages are made of what headers, kernel-doc and tables say.
$(B)/man/parameters: $(call objs,user,user/man/parameters.c) $(CORE_LIB)
	$(call link,,-lm)

$(MAN): $(B)/man/parameters user/man/generate.py user/man/errors debian/changelog $(MAN_SRC) \
		$(MAN_EXAMPLE_SRC) kmod/dev/params.c $(wildcard include/torus/*.h user/lib/*.c \
		user/route/*.c user/machine/public/*.c)
	$(call say,MAN,$(@D))
	@rm -rf $(@D)/man[1-8]
	$(Q)python3 user/man/generate.py $(@D) $(B)/man/parameters $(MAN_SRC)
	@touch $@

$(SELFTESTS): $(B)/selftests/%: $(B)/user/selftests/%.o $(NETLINK_LIB) $(LIB_INSIDE) $(TOFUCOM) \
		$(B)/libtofuchain.a
	$(call link,,$(NL_LIBS) $(LIB_LIBS) -lm)

# What a test program is made of, besides its own source.
CORE_TEST_PARTS := $(CORE_ALONE_SRC) $(CORE_TEST_HELP_SRC) scripts/test-filter.c
ARCH_TEST_PARTS := $(CORE_SRC) $(ARCH_TEST_HELP_SRC) scripts/test-filter.c
LIB_TEST_PARTS := $(LIB_SRC) $(ROUTE_SRC) $(MACHINE_SRC) $(LIB_TEST_HELP_SRC) \
	scripts/test-filter.c
ROUTE_TEST_OWN := $(ROUTE_SRC) $(TABLE_SRC) user/route/target/image.c $(WORDS_SRC) $(MACHINE_SRC) \
	$(ROUTE_TEST_HELP_SRC)
ROUTE_TEST_PARTS := $(ROUTE_TEST_OWN) $(ARCH_TEST_PARTS)
KNOW_TEST_PARTS := $(MACHINE_SRC) $(WORDS_SRC) $(ARCH_TEST_PARTS)
TOFU_TEST_PARTS := $(TOFU_SRC) $(ARCH_TEST_PARTS)
TOFUCOM_TEST_OWN := $(COMMON_SRC) $(filter-out %/device.c %/port.c,$(TOFUCOM_SRC)) $(MACHINE_SRC) $(TOFUCOM_TEST_HELP_SRC)
TOFUCOM_TEST_PARTS := $(TOFUCOM_TEST_OWN) $(ARCH_TEST_PARTS)
JOBS_TEST_PARTS := $(JOBS_TEST_OWN) $(ARCH_TEST_PARTS)
PAPER_TEST_PARTS := $(PAPER_TEST_OWN) scripts/test-filter.c
CAPTURE_TEST_PARTS := $(CAPTURE_TEST_OWN) $(ARCH_TEST_PARTS)

# What make mutate links anew: the parts of all test programs.
MUTATE_OBJ := $(call objs,mutate/base,$(sort $(CORE_TEST_PARTS) $(ARCH_TEST_PARTS) \
	$(LIB_TEST_PARTS) $(ROUTE_TEST_PARTS) $(KNOW_TEST_PARTS) $(TEST_SRC) $(LIB_TEST_SRC) \
	$(TOFU_TEST_PARTS) $(TOFUCOM_TEST_PARTS) $(TOFUCOM_TEST_SRC) $(JOBS_TEST_PARTS) $(JOBS_TEST_SRC) $(ROUTE_TEST_SRC) $(KNOW_TEST_SRC) $(TOFU_TEST_SRC) \
	$(PAPER_TEST_PARTS) $(PAPER_TEST_SRC) $(CAPTURE_TEST_PARTS) $(CAPTURE_TEST_SRC) $(RUN_TEST_OWN) $(RUN_TEST_SRC) $(CTL_TEST_OWN) $(CTL_TEST_SRC) $(TORUSD_TEST_OWN) $(TORUSD_TEST_SRC) \
	$(SIM_TEST_OWN) $(SIM_TEST_SRC)))

define test_program
$(B)/asan/tests/$(notdir $(1:.c=)): $(call objs,asan,$(1) scripts/test-filter.c) $(2)
	$$(call link,$$(SANITIZE),-lcmocka $(if $(findstring tofu_bfp,$(1)),-lmpfr) -lm)
endef
$(foreach src,$(CORE_TEST_SRC),$(eval $(call test_program,$(src),$(CORE_TEST_LIBS))))
$(foreach src,$(ARCH_TEST_SRC),$(eval $(call test_program,$(src),$(TEST_LIBS))))

define lib_test_program
$(B)/asan/tests/$(notdir $(1:.c=)): \
		$(call objs,asan,$(1) $(LIB_TEST_PARTS)) $(B)/sources
	$$(call link,$$(SANITIZE),-lcmocka $(LIB_LIBS) -lm)
endef
$(foreach src,$(LIB_TEST_SRC),$(eval $(call lib_test_program,$(src))))

# own_test_program SOURCE,PARTS,LIBRARIES: what is tested beside the core, and what it needs of others
define own_test_program
$(B)/asan/tests/$(notdir $(1:.c=)): \
		$(call objs,asan,$(1) $(2) scripts/test-filter.c) \
		$(TEST_LIBS) \
		$(B)/sources
	$$(call link,$$(SANITIZE),$(3) -lcmocka -lm)
endef
$(foreach src,$(ROUTE_TEST_SRC),$(eval $(call own_test_program,$(src),$(ROUTE_TEST_OWN))))
$(foreach src,$(KNOW_TEST_SRC),$(eval $(call own_test_program,$(src),\
	$(MACHINE_SRC) $(WORDS_SRC) $(REPORT_SRC),$(JSON_LIBS))))
$(foreach src,$(TOFU_TEST_SRC),$(eval $(call own_test_program,$(src),$(TOFU_SRC))))
$(foreach src,$(TOFUCOM_TEST_SRC),$(eval $(call own_test_program,$(src),$(TOFUCOM_TEST_OWN))))
$(foreach src,$(JOBS_TEST_SRC),$(eval $(call own_test_program,$(src),$(JOBS_TEST_OWN) $(WORDS_SRC) $(MACHINE_SRC))))
$(foreach src,$(SIM_TEST_SRC),$(eval $(call own_test_program,$(src),$(call sim_own,$(src)),$(JSON_LIBS))))
$(foreach src,$(PAPER_TEST_SRC),$(eval $(call own_test_program,$(src),$(PAPER_TEST_OWN))))
$(foreach src,$(CAPTURE_TEST_SRC),$(eval $(call own_test_program,$(src),$(CAPTURE_TEST_OWN))))
$(foreach src,$(CTL_TEST_SRC),$(eval $(call own_test_program,$(src),\
	$(call ctl_own,$(src)) $(MACHINE_SRC) $(WORDS_SRC),$(JSON_LIBS))))
$(foreach src,$(RUN_TEST_SRC),$(eval $(call own_test_program,$(src),$(RUN_TEST_OWN))))
$(foreach src,$(TORUSD_TEST_SRC),$(eval $(call own_test_program,$(src),\
	$(call torusd_own,$(src)) $(ROUTE_TEST_OWN))))

# FUZZ_LINK: what a fuzzer wants besides, which brings a main() of its own.
define fuzz_program
$(B)/asan/fuzz/$(notdir $(1:.c=)): $(call objs,asan,$(1) $(2) $(FUZZ_MAIN)) \
		$(B)/asan/libtoruscore.a $(B)/sources
	$$(call link,$$(SANITIZE) $(FUZZ_LINK),$$(NL_LIBS) $$(JSON_LIBS) \
		$(if $(findstring fuzz_state,$(1)),-lcmocka) -lm)
endef
$(foreach src,$(FUZZ_SRC),$(eval $(call fuzz_program,$(src),$(sort $(call fuzz_own,$(src))))))

.PHONY: fuzz-targets
fuzz-targets: $(patsubst user/fuzz/%.c,$(B)/asan/fuzz/%,$(FUZZ_SRC))

# A link into the cache: when that goes, so does this, and it is made again.
$(B)/linux-source:
	@mkdir -p $(@D)
	@rm -f $@; dir=$$(scripts/linux-source.sh) && ln -s "$$dir" $@

# The harness kills a test after 30 s of wall time, which a busy host with an
# emulated guest may well need for 3 s of work.  What hangs is ended for its silence
# (scripts/vm-selftest.sh) before the 600 s are over, but in make soak and make check-debug.
$(B)/selftests/include/kselftest_harness.h: Makefile | $(B)/linux-source
	@mkdir -p $(@D)
	@sed 's/\(define TEST_TIMEOUT_DEFAULT\) .*/\1 600/' \
		$(B)/linux-source/tools/testing/selftests/kselftest_harness.h >$@

# --- the module --------------------------------------------------------------

# As `uname -r' prints it; Debian's kernel.release may differ.
RELEASE = $(shell sed -n 's/^.define UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h)
# Kbuild accepts no space in a module's path: a tree whose path has one is copied to the cache.
SPACE = $(word 2,$(CURDIR))
MODULE_HOME = $(if $(SPACE),$(shell scripts/cache-dir.sh)/module-$(firstword \
	$(shell pwd | cksum)),$(CURDIR))
MODULE_TREE = $(MODULE_HOME)$(if $(KERNEL),/$(B)/kernel-$(RELEASE))
kbuild = $(if $(KERNEL)$(SPACE),scripts/kernel-tree.sh $(MODULE_TREE) && )$(MAKE) -C $(KDIR) \
	M=$(MODULE_TREE) $(MODULE_FLAGS)

.PHONY: module
module: ## torus.ko
ifneq ($(wildcard Kbuild),)
	+$(Q)$(kbuild) modules
	@mkdir -p $(B)
	@$(if $(KERNEL),,cmp -s $(MODULE_TREE)/torus.ko $(B)/torus.ko || \
		cp $(MODULE_TREE)/torus.ko $(B)/torus.ko)
endif

.PHONY: sparse
sparse: ## sparse over the module, with endianness
ifneq ($(wildcard Kbuild),)
	+$(Q)$(kbuild) C=2 CF=-D__CHECK_ENDIAN__ modules
endif

.PHONY: checkpatch
checkpatch: $(B)/linux-source ## the kernel's style check, with our written exceptions
	@scripts/checkpatch.sh

# --- running -----------------------------------------------------------------

.PHONY: demo
demo: ## load the module in the VM (HOST=1: here), and show real processes exchange messages
	@scripts/deps.sh
	@echo 'demo: building'
	@$(MAKE) -j2 -s user module
	@echo 'demo: $(if $(filter 1,$(HOST)),on this machine,booting the VM)'
	@$(if $(filter 1,$(HOST)),scripts/demo.sh,scripts/vm.sh --bare -- scripts/demo.sh)

.PHONY: vm
vm: ## a shell in the VM, with the module loaded and the tools in PATH
	@scripts/deps.sh
	@echo 'vm: building'
	@$(MAKE) -j2 -s user module
	@scripts/vm.sh || case $$? in 12[456]) exit 1 ;; esac

.PHONY: check
check: ## all checks (on two processors and an emulated VM some 40 minutes)
	@scripts/check.sh

.PHONY: check-all
check-all: ## make check, then other kernels and more builds; ONLY="NAME ..." runs parts of the latter
	@ONLY='$(ONLY)' scripts/check-all.sh

.PHONY: soak
soak: ## the checks that take longer; ONLY="NAME ..." runs some of them
	@ONLY='$(ONLY)' scripts/soak.sh

.PHONY: mutate
mutate: ## take out each named rule in turn: its test must fail
	@scripts/deps.sh
	@CC='$(CC)' scripts/mutate.sh

.PHONY: mutate-base
mutate-base: $(MUTATE_OBJ)

# For scripts/mutate.py: the compiler, then each test program and its sources; printed by make
# itself, for all together are more than a shell may be handed.
.PHONY: print-mutate
print-mutate:
	$(info $(CC) -O1 $(filter-out -MMD -MP,$(BASE_FLAGS)) $(NL_CFLAGS) $(JSON_CFLAGS))
	$(foreach room,CORE ARCH LIB ROUTE KNOW TOFU TOFUCOM JOBS PAPER CAPTURE,\
		$(foreach src,$($(room)_TEST_SRC),$(info $(call test_line,$(src) $($(room)_TEST_PARTS)))))
	$(foreach src,$(SIM_TEST_SRC),$(info $(call test_line,$(src) \
		$(call sim_own,$(src)) $(ARCH_TEST_PARTS))))
	$(foreach src,$(TORUSD_TEST_SRC),$(info $(call test_line,$(src) \
		$(call torusd_own,$(src)) $(ROUTE_TEST_PARTS))))
	@:

test_line = $(notdir $(basename $(firstword $(1)))) $(strip $(1))

.PHONY: bench
bench: ## ratios against something run beside them: BASE=COMMIT LIMIT=FILE.c ONLY="compare vm" REPEATS=N
	@scripts/deps.sh
	@$(MAKE) -j2 -s user module
	@scripts/bench.sh

.PHONY: fuzz
fuzz: ## libFuzzer against what reads other people's bytes: TIME=SECONDS RUNS=N CALLS=N ONLY="TARGET .." SEED=N PLANTED=1
	@scripts/deps.sh --fuzz
	@scripts/fuzz.sh

.PHONY: figures
figures: ## the papers' figures and tables beside our numbers: build/figures/index.html
	@$(MAKE) -j2 -s $(SIM)
	@scripts/figures.sh $(if $(FULL),--full) $(FIGURES_OPTIONS)

.PHONY: check-debug
check-debug: ## the selftests on a kernel with KASAN, lockdep, kmemleak (built once); ONLY="NAME ..."
	@ONLY='$(ONLY)' scripts/check-debug.sh

# --- installing --------------------------------------------------------------

.PHONY: install
install: install-user install-module ## tools, library, headers, pages and module (PREFIX, DESTDIR, GROUP)

# Commands that make an installation known; who lacks the right is told them.
as_root = PATH=$$PATH:/sbin:/usr/sbin $(1) || echo 'as root, please: $(1)' >&2

COMMANDS := $(notdir $(TOOLS))
# Where zsh looks: the distribution's packages have a place of their own.
ZSHDIR = $(DATADIR)/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)

# What the same `make install` puts there; it is put into an empty directory to know.
.PHONY: uninstall
uninstall: ## removes what make install with the same variables puts there
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && \
	$(MAKE) -s install DESTDIR="$$stage" >/dev/null && cd "$$stage" && \
	find . ! -type d -printf '%P\n' | while read -r file; do \
		rm -fv "$(DESTDIR)/$$file" || exit; done && \
	find . -depth -type d -path '*torus*' -printf '%P\n' | while read -r dir; do \
		[ ! -d "$(DESTDIR)/$$dir" ] || rmdir -v "$(DESTDIR)/$$dir" || exit; done
	@$(if $(DESTDIR),,$(call as_root,ldconfig))
	@$(if $(DESTDIR),,$(call as_root,depmod $(RELEASE)))

.PHONY: install-user
install-user: user ## the same without the module (PREFIX, LIBDIR, INCLUDEDIR, MULTIARCH=1)
	install -d "$(DESTDIR)"$(BINDIR) "$(DESTDIR)"$(LIBDIR)/pkgconfig "$(DESTDIR)"$(INCLUDEDIR)
	$(if $(TOOLS),install -m 755 $(TOOLS) "$(DESTDIR)"$(BINDIR))
	$(if $(SIM_MPI),install -D -m 755 $(SIM_MPI) "$(DESTDIR)"$(LIBDIR)/torus/$(notdir $(SIM_MPI)))
ifneq ($(LIB_SRC),)
	install -m 644 $(B)/libtorus.a "$(DESTDIR)"$(LIBDIR)
	install -m 755 $(B)/libtorus.so "$(DESTDIR)"$(LIBDIR)/libtorus.so.$(LIB_VERSION)
	ln -sf libtorus.so.$(LIB_VERSION) "$(DESTDIR)"$(LIBDIR)/libtorus.so.0
	ln -sf libtorus.so.0 "$(DESTDIR)"$(LIBDIR)/libtorus.so
	$(call pc_file,"$(DESTDIR)"$(LIBDIR)/pkgconfig/libtorus.pc)
endif
	install -m 644 $(B)/libtofucom.a "$(DESTDIR)"$(LIBDIR)
	install -m 755 $(B)/libtofucom.so "$(DESTDIR)"$(LIBDIR)/libtofucom.so.$(LIB_VERSION)
	ln -sf libtofucom.so.$(LIB_VERSION) "$(DESTDIR)"$(LIBDIR)/libtofucom.so.0
	ln -sf libtofucom.so.0 "$(DESTDIR)"$(LIBDIR)/libtofucom.so
	$(call pc_file,"$(DESTDIR)"$(LIBDIR)/pkgconfig/tofucom.pc,user/libtofu/tofucom.pc.in)
	install -m 644 include/utofu.h include/utofu_profile.h "$(DESTDIR)"$(INCLUDEDIR)
	for h in $(patsubst include/uapi/%,%,$(wildcard include/uapi/linux/*.h)); do \
		install -D -m 644 include/uapi/$$h "$(DESTDIR)"$(INCLUDEDIR)/$$h || exit; done
	for h in $(patsubst include/%,%,$(wildcard include/torus/*.h)); do \
		install -D -m 644 include/$$h "$(DESTDIR)"$(INCLUDEDIR)/$$h || exit; done
	for page in $(B)/man/man[1-8]/*.[1-8]; do \
		install -D -m 644 $$page "$(DESTDIR)"$(DATADIR)/man/$${page#$(B)/man/} || exit; done
	for c in $(COMMANDS); do \
		install -D -m 644 user/completion/$$c \
			"$(DESTDIR)"$(DATADIR)/bash-completion/completions/$$c && \
		install -D -m 644 user/completion/fish/$$c.fish \
			"$(DESTDIR)"$(DATADIR)/fish/vendor_completions.d/$$c.fish || exit; done
	install -D -m 644 user/completion/zsh/_torus "$(DESTDIR)"$(ZSHDIR)/_torus
	install -D -m 644 user/schema/torus.json "$(DESTDIR)"$(DATADIR)/torus/torus.json
	install -D -m 644 user/capture/torus.lua "$(DESTDIR)"$(LIBDIR)/wireshark/plugins/torus.lua
	install -d "$(DESTDIR)"$(LIBEXECDIR)/torus "$(DESTDIR)"$(EXAMPLEDIR) \
		"$(DESTDIR)"$(PYTHONDIR)/torus "$(DESTDIR)"$(DATADIR)/doc/python3-torus
	install -m 755 $(EXAMPLES) "$(DESTDIR)"$(LIBEXECDIR)/torus
	install -m 644 $(EXAMPLE_SRC) user/examples/Makefile "$(DESTDIR)"$(EXAMPLEDIR)
	sed -E 's,(build/examples|/usr/local/libexec/torus)/,$(LIBEXECDIR)/torus/,g' \
		user/examples/README.md | install -m 644 /dev/stdin "$(DESTDIR)"$(EXAMPLEDIR)/README.md
	install -m 644 $(wildcard user/python/torus/*.py) "$(DESTDIR)"$(PYTHONDIR)/torus
	install -m 644 user/python/tutorial.py "$(DESTDIR)"$(DATADIR)/doc/python3-torus
	install -d "$(DESTDIR)"$(SYSTEMDIR)/udev/rules.d "$(DESTDIR)"$(SYSTEMDIR)/systemd/system
	sed 's|@ACCESS@|$(if $(GROUP),GROUP="$(GROUP)"$(comma) MODE="0660",MODE="0666")|' \
		install/60-torus.rules.in | install -m 644 /dev/stdin "$(DESTDIR)"$(SYSTEMDIR)/udev/rules.d/60-torus.rules
	sed 's|@BINDIR@|$(BINDIR)|' install/torus.service.in \
		| install -m 644 /dev/stdin "$(DESTDIR)"$(SYSTEMDIR)/systemd/system/torus.service
ifneq ($(GROUP),)
	install -d "$(DESTDIR)"$(PREFIX)/lib/sysusers.d
	sed 's|@GROUP@|$(GROUP)|' install/torus.sysusers.in \
		| install -m 644 /dev/stdin "$(DESTDIR)"$(PREFIX)/lib/sysusers.d/torus.conf
endif
	$(if $(DESTDIR),,$(call as_root,ldconfig))

# Not by kbuild's modules_install: it accepts no space in a path, wants the distribution's signing
# key, and leaves out depmod where the headers come without System.map.
.PHONY: install-module
install-module: module
ifneq ($(wildcard Kbuild),)
	install -D -m 644 $(MODULE_TREE)/torus.ko "$(DESTDIR)"/lib/modules/$(RELEASE)/extra/torus.ko
	$(if $(DESTDIR),,$(call as_root,depmod $(RELEASE)))
endif

# The module's source where DKMS builds it for each kernel: dkms add torus/VERSION.
DKMSDIR = $(DESTDIR)/usr/src/torus-$(LIB_VERSION)
.PHONY: install-dkms
install-dkms: ## the module's source for DKMS
	install -d "$(DKMSDIR)"
	install -m 644 Kbuild "$(DKMSDIR)"
	sed 's|#MODULE_VERSION#|$(LIB_VERSION)|' install/dkms.conf | install -m 644 /dev/stdin "$(DKMSDIR)"/dkms.conf
	for c in kmod/order.lds $(wildcard include/uapi/linux/*.h) \
		$(filter-out $(TEST_DIRS:=/%),$(wildcard kmod/*/*.[ch] kmod/*/*/*.[ch])); do \
		install -D -m 644 $$c "$(DKMSDIR)"/$$c || exit; done

.PHONY: deb
deb: ## Debian's packages, in build/deb
	@scripts/deb.sh

.PHONY: clean
clean: ## remove what was built
	rm -rf $(B)
	rm -f *.o *.ko *.mod *.mod.c .*.cmd Module.symvers modules.order
	find kmod -name '*.o' -o -name '.*.cmd' -o -name '*.mod' | xargs -r rm -f

# What each object that was built is made of.
OBJECT_DIRS := $(wildcard $(patsubst %,$(B)/%,core kernel-like asan user whole mutate/base))
-include $(if $(OBJECT_DIRS),$(shell find $(OBJECT_DIRS) -type f -name '*.d'))
