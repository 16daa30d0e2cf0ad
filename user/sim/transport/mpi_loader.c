// SPDX-License-Identifier: GPL-2.0
/*
 * Detect whether a launcher has started several processes. If so, load the module with the MPI
 * transport. The program itself is not linked with MPI, so it also runs on systems without MPI.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "local.h"
#include "mpi_loader.h"

#define MODULE		"torus-sim-mpi.so"
#define PACKAGE		"torus-sim-mpi, or Debian's libopenmpi-dev when torus is built"
#define WHY_MAX		256	/* bytes of an error message */

/*
 * Environment variable that starts N processes with the transport of tests:
 * TORUS_SIM_RANKS=N[,MICROSECONDS[,SEED]]; see README.md.
 */
#define TEST_RANKS	"TORUS_SIM_RANKS"

/* Environment variables of launchers: the number of processes, and the number of this process. */
static const struct {
	const char *count;
	const char *rank;
} launchers[] = {
	{ "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },	/* Open MPI's mpirun */
	/* MPICH's mpirun, and srun --mpi=pmi2 */
	{ "PMI_SIZE", "PMI_RANK" },
	{ "SLURM_STEP_NUM_TASKS", "PMIX_RANK" },		/* srun --mpi=pmix */
};

/*
 * Number of processes that a launcher has started, 1 without a launcher. @rank: [out] number of
 * this process.
 */
static long launched(const char **rank)
{
	const char *count;
	size_t i;

	for (i = 0; i < sizeof(launchers) / sizeof(launchers[0]); i++) {
		count = getenv(launchers[i].count);
		*rank = getenv(launchers[i].rank);
		if (count && *rank)
			return strtol(count, NULL, 10);
	}
	return 1;
}

/* Load the MPI module from the program's directory (build tree), or from the library directory. */
static void *load(char *why, size_t size)
{
	char program[PATH_MAX], path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
	void *module = NULL;
	char *slash;

	program[n > 0 ? n : 0] = '\0';
	slash = strrchr(program, '/');
	if (slash) {
		snprintf(path, sizeof(path), "%.*s/" MODULE, (int)(slash - program), program);
		if (!access(path, R_OK))
			module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
	}
	if (!module)
		module = dlopen(MODULE_DIR "/" MODULE, RTLD_NOW | RTLD_GLOBAL);
	if (!module)
		snprintf(why, size, "%s", dlerror());
	return module;
}

static struct sim_transport *launch_test(const char *word, char *why, size_t size)
{
	unsigned int count = 0, delay = 0, seed = 1;

	if (sscanf(word, "%u,%u,%u", &count, &delay, &seed) < 1 || count < 1 || count > 64) {
		snprintf(why, size, TEST_RANKS
			 "=%s: must be N[,MICROSECONDS[,SEED]] with N from 1 to 64", word);
		return NULL;
	}
	return count > 1 ? sim_transport_local(count, delay, seed, why, size) : NULL;
}

/**
 * sim_mpi_load - connect to the other processes of the launcher, if there is one
 * @why: [out] error message; empty if there is no error; " " if another process reports the error
 * @size: bytes of @why
 *
 * Return: the transport; NULL if there is only one process, or after an error.
 */
struct sim_transport *sim_mpi_load(char *why, size_t size)
{
	const char *test = getenv(TEST_RANKS), *rank;
	long count = launched(&rank);
	struct sim_transport *(*open)(char *why, size_t size) = NULL;
	char reason[WHY_MAX] = "";
	struct sim_transport *transport;
	void *module;

	why[0] = '\0';
	if (count < 2)
		return test ? launch_test(test, why, size) : NULL;
	module = load(reason, sizeof(reason));
	if (module)
		*(void **)&open = dlsym(module, SIM_TRANSPORT_OPEN);
	transport = open ? open(reason, sizeof(reason)) : NULL;
	if (transport && transport->count != (u32)count) {
		snprintf(reason, sizeof(reason),
			 "the module was built for a different MPI than that of the launcher: it "
			 "finds %u rank%s", transport->count,
			 transport->count == 1 ? "" : "s");
		transport->end(transport);
		transport = NULL;
	}
	if (!transport)
		snprintf(why, size, "%ld ranks: %s: %s (install %s)", count, MODULE,
			 reason[0] ? reason : "the file is not an MPI module of torus-sim",
					      PACKAGE);
	/* if MPI cannot be used, only process 0 reports the error */
	if (!transport && strcmp(rank, "0"))
		snprintf(why, size, " ");
	return transport;
}

/**
 * sim_mpi_program - hash of this program's file, to compare it with those of other processes
 *
 * Return: the hash; 0 if the file cannot be read.
 */
u64 sim_mpi_program(void)
{
	FILE *file = fopen("/proc/self/exe", "re");
	u64 hash = 14695981039346656037ull, words[512];
	size_t n, i;

	if (!file)
		return 0;
	while ((n = fread(words, sizeof(words[0]), 512, file)))
		for (i = 0; i < n; i++)
			hash = (hash ^ words[i]) * 1099511628211ull;
	fclose(file);
	return hash;
}
