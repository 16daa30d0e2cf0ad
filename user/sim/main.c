// SPDX-License-Identifier: GPL-2.0
/* torus-sim: simulates machines in a user process with the same core as torus.ko. */
#include <stdio.h>
#include <string.h>

#include <linux/torus.h>

#include "../barrier/command.h"
#include "../common/answer.h"
#include "../common/version.h"
#include "../jobs/command.h"
#include "../paper/paper.h"
#include "../replay/replay.h"
#include "../vtime_replay/rerun.h"
#include "base/message.h"
#include "keys_command.h"
#include "run_command.h"
#include "sweep/sweep.h"
#include "transport/procs.h"

#define WHY_MAX	512	/* bytes of the error message of sim_procs_begin() */

static const struct sim_command *const commands[] = {
	&sim_run_command, &sim_sweep_command,
	&sim_replay_command, &sim_paper_command, &sim_jobs_command, &sim_barrier_command,
	&sim_rerun_command, &sim_keys_command,
};

#define COMMANDS	(sizeof(commands) / sizeof(commands[0]))

static void help(FILE *out)
{
	size_t i;

	fputs("torus-sim COMMAND [OPTION]...\n"
	      "torus-sim --version\n\n", out);
	for (i = 0; i < COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->help);
	fputs("\n"
	      "torus-sim COMMAND --help, or torus-sim help COMMAND, prints more.\n", out);
}

/* Reject a command that several processes cannot run together. */
static int not_by_ranks(void)
{
	char all[64] = "";
	size_t used = 0;
	size_t i;

	for (i = 0; i < COMMANDS && used < sizeof(all); i++)
		if (commands[i]->ranks)
			used += snprintf(all + used, sizeof(all) - used, "%s%s", used ? " " : "",
					 commands[i]->name);
	return sim_reject("the command must run as one process, not as %u ranks (commands for "
			  "several ranks: %s)", sim_procs_count(), all);
}

static int no_such_command(const char *word)
{
	char all[128] = "";
	size_t used = 0;
	size_t i;

	for (i = 0; i < COMMANDS && used < sizeof(all); i++)
		used += snprintf(all + used, sizeof(all) - used, "%s%s", i ? " " : "",
				 commands[i]->name);
	return sim_reject("unknown command \"%s\" (there are: %s)", word, all);
}

static int sim_command_run(int argc, char **argv)
{
	size_t i;

	if (argc < 2) {
		help(stderr);
		return SIM_USAGE;
	}
	if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version")) {
		printf("torus-sim %s, ABI %d\n", torus_version(), TORUS_ABI_VERSION);
		return SIM_OK;
	}
	if (!strcmp(argv[1], "help") && argc == 3) {
		char *words[4] = { argv[0], argv[2], (char[]){ "--help" }, NULL };

		return sim_command_run(argc, words);
	}
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) {
		help(stdout);
		return SIM_OK;
	}
	if (!strcmp(argv[1], "--options")) {
		fputs("--help\t\t\n--version\t\t\n=\t\t", stdout);
		for (i = 0; i < COMMANDS; i++)
			printf("%s ", commands[i]->name);
		puts("--help --version");
		return SIM_OK;
	}
	for (i = 0; i < COMMANDS; i++) {
		if (strcmp(argv[1], commands[i]->name))
			continue;
		sim_command_typed(commands[i]->name);
		if (sim_procs() && !commands[i]->ranks)
			return not_by_ranks();
		return commands[i]->run(argc - 1, argv + 1);
	}
	return no_such_command(argv[1]);
}

int main(int argc, char **argv)
{
	char why[WHY_MAX];
	const char *fault;
	int status;

	torus_answer_begin();
	if (sim_procs_begin(argv + (argc > 0), why, sizeof(why)))
		status = sim_command_run(argc, argv);
	/*
	 * mpirun kills all processes when one fails. So only process 0, which prints the message,
	 * exits with an error
	 */
	else
		status = strcmp(why, " ") ? sim_error("%s", why) : 0;
	fault = torus_answer_fault();
	if (fault) {
		sim_message("cannot write the result: %s", fault);
		status = status ? status : SIM_FAILED;
	}
	return sim_procs_end(status);
}
