// SPDX-License-Identifier: GPL-2.0
/* torus-sim replay: run an application's log on a machine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../parse/name.h"
#include "../parse/option.h"
#include "../parse/shape.h"
#include "arch/arch.h"
#include "core/base/random.h"
#include "../common/option.h"
#include "../sim/base/signals.h"
#include "../sim/run/measure.h"
#include "../sim/cmdline/proc_timeout.h"
#include "../sim/transport/procs.h"
#include "../parse/parse.h"
#include "replay.h"
#include "report.h"

#define SETS_MAX	64
#define TEXT_MAX	(64u << 20)	/* maximum bytes of a log */

/**
 * struct replay_args - command line
 * @file: name of the file with the log; NULL: do not print results
 * @arch: name of the machine. @arch, @shape and @mesh are NULL if the command line does not name
 *    them
 * @shape: shape of the machine
 * @mesh: dimensions that are a mesh
 * @seed: seed of all random streams
 * @threads: number of threads of each process
 * @domains: number of domains of the fabric
 * @json: true to print JSON
 * @progress: true to show progress
 * @timeout: maximum time without a message from another process
 * @ranks: processes of torus-sim that simulate together; NULL: only this one
 * @set: KEY=VALUE
 * @sets: number of entries in @set
 */
struct replay_args {
	const char *file;
	const char *arch;
	const char *shape;
	const char *mesh;
	u64 seed;
	u64 threads;
	u64 domains;
	bool json;
	bool progress;
	const char *timeout;
	struct torus_procs *ranks;
	const char *set[SETS_MAX];
	u32 sets;
};

static bool take_set(void *into, const struct option_row *row, const char *word,
		     struct parse_error *why)
{
	struct replay_args *asked = into;

	if (asked->sets == SETS_MAX)
		return parse_fail(why, "--%s %s: must be given at most %d times",
				  row->name, word, SETS_MAX);
	asked->set[asked->sets++] = word;
	return true;
}

#define AT(member)	.offset = offsetof(struct replay_args, member)

static const struct option_table table = {
	.status = SIM_USAGE,
	.bad = sim_reject,
	.words = "@file",
	.usage = "torus-sim replay FILE [OPTION]...\n"
		 "\n"
		 "FILE is the log of an application: what every rank computes, sends and "
		 "receives\n"
		 "(user/replay/README.md; examples in user/replay/examples). These options "
		 "override\n"
		 "the lines of the log about the machine:\n",
	.rows = (const struct option_row[]){
		{ "arch", 0, "A", "the machine (default: bgl)", AT(arch), .values = "@machine" },
		{ "shape", 0, "XxYxZ", "lengths of its dimensions", AT(shape) },
		{ "mesh", 0, "DIMS", "dimensions that are a mesh", AT(mesh) },
		{ "set", 0, "KEY=VALUE",
		  "a parameter of the machine, or of its routing tables\n"
		  "(policy, datelines ..); may be given many times",
		  .take = take_set, .values = "@set" },
		{ "seed", 0, "N", "seed of all random streams (default: 1)", AT(seed),
		  parse_option_u64 },
		{ "threads", 0, "N", "number of threads that simulate (default: 1)", AT(threads),
		  parse_option_u64, 1, TORUS_DOMAINS_MAX },
		{ "domains", 0, "N",
		  "parts that are simulated in parallel (default: one for each thread)",
		  AT(domains), parse_option_u64, 1, TORUS_DOMAINS_MAX },
		{ "json", 0, NULL, "print one JSON document", AT(json) },
		{ "progress", 0, NULL, "show progress even if standard error is no terminal",
		  AT(progress) },
		{ "rank-timeout", 0, "T",
		  "with mpirun: end if a process has sent nothing for T, like 30s, while\n"
		  "another process waits for it", AT(timeout) },
		{ .name = "help", .help = "print this" },
		{ },
	},
};

/* Select the number of domains: each process needs at least one domain per thread. */
static int take_domains(struct replay_args *asked)
{
	u32 ranks = asked->ranks ? asked->ranks->count : 1;

	if (!asked->domains)
		asked->domains = asked->threads * ranks;
	if (asked->threads > asked->domains)
		return sim_reject("threads %llu: must be at most the number of domains (%llu)",
				  asked->threads, asked->domains);
	if (asked->threads * ranks > asked->domains)
		return sim_reject("%u ranks with %llu threads each: must have at most as many "
				  "threads as domains (%llu)",
				  ranks, asked->threads, asked->domains);
	return SIM_OK;
}

