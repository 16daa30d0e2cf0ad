# SPDX-License-Identifier: GPL-2.0
#
# Installing: make install, uninstall, install-user, install-module, install-dkms.

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
# Where Python looks for packages that did not come with it; Debian's own place has no version.
PYTHONDIR ?= $(if $(filter /usr,$(PREFIX)),/usr/lib/python3/dist-packages,$(shell \
	$(PYTHON) -c 'import sys, sysconfig; print("$(PREFIX)/lib/python%d.%d/%s-packages" % ( \
	sys.version_info[:2] + ("dist" if "deb_system" in sysconfig.get_scheme_names() else \
	"site",)))' 2>/dev/null || echo $(PREFIX)/lib/python3/site-packages))
# Where udev/rules.d and systemd/system are.
SYSTEMDIR ?= $(PREFIX)/lib
# Who may open /dev/torus: the members of a group, which is made; GROUP= means everybody.
GROUP ?= torus

# Written for the places that this make was told; install-user makes it again.
pc_place = $(patsubst $(PREFIX)/%,$${prefix}/%,$(1))
# By install and not by a redirection, which would take its mode from the umask.
pc_file = @sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(call pc_place,$(LIBDIR))|; \
	s|@INCLUDEDIR@|$(call pc_place,$(INCLUDEDIR))|; s|@VERSION@|$(VERSION)|' \
	$(if $(2),$(2),user/lib/libtorus.pc.in) | install -m 644 /dev/stdin $(1)

# Commands that make an installation known; printed for a user who may not run them.
as_root = PATH=$$PATH:/sbin:/usr/sbin $(1) || echo 'as root, please: $(1)' >&2

COMMANDS = $(PROGRAMS)
# Where zsh looks: the distribution's packages have a place of their own.
ZSHDIR = $(DATADIR)/zsh/$(if $(filter /usr,$(PREFIX)),vendor-completions,site-functions)

# What the same `make install` puts there; it is put into an empty directory to know.
uninstall:
	@stage=$$(mktemp -d) && trap 'rm -rf "$$stage"' EXIT && \
	$(MAKE) -s install DESTDIR="$$stage" >/dev/null && cd "$$stage" && \
	find . ! -type d -printf '%P\n' | while read -r file; do \
		rm -fv "$(DESTDIR)/$$file" || exit; done && \
	find . -depth -type d -path '*torus*' -printf '%P\n' | while read -r dir; do \
		[ ! -d "$(DESTDIR)/$$dir" ] || rmdir -v "$(DESTDIR)/$$dir" || exit; done
	@$(if $(DESTDIR),,$(call as_root,ldconfig))
	@$(if $(DESTDIR),,$(call as_root,depmod $(RELEASE)))

