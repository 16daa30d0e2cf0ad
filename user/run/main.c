// SPDX-License-Identifier: GPL-2.0
/* torus-run: start a program on nodes of a fabric, as the ranks of one job. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/answer.h"
#include "../common/progress.h"
#include "dead.h"
#include "debugger.h"
#include "endpoints.h"
#include "env.h"
#include "free_nodes.h"
#include "job.h"
#include "mpirun.h"
#include "supervisor.h"
#include "fabric_info.h"
#include "options.h"
#include "paths.h"
#include "run.h"
#include "terminal.h"
#include "log.h"

#define OUTPUTS	2	/* number of pipes per rank, for its outputs */
#define SPARE	64	/* number of open files in addition to the pipes */

/*
 * Create a temporary fabric over netlink. Only temporary fabrics and jobs require netlink. Without
 * it, dead links and the owners of places are unknown.
 */
static bool fabric_make(struct run_fabric_info *machine, const struct run_options *options)
{
	machine->nl = torus_nl_new();
	if (!machine->nl || torus_nl_connect(machine->nl)) {
		run_log("%s", machine->nl ? torus_nl_error(machine->nl) : "out of memory");
		return false;
	}
	return run_recipe_make(machine, &options->recipe);
}

static bool fabric_find(struct run_fabric_info *machine, struct run_options *options)
{
	static char name[TORUS_NAME_MAX];

	if (!options->fabric) {
		snprintf(name, sizeof(name), "run-%d", getpid());
		options->fabric = name;
	}
	options->recipe.spec.name = options->fabric;
	if (options->recipe.spec.arch && !fabric_make(machine, options))
		return false;
	return run_fabric_info_find(machine, options->fabric);
}

static bool places_find(struct run_places *places, const struct run_fabric_info *machine,
			struct run_options *options)
{
	struct parse_error why;

	if (options->where.job) {
		if (!run_job_read(places, machine, options->where.job, options->where.group))
			return false;
	} else if (!run_places_find(places, machine, &options->where, &why)) {
		run_log("%s", why.text);
		return false;
	}
	if (!options->ranks)
		options->ranks = places->count;
	if (options->ranks < places->count)
		/* the ranks use only some nodes of the job, which do not form its torus view */
		places->axes = 0;
	if (options->ranks > places->count) {
		run_log("fabric %s: %u ranks requested, but only %zu places exist", options->fabric,
			options->ranks, places->count);
		return false;
	}
	if (places->exact)
		places->count = options->ranks;
	return run_free_nodes_choose(places, machine, options->ranks);
}

/* Raise the limit of open files: with --tag, each rank needs two pipes. */
static bool files_raise(struct run_job *job)
{
	struct rlimit files;
	rlim_t need = job->processes * OUTPUTS + SPARE;

	getrlimit(RLIMIT_NOFILE, &job->files);
	files = job->files;
	if (!job->tag || files.rlim_cur >= need)
		return true;
	if (files.rlim_max < need)
		files.rlim_max = need;
	files.rlim_cur = need;
	if (!setrlimit(RLIMIT_NOFILE, &files))
		return true;
	run_log("--tag requires %lu open files for %u ranks, but the limit is %lu: %s",
		(unsigned long)need, job->processes, (unsigned long)job->files.rlim_max,
		strerror(errno));
	return false;
}

static bool progress_open(struct run_job *job)
{
	struct run_env *env = &job->env;

	job->progress = torus_progress_open(env->key, env->places.count);
	if (job->progress >= 0)
		torus_progress_path(job->progress, env->progress, sizeof(env->progress));
	else
		run_log("cannot create a file in memory for %zu ranks: %s",
			env->places.count, strerror(errno));
	return job->progress >= 0;
}

/* Run the ranks by mpirun, and check that they have used the fabric. */
static int mpi_run(struct run_job *job)
{
	struct run_endpoints endpoints;
	int status;

	if (!run_endpoints_begin(&endpoints, &job->env))
		return RUN_REFUSED;
	status = run_supervise(job);
	return run_endpoints_end(&endpoints, &job->env, job->mpirun, status);
}