static int replay_take_options(struct replay_args *asked, int argc, char **argv)
{
	int status;

	*asked = (struct replay_args){
		.seed = 1, .threads = 1, .progress = isatty(STDERR_FILENO), .ranks = sim_procs(),
	};
	status = option_read(&table, argc, argv, asked);
	if (!status)
		status = option_word(&table, argc, argv, "FILE is missing, see --help",
				     &asked->file);
	if (!status)
		status = sim_proc_timeout_parse(asked->timeout);
	return status ? status : take_domains(asked);
}

/* ------------------------------------------------------------------ machine */

/* Set KEY=VALUE: some keys belong to the routing tables, the others to the machine. */
static bool set_take(struct sim_run_config *options, const char *pair)
{
	struct torus_error err;
	const char *value;
	char key[32];

	if (!parse_pair(pair, key, sizeof(key), &value)) {
		sim_reject("set %s: must be KEY=VALUE", pair);
		return false;
	}
	if (sim_tables_set(&options->tables, key, value))
		return sim_tables_check(&options->tables, &options->config);
	if (!torus_config_set(&options->config, key, value, &err))
		return true;
	sim_reject("set %s", err.text);
	return false;
}

/*
 * Select a word of the command line, or that of the log if the command line has none. If the log's
 * word is selected, later error messages name its position.
 */
static const char *choose(const struct replay_log *log, const char *typed,
			  const struct replay_word *written)
{
	if (typed || !written->text[0])
		return typed;
	replay_log_at(log, written->place);
	return written->text;
}

static bool take_machine(struct torus_config *config, const struct replay_args *asked,
			 const struct replay_log *log)
{
	static const struct replay_place nowhere;
	const char *arch = choose(log, asked->arch, &log->arch);
	const char *shape_word, *mesh_word;
	struct torus_error err;
	struct parse_list shape;
	struct parse_error why;
	u32 mesh = 0;

	if (torus_arch_config(config, arch ? arch : torus_archs[0]->name, &err)) {
		sim_reject("%s", err.text);
		return false;
	}
	if (!config->arch->check) {
		sim_reject("arch %s: must be a machine whose nodes have a NIC for programs", arch);
		return false;
	}
	replay_log_at(log, nowhere);
	mesh_word = choose(log, asked->mesh, &log->mesh);
	if (mesh_word && !parse_mesh(mesh_word, &mesh, &why)) {
		sim_reject("%s", why.text);
		return false;
	}
	replay_log_at(log, nowhere);
	shape_word = choose(log, asked->shape, &log->shape);
	if (!shape_word) {
		sim_reject("--shape or a shape in %s is missing", log->lexer.name);
		return false;
	}
	if (!parse_shape("shape", shape_word, &shape, &why)) {
		sim_reject("%s", why.text);
		return false;
	}
	if (torus_config_shape(config, shape.count, shape.numbers, mesh, &err)) {
		sim_reject("%s", err.text);
		return false;
	}
	replay_log_at(log, nowhere);
	return true;
}

static bool take_config(struct sim_run_config *options, const struct replay_args *asked,
			const struct replay_log *log)
{
	struct torus_config *config = &options->config;
	u32 i;

	if (!take_machine(config, asked, log))
		return false;
	for (i = 0; i < log->sets; i++) {
		replay_log_at(log, log->set[i].place);
		if (!set_take(options, log->set[i].text))
			return false;
	}
	replay_log_at(log, (struct replay_place){ .line = 0 });
	for (i = 0; i < asked->sets; i++)
		if (!set_take(options, asked->set[i]))
			return false;
	config->seed = asked->seed;
	config->domains = (u32)asked->domains;
	config->procs = asked->ranks;
	if (asked->ranks)
		config->threads = (u32)asked->threads;
	if (config->domains <= config->geo.nodes)
		return true;
	sim_reject("domains %u: must be at most the %u nodes of the machine",
		   config->domains, config->geo.nodes);
	return false;
}

/* -------------------------------------------------------------------- file */

/*
 * Read a file. Return: the content of the file, freed by the caller; NULL after an error message.
 * @status: [out] exit status after an error.
 */
