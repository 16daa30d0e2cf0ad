# SPDX-License-Identifier: GPL-2.0
#
# The commands that people type. mk/ holds flags and rules; the build.mk file of a directory says
# what is made there, and of what. Kbuild lists the objects of the module itself.
#
# All of user space is built below build/, apart from the objects that Kbuild leaves next to the
# sources.  A new source, test, selftest or example needs no line anywhere: directories are
# searched.

B := build

.PHONY: all
all: user tests selftests module ## build everything (default)

include mk/flags.mk mk/rules.mk
include $(sort $(wildcard kmod/*/build.mk user/*/build.mk)) $(wildcard selftests/build.mk)
include $(wildcard scripts/bench.d/build.mk)
include mk/tests.mk mk/module.mk mk/install.mk

TOOLS := $(addprefix $(B)/,$(PROGRAMS))
$(foreach name,$(PROGRAMS) $(LINKED),$(eval $(call program,$(name))))

.DELETE_ON_ERROR:
.SECONDARY:
MAKEFLAGS += --no-builtin-rules --no-print-directory

.PHONY: help
help: ## print this
	@echo 'make [TARGET] [HOST=1] [KERNEL=6.1|6.12] [KDIR=...] [V=1] [WERROR=0]'
	@echo
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile | \
		column -t -s '|' 2>/dev/null || \
		sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/  \1: \2/p' Makefile
	@echo
	@echo 'HOST=1 uses the running kernel instead of the VM'"'"'s.'

# --- building ----------------------------------------------------------------

.PHONY: deps user tests selftests module sparse checkpatch
deps: ## install the packages that are needed (root), or say which
	@scripts/deps.sh

user: $(B)/packages $(TOOLS) $(USER_PRODUCTS) ## the library, the tools, the demo, the examples

tests: $(B)/packages $(TESTS) ## the core's unit tests, under ASan and UBSan

selftests: $(SELFTESTS) $(MPI_SELFTESTS) $(PORT_EXAMPLES) ## the programs that run against the loaded module

module: ## torus.ko

sparse: ## sparse over the module, with endianness

checkpatch: $(B)/linux-source ## the kernel's style check, with our written exceptions
	@scripts/checkpatch.sh

.PHONY: print-portable print-tools
# Sources that compile with any C library
print-portable:
	@printf '%s\n' $(sort $(call sources,$(LIB_DIRS) user/libtofu $(ENGINE)))

print-tools:
	@printf '%s\n' $(notdir $(TOOLS))

# --- running -----------------------------------------------------------------

.PHONY: demo vm check check-all soak mutate bench fuzz figures check-debug player-check driver-check
demo: ## load the module in the VM (HOST=1: here), and show real processes exchange messages
	@scripts/deps.sh
	@echo 'demo: building'
	@$(MAKE) -j2 -s user module
	@echo 'demo: $(if $(filter 1,$(HOST)),on this machine,booting the VM)'
	@$(if $(filter 1,$(HOST)),scripts/demo.sh,scripts/vm.sh --bare -- scripts/demo.sh)

vm: ## a shell in the VM, with the module loaded and the tools in PATH
	@scripts/deps.sh
	@echo 'vm: building'
	@$(MAKE) -j2 -s user module
	@scripts/vm.sh || case $$? in 12[456]) exit 1 ;; esac

check: ## the tests of each commit, in a short form
	@scripts/check.sh

check-all: ## the tests at full length, other kernels, more builds; ONLY="NAME ..." runs some of the latter
	@ONLY='$(ONLY)' scripts/check-all.sh

soak: ## the checks that take longer; ONLY="NAME ..." runs some of them
	@ONLY='$(ONLY)' scripts/soak.sh

mutate: ## take out each named rule in turn: its test must fail; ONLY="RULE ..." takes some of them
	@scripts/deps.sh
	@CC='$(CC)' scripts/mutate.sh $(ONLY)

bench: ## ratios against something run beside them: BASE=COMMIT LIMIT=FILE.c ONLY="compare vm" REPEATS=N
	@scripts/deps.sh
	@$(MAKE) -j2 -s user module
	@scripts/bench.sh

fuzz: ## libFuzzer against what reads other people's bytes: TIME=SECONDS RUNS=N CALLS=N ONLY="TARGET .." SEED=N PLANTED=1
	@scripts/deps.sh --fuzz
	@scripts/fuzz.sh

player-check: ## the pages of torus-player in Chromium: counts, keys, filters, time
	@scripts/deps.sh --player
	@$(MAKE) -j2 -s $(B)/torus-sim $(B)/torus-player
	@scripts/player-check.sh

