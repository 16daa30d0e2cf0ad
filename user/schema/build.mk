# SPDX-License-Identifier: GPL-2.0
#
# What follows from linux/torus.h: the netlink family's spec, the JSON schema, and tables for C.

NETLINK_SPEC := $(B)/torus.yaml
SCHEMA := $(B)/torus.json
UAPI_TABLES := $(B)/generated/uapi_tables.h
USER_PRODUCTS += $(NETLINK_SPEC) $(SCHEMA)

$(NETLINK_SPEC): include/uapi/operations.yaml
	$(call uapi,spec $<)

$(SCHEMA): user/schema/torus.json
	$(call uapi,schema $<)

$(UAPI_TABLES):
	$(call uapi,tables)

$(NETLINK_SPEC) $(SCHEMA) $(UAPI_TABLES): include/uapi/linux/torus.h scripts/uapi.py

define uapi
	$(call say,UAPI,$@)
	@mkdir -p $(@D)
	$(Q)$(PYTHON) scripts/uapi.py $(1) >$@
endef

# Sources that include the tables, in every flavour
UAPI_OBJECTS := $(foreach flavour,user asan mutate/base,$(patsubst %,$(B)/$(flavour)/%.o, \
	user/netlink/reply user/report/tni \
	$(addprefix user/torusctl/,counter openmetrics print/event print/link)))
$(UAPI_OBJECTS): EXTRA_FLAGS += -I$(B)/generated
$(UAPI_OBJECTS): | $(UAPI_TABLES)