install-user: user
	install -d "$(DESTDIR)"$(BINDIR) "$(DESTDIR)"$(LIBDIR)/pkgconfig "$(DESTDIR)"$(INCLUDEDIR)
	install -m 755 $(TOOLS) "$(DESTDIR)"$(BINDIR)
	$(if $(SIM_MPI),install -D -m 755 $(SIM_MPI) "$(DESTDIR)"$(LIBDIR)/torus/$(notdir $(SIM_MPI)))
	$(if $(PROVIDER),install -D -m 755 $(PROVIDER) "$(DESTDIR)"$(LIBDIR)/libfabric/$(notdir $(PROVIDER)))
	install -m 644 $(B)/libtorus.a "$(DESTDIR)"$(LIBDIR)
	install -m 755 $(B)/libtorus.so "$(DESTDIR)"$(LIBDIR)/libtorus.so.$(VERSION)
	ln -sf libtorus.so.$(VERSION) "$(DESTDIR)"$(LIBDIR)/libtorus.so.0
	ln -sf libtorus.so.0 "$(DESTDIR)"$(LIBDIR)/libtorus.so
	$(call pc_file,"$(DESTDIR)"$(LIBDIR)/pkgconfig/libtorus.pc)
	install -m 644 $(B)/libtofucom.a "$(DESTDIR)"$(LIBDIR)
	install -m 755 $(B)/libtofucom.so "$(DESTDIR)"$(LIBDIR)/libtofucom.so.$(VERSION)
	ln -sf libtofucom.so.$(VERSION) "$(DESTDIR)"$(LIBDIR)/libtofucom.so.0
	ln -sf libtofucom.so.0 "$(DESTDIR)"$(LIBDIR)/libtofucom.so
	$(call pc_file,"$(DESTDIR)"$(LIBDIR)/pkgconfig/tofucom.pc,user/libtofu/tofucom.pc.in)
	install -m 644 include/utofu.h include/utofu_profile.h "$(DESTDIR)"$(INCLUDEDIR)
	for h in $(patsubst include/uapi/%,%,$(wildcard include/uapi/linux/*.h)); do \
		install -D -m 644 include/uapi/$$h "$(DESTDIR)"$(INCLUDEDIR)/$$h || exit; done
	for h in $(patsubst include/%,%,$(wildcard include/torus/*.h)); do \
		install -D -m 644 include/$$h "$(DESTDIR)"$(INCLUDEDIR)/$$h || exit; done
	for page in $(B)/man/man[1-9]/*.[1-9]; do \
		install -D -m 644 $$page "$(DESTDIR)"$(DATADIR)/man/$${page#$(B)/man/} || exit; done
	for c in $(COMMANDS); do \
		install -D -m 644 user/completion/$$c \
			"$(DESTDIR)"$(DATADIR)/bash-completion/completions/$$c && \
		install -D -m 644 user/completion/fish/$$c.fish \
			"$(DESTDIR)"$(DATADIR)/fish/vendor_completions.d/$$c.fish || exit; done
	install -D -m 644 user/completion/zsh/_torus "$(DESTDIR)"$(ZSHDIR)/_torus
	install -D -m 644 $(SCHEMA) "$(DESTDIR)"$(DATADIR)/torus/torus.json
	install -D -m 644 $(NETLINK_SPEC) "$(DESTDIR)"$(DATADIR)/torus/torus.yaml
	install -D -m 644 user/capture/torus.lua "$(DESTDIR)"$(LIBDIR)/wireshark/plugins/torus.lua
	install -d "$(DESTDIR)"$(LIBEXECDIR)/torus "$(DESTDIR)"$(EXAMPLEDIR) \
		"$(DESTDIR)"$(PYTHONDIR)/torus "$(DESTDIR)"$(DATADIR)/doc/python3-torus
	install -m 755 $(EXAMPLES) "$(DESTDIR)"$(LIBEXECDIR)/torus
	install -m 755 $(B)/$(LAB_DEVICE) "$(DESTDIR)"$(LIBEXECDIR)/torus/lab-registers
	install -m 644 $(EXAMPLE_SRC) user/examples/Makefile "$(DESTDIR)"$(EXAMPLEDIR)
	sed -E 's,(build/examples|/usr/local/libexec/torus)/,$(LIBEXECDIR)/torus/,g' \
		user/examples/README.md | install -m 644 /dev/stdin "$(DESTDIR)"$(EXAMPLEDIR)/README.md
	install -m 644 $(wildcard user/python/torus/*.py) "$(DESTDIR)"$(PYTHONDIR)/torus
	echo '__version__ = "$(VERSION)"' | install -m 644 /dev/stdin "$(DESTDIR)"$(PYTHONDIR)/torus/_version.py
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
	$(if $(DESTDIR),,$(call as_root,sh -c "getent group $(GROUP) >/dev/null || groupadd --system $(GROUP)"))
endif
	$(if $(DESTDIR),,$(call as_root,ldconfig))

# Headers and symbols with which drivers of the bus are built outside of this tree.
DRIVER_HEADERS = $(DESTDIR)/lib/modules/$(RELEASE)/torus
install-driver-headers:
	for h in include/linux/torus_bus.h include/uapi/linux/torus_port.h; do \
		install -D -m 644 $$h "$(DRIVER_HEADERS)"/include/linux/$${h##*/} || exit; done
	install -m 644 $(MODULE_TREE)/Module.symvers "$(DRIVER_HEADERS)"

# Not by kbuild's modules_install: it accepts no space in a path, wants the distribution's signing
# key, and leaves out depmod where the headers come without System.map.
install-module: module
ifneq ($(wildcard Kbuild),)
	for ko in $(MODULES:=.ko); do \
		install -D -m 644 $(MODULE_TREE)/$$ko \
			"$(DESTDIR)"/lib/modules/$(RELEASE)/extra/$$ko || exit; done
	+$(Q)$(MAKE) -s install-driver-headers
	$(if $(DESTDIR),,$(call as_root,depmod $(RELEASE)))
endif

# The module's source where DKMS builds it for each kernel: dkms add torus/VERSION.
DKMSDIR = $(DESTDIR)/usr/src/torus-$(VERSION)
install-dkms:
	install -d "$(DKMSDIR)"
	install -m 644 Kbuild "$(DKMSDIR)"
	sed 's|#MODULE_VERSION#|$(VERSION)|' install/dkms.conf | install -m 644 /dev/stdin "$(DKMSDIR)"/dkms.conf
	for c in kmod/order.lds $(wildcard include/uapi/linux/*.h include/linux/*.h) \
		$(filter-out $(TEST_DIRS:=/%),$(wildcard kmod/*/*.[ch] kmod/*/*/*.[ch] kmod/*/*/*/*.[ch])); do \
		install -D -m 644 $$c "$(DKMSDIR)"/$$c || exit; done

