# SPDX-License-Identifier: GPL-2.0
#
# Fuzzing targets: each fuzz_*.c. make check runs them over the inputs that are kept.

# With clang: FUZZ_MAIN= FUZZ_LINK=-fsanitize=fuzzer, which brings a main() of its own.
FUZZ_MAIN := user/fuzz/replay.c
FUZZ_SRC := $(sort $(wildcard user/fuzz/fuzz_*.c))
FUZZ := $(patsubst user/fuzz/%.c,$(B)/asan/fuzz/%,$(FUZZ_SRC))
# The scenes of kept states are those of the unit tests.
FUZZ_WITH = user/fuzz user/jobs user/replay user/netlink $(PARSE) $(ROUTES) $(ENGINE_RIGS) $(ENGINE)
SKIP_user/fuzz := $(FUZZ_SRC) user/fuzz/replay.c

.PHONY: fuzz-targets
fuzz-targets: $(FUZZ)

$(FUZZ): $(B)/asan/fuzz/%: $(B)/asan/user/fuzz/%.o $(call objects,asan,$(FUZZ_MAIN)) \
		$$(call archives,asan,$$(FUZZ_WITH)) $(B)/sources
	$(call link,$(SANITIZE) $(FUZZ_LINK),$(NL_LIBS) $(JSON_LIBS) -lcmocka -lm)
