# SPDX-License-Identifier: GPL-2.0
#
# torus-sim: runs and sweeps, and the commands that have directories of their own.

SIM_DIRS := user/sim $(addprefix user/sim/,transport base trace cmdline run sweep) user/replay \
	user/paper user/jobs user/barrier user/vtime_replay
SIM_WITH = user/tofu user/report user/capture $(PARSE) $(ROUTES) $(ENGINE)
# Processes over MPI are a module: the program itself does not link MPI.
SKIP_user/sim/transport := user/sim/transport/mpi.c
%/user/sim/transport/mpi_loader.o: EXTRA_FLAGS = -DMODULE_DIR='"$(LIBDIR)/torus"'

PROGRAMS += torus-sim
torus-sim_OWN := $(call sources,$(SIM_DIRS))
torus-sim_WITH = $(SIM_WITH)
torus-sim_LIBS = $(JSON_LIBS) -lz -lm

# Where there is an MPI: torus-sim loads it when several are started together.
SIM_MPI = $(eval SIM_MPI := $(if $(shell command -v $(MPICC) 2>/dev/null),\
	$(B)/torus-sim-mpi.so))$(SIM_MPI)
USER_PRODUCTS += $(SIM_MPI)

# Open MPI's mpicc or MPICH's. The latter's MPI_STATUSES_IGNORE is an address at which gcc sees no
# object.
$(B)/torus-sim-mpi.so: $(addprefix user/sim/transport/,mpi.c heartbeat.c heartbeat.h transport.h) mk/flags.mk
	$(call say,MPICC,$@)
	@mkdir -p $(@D)
	$(Q)$(MPICC) -O2 -fPIC -shared -g -std=gnu11 $(WARN) -Wno-stringop-overflow \
		$(PACKAGE_CFLAGS) $(PACKAGE_LDFLAGS) -o $@ $(filter %.c,$^)

TEST_DIRS += user/sim/tests
user/sim/tests_WITH = $(SIM_DIRS) $(SIM_WITH) $(ENGINE_RIGS)
user/sim/tests_LIBS = $(JSON_LIBS) -lz
