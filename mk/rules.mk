# SPDX-License-Identifier: GPL-2.0
#
# Rules that compile, archive and link, and those that make what the build.mk files declare.
#
# A flavour is a set of flags, and a directory of objects and archives below build/: core, user,
# whole (for libtorus), asan (for tests), mutate/base, kernel-like. An archive holds the objects of
# one directory of sources: build/FLAVOUR/DIRECTORY.a. A program takes from it what it uses.

# sources DIR...: C files of directories, without test programs and without SKIP_DIR
sources = $(sort $(foreach d,$(1),$(filter-out $(d)/test_% $(SKIP_$(d)),$(wildcard $(d)/*.c))))
# below DIR: directories of sources in a directory and below it, except its tests
below = $(filter-out $(1)/tests%,$(patsubst %/,%,$(sort $(dir $(wildcard $(1)/*.c $(1)/*/*.c)))))
# objects FLAVOUR,SOURCE...
objects = $(patsubst %.c,$(B)/$(1)/%.o,$(2))
# archives FLAVOUR,DIR...
archives = $(patsubst %,$(B)/$(1)/%.a,$(2))
# With the flags of programs: the core is not compiled as position independent code.
program_archives = $(call archives,core,$(filter kmod/%,$(1))) \
	$(call archives,user,$(filter-out kmod/%,$(1)))

# --- sources -------------------------------------------------------------------

# An archive and a program must also be made again when a source has vanished.
ifeq ($(filter help clean deps,$(MAKECMDGOALS)),)
# By a name of its own, for two calls of make may write it at once.
$(shell mkdir -p $(B); new=$(B)/sources.$$$$; printf '%s\n' $(sort $(wildcard \
	$(foreach top,kmod user selftests,$(addprefix $(top)/,*.c */*.c */*/*.c */*/*/*.c)))) \
	>$$new && { cmp -s $$new $(B)/sources || mv -f $$new $(B)/sources; }; rm -f $$new)
endif

# Libraries, by pkg-config's names. A missing library gives one message instead of a missing
# header in each source.
NEEDED := json-c libnl-genl-3.0 zlib
$(B)/packages: mk/rules.mk
	@for name in $(NEEDED); do pkg-config --exists $$name 2>/dev/null || { \
		echo "make: pkg-config does not find $$name: \`make deps' installs what is" \
			"needed (as root), or says what that is" >&2; exit 1; }; done
	@mkdir -p $(@D)
	@touch $@

# --- compiling -----------------------------------------------------------------

# Flags by the directory of a source, next to those that build.mk files add: EXTRA_FLAGS.
user_flags = $(if $(filter user/% selftests/%,$<),$(NL_CFLAGS) $(JSON_CFLAGS)) $(EXTRA_FLAGS)

# compile FLAVOUR,FLAGS: the flavour's objects and archives
define compile
$$(B)/$(1)/%.o: %.c mk/flags.mk mk/rules.mk | $$(B)/packages
	$$(call say,CC,$$@)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $(2) -c -o $$@ $$<

$$(B)/$(1)/%.a: $$$$(call objects,$(1),$$$$(call sources,$$$$*)) $$(B)/sources
	$$(archive)
endef

.SECONDEXPANSION:
$(eval $(call compile,core,-O2 $$(BASE_FLAGS) $$(PACKAGE_CFLAGS)))
$(eval $(call compile,kernel-like,-O2 $$(KERNEL_LIKE) $$(BASE_FLAGS)))
$(eval $(call compile,asan,-O1 $$(SANITIZE) $$(BASE_FLAGS) $$(user_flags)))
# Position independent throughout: some objects serve libtofucom, too.
$(eval $(call compile,user,-O2 -fPIC -pthread $$(BASE_FLAGS) $$(user_flags) $$(PACKAGE_CFLAGS)))
$(eval $(call compile,whole,$$(WHOLE_FLAGS) $$(WHOLE) $$(BASE_FLAGS) $$(EXTRA_FLAGS) \
	$$(PACKAGE_CFLAGS)))
# Without warnings: the other flavours have them, and -O1 has false ones.
$(eval $(call compile,mutate/base,-O1 $$(BASE_FLAGS) -w $$(user_flags)))

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

# --- programs ------------------------------------------------------------------

# A build.mk adds a program's name to PROGRAMS, and says of it:
#	NAME_OWN	sources, all of which are linked
#	NAME_WITH	directories, of which the program takes what it uses
#	NAME_LIBS	libraries, as options of the linker
define program
$$(B)/$(1): $$(call objects,user,$$($(1)_OWN)) $$(call program_archives,$$($(1)_WITH)) \
		$$(filter %.a,$$($(1)_LIBS)) $$(B)/sources
	$$(call link,,$$(filter-out %.a,$$($(1)_LIBS)))
endef

# Exported names of a library: those of the functions that public headers declare, whose names begin
# with a prefix, and a linker's version script of them.
# names PREFIX,HEADERS[,MORE]
define names
	@mkdir -p $(@D)
	@{ sed -nE 's/^[a-z_][A-Za-z0-9_ *]*[ *]($(1)[a-z0-9_]+)\(.*/\1/p' $(2); \
		$(if $(3),echo $(3);) } | LC_ALL=C sort >$@
endef
# version_script NODE
define version_script
	@{ printf '$(1) {\nglobal:\n'; sed 's/$$/;/' $<; printf 'local:\n*;\n};\n'; } >$@
endef

# As a newcomer builds them: the public headers, strict C99, one command.
define newcomer
	$(call say,CC,$@)
	@mkdir -p $(@D)
	$(Q)$(CC) -O2 -g -std=c99 -pedantic $(filter-out -Wno-%,$(WARN)) $(PACKAGE_CFLAGS) \
		-Iinclude -Iinclude/uapi $(PACKAGE_LDFLAGS) -o $@ $< $(LIB) $(LIB_LIBS)
endef
PUBLIC_HEADERS := $(wildcard include/torus/*.h) include/uapi/linux/torus.h
