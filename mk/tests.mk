# SPDX-License-Identifier: GPL-2.0
#
# Unit tests: each test_*.c of a directory in TEST_DIRS is a program. A build.mk says of such a
# directory DIR:
#	DIR_WITH	directories, of which each of its programs takes what it uses
#	DIR_LIBS	libraries, besides cmocka
# A program takes what it uses of the other sources of DIR first, then of DIR_WITH. So functions in
# test_*.c, and in a file there whose functions it calls, stand for those of the same name in
# DIR_WITH.

TEST_SRC := $(sort $(foreach d,$(TEST_DIRS),$(wildcard $(d)/test_*.c)))
TEST_NAMES := $(notdir $(TEST_SRC:.c=))
ifneq ($(words $(TEST_NAMES)),$(words $(sort $(TEST_NAMES))))
$(error two test programs have one name: $(TEST_NAMES))
endif
TESTS := $(addprefix $(B)/asan/tests/,$(TEST_NAMES))

test_dir = $(patsubst %/,%,$(dir $(1)))
test_with = $(test_dir) $($(test_dir)_WITH)
test_libs = $$($(test_dir)_LIBS) -lcmocka -lm
test_own = $(1) scripts/test-filter.c

# test_program SOURCE,NAME
define test_program
$(B)/asan/tests/$(2): $(call objects,asan,$(test_own)) $(call archives,asan,$(test_with)) \
		$(B)/sources
	$$(call link,$$(SANITIZE),$(test_libs))

$(B)/mutate/base/lists/$(2): $(call objects,mutate/base,$(test_own)) \
		$(call archives,mutate/base,$(test_with)) $(B)/sources
	$$(call list,$(test_libs))
endef
$(foreach src,$(TEST_SRC),$(eval $(call test_program,$(src),$(notdir $(basename $(src))))))

# The sources that a test program is made of, as the linker takes them; the test's own is first.
define list
	$(call say,LIST,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -pthread -Wl,--as-needed -Wl,--trace,--trace -o $@.program $(filter %.o,$^) \
		-Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(1) >$@.trace
	@sed -nE 's,^$(B)/mutate/base/(.*)\.o$$,\1.c,p; \
		s,^\(?$(B)/mutate/base/(.*)\.a\)?\(?([^()]*)\.o\)?$$,\1/\2.c,p' $@.trace | \
		awk '!seen[$$0]++' >$@
	@rm $@.program $@.trace
endef

# For scripts/mutate.py: the compiler, then each test program and its sources.
MUTATE_LISTS := $(addprefix $(B)/mutate/base/lists/,$(TEST_NAMES))
.PHONY: mutate-base print-mutate
mutate-base: $(MUTATE_LISTS)

print-mutate:
	@$(MAKE) -s mutate-base >&2
	@echo '$(CC) -O1 $(filter-out -MMD -MP,$(BASE_FLAGS)) $(NL_CFLAGS) $(JSON_CFLAGS)'
	@for name in $(TEST_NAMES); do \
		echo $$name $$(cat $(B)/mutate/base/lists/$$name) || exit; done

# For the scripts, which must not run a program whose source is gone.
.PHONY: print-tests
print-tests:
	@printf '%s\n' $(TESTS)
