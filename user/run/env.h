/* SPDX-License-Identifier: GPL-2.0 */
/* Make the environment variables of a rank; see torus_job_init(3). */
#ifndef TORUS_RUN_ENV_H
#define TORUS_RUN_ENV_H

#include "mapping.h"

/**
 * struct run_env - values of the environment variables of a job's ranks
 * @machine: the fabric
 * @places: places of the ranks
 * @key: key of the job
 * @members: value of TORUS_MEMBERS
 * @file: name of the file with the members; "": the members are in the environment
 * @dead: value of TORUS_DEAD; NULL: the variable is empty
 * @start_timeout_ms: time in ms until all ranks must have joined, for TORUS_TIMEOUT; 0: the user
 *		      gave no limit
 * @progress: value of TORUS_PROGRESS, or ""
 * @traffic: value of TORUS_TRAFFIC, or ""
 */
struct run_env {
	const struct run_fabric_info *machine;
	struct run_places places;
	uint32_t key;
	char *members;
	char file[256];
	char *dead;
	uint64_t start_timeout_ms;
	char progress[32];
	char traffic[32];
};

bool run_env_make(struct run_env *env);
bool run_env_set(const struct run_env *env, uint32_t rank);
bool run_env_set_mpi(const struct run_env *env, const char *provider_path);
void run_env_print(const struct run_env *env, char **program);
void run_env_print_mpi(const struct run_env *env, const char *provider_path, char **words);
void run_env_free(struct run_env *env);

#endif /* TORUS_RUN_ENV_H */