figures: ## the papers' figures and tables beside our numbers: build/figures/index.html
	@$(MAKE) -j2 -s $(B)/torus-sim
	@scripts/figures.sh $(if $(FULL),--full) $(FIGURES_OPTIONS)

check-debug: ## the selftests on a kernel with KASAN, lockdep, kmemleak (built once); ONLY="NAME ..."
	@ONLY='$(ONLY)' scripts/check-debug.sh

driver-check: ## test a driver of the torus bus with faults: M=DIR TRAFFIC=PROGRAM
	@scripts/deps.sh
	@M='$(M)' TRAFFIC='$(TRAFFIC)' KERNEL='$(KERNEL)' scripts/driver-check.sh

.PHONY: manual
manual: ## the hardware manual: build/manual.pdf
	@mkdir -p $(B)
	@scripts/manual.py doc/manual/manual.md >$(B)/manual.ms
	@groff -Kutf8 -t -ms -Tpdf $(B)/manual.ms >$(B)/manual.pdf

# --- labs ----------------------------------------------------------------------

# A lab with a driver needs the module; the tests of all labs need both.
LAB_DRIVERS := 2 3 4 5 8 9
lab_tools = $(if $(filter-out $(LAB_DRIVERS),$(or $(1),1)),$(B)/torus-sim $(B)/lab/registers) \
	$(if $(filter $(LAB_DRIVERS),$(or $(1),2)),$(B)/torusctl module)

.PHONY: lab lab-check lab-marks lab-pack labs-test labs-cheats labs-class
lab: ## a shell in the VM with the driver of a student: L=2..5, 8 or 9 D=DIR S=NAME
	@$(if $(and $(L),$(D)),,echo 'make: lab: L=LAB and D=DIR are missing' >&2; exit 2)
	@$(MAKE) -s $(call lab_tools,$(L))
	@labs/lab.py shell $(L) $(D) $(S)

lab-check: ## check the files of a student: L=LAB D=DIR S=NAME (default: the name of DIR)
	@$(if $(and $(L),$(D)),,echo 'make: lab-check: L=LAB and D=DIR are missing' >&2; exit 2)
	@$(MAKE) -s $(call lab_tools,$(L))
	@labs/lab.py check $(L) $(D) $(S)

lab-marks: ## a line of CSV for each directory: L=LAB D="DIR..."
	@$(if $(and $(L),$(D)),,echo 'make: lab-marks: L=LAB and D="DIR..." are missing' >&2; exit 2)
	@$(MAKE) -s $(call lab_tools,$(L))
	@labs/lab.py marks $(L) $(D)

lab-pack: ## what students get: build/torus-labs.tar.gz, without answers
	@mkdir -p $(B)
	@labs/lab.py pack $(B)/torus-labs.tar.gz

labs-test: ## solutions get all points, skeletons none, mistakes lose their rule; L="LAB ..." runs some
	@$(MAKE) -s $(call lab_tools,$(L))
	@labs/tests/labs_test.py test $(L)

labs-cheats: ## no points for printed lines, another student's answers, links, foreign symbols; L="LAB ..."
	@$(MAKE) -s $(call lab_tools,$(L))
	@labs/tests/labs_test.py cheats $(L)

labs-class: ## the marks of a class of 30, of whom three hand in what crashes; L="LAB ..."
	@$(MAKE) -s $(call lab_tools,$(L))
	@labs/tests/labs_test.py class $(L)

# --- installing --------------------------------------------------------------

.PHONY: install uninstall install-user install-module install-dkms deb clean
install: install-user install-module ## tools, library, headers, pages and module (PREFIX, DESTDIR, GROUP)

uninstall: ## removes what make install with the same variables puts there

install-user: user ## the same without the module (PREFIX, LIBDIR, INCLUDEDIR, MULTIARCH=1)

install-dkms: ## the module's source for DKMS

deb: ## Debian's packages, in build/deb
	@scripts/deb.sh

clean: ## remove what was built
	rm -rf $(B)
	rm -f *.o *.ko *.mod *.mod.c .*.cmd Module.symvers modules.order
	find kmod -name '*.o' -o -name '.*.cmd' -o -name '*.mod' | xargs -r rm -f

# Headers of each object that was built
OBJECT_DIRS := $(wildcard $(patsubst %,$(B)/%,core kernel-like asan user whole mutate/base))
-include $(if $(OBJECT_DIRS),$(shell find $(OBJECT_DIRS) -type f -name '*.d'))