static int job_print(struct run_job *job)
{
	if (job->mpirun)
		run_env_print_mpi(&job->env, job->mpirun->provider_path, job->program);
	else
		run_env_print(&job->env, job->program);
	if (torus_answer_fault())
		return RUN_REFUSED;
	if (*job->env.file)
		run_log("the list of members is in file %s: remove it after the job",
			job->env.file);
	/*
	 * Clear the name, so that run_env_free() keeps the file: ranks that are started by hand
	 * read it.
	 */
	*job->env.file = '\0';
	return 0;
}

/*
 * Make the command lines of ranks with a debugger or valgrind. Return: 0, or the exit status after
 * an error message.
 */
static int debugger_make(struct run_options *options)
{
	struct run_debugger *debugger = &options->debugger, *checker = &options->checker;
	int status = 0;

	if (debugger->command.we_wordc)
		status = run_debugger_make(debugger, "--debugger", options->program);
	if (!status && options->valgrind)
		status = wordexp("valgrind", &checker->command, 0) ? RUN_REFUSED :
			 run_debugger_make(checker, "--valgrind", options->program);
	return status;
}

static bool debugger_set(struct run_job *job, const struct run_options *options)
{
	if (options->checker.words)
		job->program = options->checker.words;
	if (!options->debugger.words)
		return true;
	job->debugger = &options->debugger;
	job->terminal = run_terminal_owner();
	if (options->debugger.rank < job->processes)
		return true;
	run_log("--debugger: rank %u does not exist, must be 0 to %u", options->debugger.rank,
		job->processes - 1);
	return false;
}

static int job_run(const struct run_options *options, const struct run_fabric_info *machine,
		   struct run_job *job, struct run_mpirun *mpirun)
{
	*job = (struct run_job){
		.env = job->env, .program = options->program, .tag = options->tag,
		.timeout_ms = options->timeout_ms, .grace_ms = options->grace_ms, .progress = -1,
		.processes = job->env.places.count,
	};
	job->env.machine = machine;
	job->env.start_timeout_ms = options->start_timeout_ms;
	job->env.dead = run_dead_read(machine);
	if (!run_paths_clean(&job->env))
		return RUN_REFUSED;
	if (options->mpi) {
		if (!run_mpirun_make(mpirun, job->env.places.count, options->tag,
				     options->program))
			return RUN_REFUSED;
		job->mpirun = mpirun;
		job->program = mpirun->words;
		job->processes = 1;
	}
	if (!debugger_set(job, options) || !run_env_make(&job->env))
		return RUN_REFUSED;
	if (options->print_env)
		return job_print(job);
	if (!files_raise(job))
		return RUN_REFUSED;
	if (options->mpi)
		return mpi_run(job);
	/* A rank that waits in a debugger is not missing. */
	if (!job->debugger)
		job->attached = run_free_nodes_attached;
	return progress_open(job) ? run_supervise(job) : RUN_REFUSED;
}

static int launcher_run(int argc, char **argv)
{
	struct run_fabric_info machine = { .nl = NULL };
	struct run_job job = { .tag = false };
	struct run_mpirun mpirun = { .words = NULL };
	struct run_options options;
	int status;

	status = run_options_read(&options, argc, argv);
	if (status)
		return status == OPTION_DONE ? 0 : status;
	status = debugger_make(&options);
	if (!status)
		status = fabric_find(&machine, &options) &&
			 places_find(&job.env.places, &machine, &options) ?
			 job_run(&options, &machine, &job, &mpirun) : RUN_REFUSED;
	run_mpirun_free(&mpirun);
	run_debugger_free(&options.debugger);
	run_debugger_free(&options.checker);
	run_env_free(&job.env);
	torus_nl_free(machine.nl);
	free(options.where.nodes);
	return status;
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torus-run", launcher_run(argc, argv), RUN_REFUSED);
}
