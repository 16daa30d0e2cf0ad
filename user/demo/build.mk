# SPDX-License-Identifier: GPL-2.0

DEMO := demo/torus-demo
USER_PRODUCTS += $(B)/$(DEMO)
LINKED += $(DEMO)
$(DEMO)_OWN := $(call sources,user/demo)
$(DEMO)_WITH = user/report $(PARSE) $(ENGINE)
$(DEMO)_LIBS = $(LIB) $(LIB_LIBS) $(JSON_LIBS) -lm