static char *read_file(const char *path, int *status)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "r") : stdin;
	char *text = NULL;
	size_t used = 0;
	size_t room = 0;

	*status = SIM_USAGE;
	if (!file) {
		sim_reject("%s: %s", path, strerror(errno));
		return NULL;
	}
	do {
		char *grown;

		room = room ? 2 * room : 4096;
		grown = room <= TEXT_MAX ? realloc(text, room) : NULL;
		if (!grown) {
			sim_reject("%s: out of memory, or longer than %u bytes",
				   path, TEXT_MAX);
			break;
		}
		text = grown;
		used += fread(text + used, 1, room - 1 - used, file);
	} while (used == room - 1);
	/* a short read means the end of the file */
	if (text && used < room - 1) {
		text[used] = '\0';
		if (ferror(file))
			sim_reject("%s: %s", path, strerror(errno));
		else if (strlen(text) != used)
			sim_reject("%s: contains byte 0, but must be a text file", path);
		else
			*status = SIM_OK;
	}
	if (file != stdin)
		fclose(file);
	if (*status) {
		free(text);
		return NULL;
	}
	return text;
}

/* Send the content of standard input, which the first process has read, to all other processes. */
static char *pass_text(struct torus_procs *ranks, char *text, int *status)
{
	size_t bytes;
	const void *all = ranks->pass(ranks, text, text ? strlen(text) + 1 : 0, &bytes);

	if (text)
		return text;
	text = malloc(bytes);
	if (text)
		memcpy(text, all, bytes);
	else
		*status = sim_error("out of memory for a log of %zu bytes", bytes);
	return text;
}

/* Compute a hash of the log's text, with which the processes compare their logs. */
static u64 text_mark(const char *text)
{
	u64 mark = 0;

	for (; *text; text++)
		mark = torus_mix(mark ^ (u8)*text);
	return mark;
}

/*
 * Read the log, and check that all processes have read the same text. Return: the text, freed by
 * the caller; NULL after an error message.
 */
static char *read_log(const struct replay_args *asked, int *status)
{
	bool passed = asked->ranks && !strcmp(asked->file, "-");
	char *text = NULL;

	*status = SIM_OK;
	if (!passed || !asked->ranks->self)
		text = read_file(asked->file, status);
	if (!*status && passed)
		text = pass_text(asked->ranks, text, status);
	if (!*status && asked->ranks)
		*status = sim_measure_agree(text_mark(text));
	if (*status) {
		free(text);
		return NULL;
	}
	return text;
}

/* ------------------------------------------------------------------ command */

static int run_ranks(const struct replay_job *job, struct torus_fabric *fabric,
		     const struct replay_args *asked, struct replay_result *result)
{
	struct replay_ranks app;
	int status = replay_ranks_begin(&app, job, fabric);

	if (!status)
		status = replay_run(&app, (u32)asked->threads, asked->progress, result);
	if (!status && asked->file)
		replay_print(&app, (u32)asked->threads, result, asked->json);
	if (!status)
		status = replay_status(&app, result);
	replay_ranks_end(&app);
	return status;
}

static int run_log(struct replay_log *log, const struct replay_args *asked,
		   struct replay_result *result)
{
	struct sim_run_config options = { .threads = (u32)asked->threads };
	struct torus_fabric *fabric;
	struct replay_job job = { .size = 0 };
	int status = SIM_USAGE;

	/* catch signals before the job is built, because that takes seconds for a long log */
	sim_signals_catch();
	if (take_config(&options, asked, log) &&
	    replay_job_make(&job, log, &options.config))
		status = sim_fabric_new(&options, &fabric);
	if (!status) {
		status = run_ranks(&job, fabric, asked, result);
		torus_fabric_destroy(fabric);
	}
	replay_job_free(&job);
	return status;
}

/**
 * replay_measure - run a log from memory without printing results
 * @name: name of the log in messages
 * @text: the log
 * @result: [out] the results
 *
 * Return: SIM_OK, or the exit status after an error message.
 */
int replay_measure(const char *name, const char *text, struct replay_result *result)
{
	const struct replay_args asked = { .seed = 1, .threads = 1, .domains = 1 };
	struct replay_log log;
	int status = SIM_USAGE;

	if (replay_log_parse(&log, name, text))
		status = run_log(&log, &asked, result);
	replay_log_free(&log);
	return status;
}

static int replay_command_run(int argc, char **argv)
{
	struct replay_result result;
	struct replay_log log;
	struct replay_args asked;
	char *text;
	int status;

	status = replay_take_options(&asked, argc, argv);
	if (status)
		return status == OPTION_DONE ? SIM_OK : status;
	text = read_log(&asked, &status);
	if (!text)
		return status;
	status = SIM_USAGE;
	if (replay_log_parse(&log, asked.file, text))
		status = run_log(&log, &asked, &result);
	replay_log_free(&log);
	free(text);
	return status;
}

const struct sim_command sim_replay_command = {
	.name = "replay",
	.help = "simulate an application's log: compute, send, receive, barrier, alltoall",
	.run = replay_command_run,
	.ranks = true,
};
