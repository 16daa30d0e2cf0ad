// SPDX-License-Identifier: GPL-2.0
/* Make the environment variables of a rank; see torus_job_init(3). */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "../common/progress.h"
#include "../common/rank_traffic.h"
#include "env.h"
#include "run.h"
#include "log.h"
#include "../parse/shape.h"

/* maximum bytes of the list of members in the environment */
#define MEMBERS_MAX	(64 << 10)
#define MEMBER_BYTES	24		/* maximum bytes of a member in the list */
#define VARIABLES	11	/* maximum number of environment variables of a rank */

/* An environment variable of a rank. Its value is @value, or @text if @value is NULL. */
struct variable {
	const char *name;
	const char *value;
	char text[PARSE_COORDS_MAX];
};

/*
 * Write the list of members to a temporary file, because the list is too long for the environment.
 */
static bool members_file(struct run_env *env)
{
	const char *dir = getenv("TMPDIR");
	size_t length = strlen(env->members), done = 0;
	char *name;
	ssize_t ret = 0;
	int fd;

	snprintf(env->file, sizeof(env->file), "%s/torus-members.XXXXXX",
		 dir && *dir ? dir : "/tmp");
	fd = mkstemp(env->file);
	while (fd >= 0 && done < length && ret >= 0) {
		ret = write(fd, env->members + done, length - done);
		done += ret > 0 ? ret : 0;
	}
	if (fd < 0 || ret < 0) {
		run_log("cannot write the list of members to %s: %s", env->file, strerror(errno));
		return false;
	}
	close(fd);
	if (asprintf(&name, "@%s", env->file) < 0)
		return false;
	free(env->members);
	env->members = name;
	return true;
}

/**
 * run_env_make - generate the job's key unless it is set, and make the list of members
 * @env: [in, out] environment, whose places are set
 *
 * Return: true, or false after an error message.
 */
bool run_env_make(struct run_env *env)
{
	size_t size = env->places.count * MEMBER_BYTES + 1, used = 0, i;
	bool groups = false;

	while (!env->key) {
		if (getrandom(&env->key, sizeof(env->key), 0) < 0) {
			run_log("cannot generate a random key: %s", strerror(errno));
			return false;
		}
	}
	env->members = malloc(size);
	if (!env->members) {
		run_log("out of memory for %zu members", env->places.count);
		return false;
	}
	for (i = 0; i < env->places.count; i++)
		groups = groups || env->places.at[i].group;
	for (i = 0; i < env->places.count; i++) {
		const struct run_place *at = &env->places.at[i];

		used += snprintf(env->members + used, size - used, "%s%" PRIu32, i ? " " : "",
				 at->node);
		if (groups)
			used += snprintf(env->members + used, size - used, "/%" PRIu32, at->group);
	}
	return used <= MEMBERS_MAX || members_file(env);
}

/* Add the variables that are the same for all ranks. Return: number of variables in the list. */
static unsigned int job_variables(const struct run_env *env, struct variable list[VARIABLES],
				  unsigned int count)
{
	list[count++] = (struct variable){ "TORUS_FABRIC", env->machine->fabric.name, "" };
	list[count] = (struct variable){ "TORUS_SIZE", NULL, "" };
	snprintf(list[count].text, sizeof(list[count].text), "%zu", env->places.count);
	list[++count] = (struct variable){ "TORUS_KEY", NULL, "" };
	snprintf(list[count].text, sizeof(list[count].text), "0x%08" PRIx32, env->key);
	/*
	 * always set TORUS_VIEW, possibly to "", because torus-run may have inherited the value of
	 * another job
	 */
	list[++count] = (struct variable){ "TORUS_VIEW", NULL, "" };
	if (env->places.axes)
		parse_shape_text(env->places.axes, env->places.view, list[count].text,
				 sizeof(list[count].text));
	list[++count] = (struct variable){ "TORUS_MEMBERS", env->members, "" };
	list[++count] = (struct variable){ "TORUS_DEAD", env->dead, "" };
	if (env->start_timeout_ms) {
		list[++count] = (struct variable){ "TORUS_TIMEOUT", NULL, "" };
		snprintf(list[count].text, sizeof(list[count].text), "%" PRIu64 ".%03u",
			 env->start_timeout_ms / 1000,
			 (unsigned int)(env->start_timeout_ms % 1000));
	}
	/*
	 * The value is empty with --print-env, where ranks are started by hand. Then a value of
	 * another job may stay: it does no harm, because the other job has another key.
	 */
	if (*env->progress)
		list[++count] = (struct variable){ TORUS_PROGRESS_VARIABLE, env->progress, "" };
	if (*env->traffic)
		list[++count] = (struct variable){ TORUS_TRAFFIC_VARIABLE, env->traffic, "" };
	return count + 1;
}

static unsigned int variables(const struct run_env *env, uint32_t rank,
			      struct variable list[VARIABLES])
{
	const struct run_place *at = &env->places.at[rank];

	list[0] = (struct variable){ "TORUS_NODE", NULL, "" };
	query_text(&env->machine->fabric, at->node, list[0].text, sizeof(list[0].text));
	list[1] = (struct variable){ "TORUS_GROUP", NULL, "" };
	snprintf(list[1].text, sizeof(list[1].text), "%" PRIu32, at->group);
	list[2] = (struct variable){ "TORUS_RANK", NULL, "" };
	snprintf(list[2].text, sizeof(list[2].text), "%" PRIu32, rank);
	return job_variables(env, list, 3);
}

static const char *value_of(const struct variable *variable)
{
	return variable->value ? variable->value : variable->text;
}

static bool variables_set(const struct variable *list, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (setenv(list[i].name, value_of(&list[i]), 1))
			return false;
	return true;
}

/**
 * run_env_set - set a rank's variables in the environment of this process
 * @env: from run_env_make()
 * @rank: the rank
 *
 * Return: false if there is no memory.
 */
bool run_env_set(const struct run_env *env, uint32_t rank)
{
	struct variable list[VARIABLES];

	return variables_set(list, variables(env, rank, list));
}

/* Variables of a single rank. The ranks of MPI must not inherit those of another job. */
static const char *const rank_names[] = { "TORUS_NODE", "TORUS_GROUP", "TORUS_RANK" };

#define RANK_NAMES	(sizeof(rank_names) / sizeof(rank_names[0]))

static unsigned int mpi_variables(const struct run_env *env, const char *provider_path,
				  struct variable list[VARIABLES])
{
	unsigned int count = job_variables(env, list, 0);

	if (*provider_path)
		list[count++] = (struct variable){ "FI_PROVIDER_PATH", provider_path, "" };
	return count;
}

/**
 * run_env_set_mpi - set the variables of mpirun, which its ranks inherit, in this process
 * @env: from run_env_make()
 * @provider_path: value of FI_PROVIDER_PATH; "": it stays as it is
 *
 * Return: false if there is no memory.
 */
bool run_env_set_mpi(const struct run_env *env, const char *provider_path)
{
	struct variable list[VARIABLES];
	size_t i;

	for (i = 0; i < RANK_NAMES; i++)
		if (unsetenv(rank_names[i]))
			return false;
	return variables_set(list, mpi_variables(env, provider_path, list));
}

/* Print a word, quoted for a shell if necessary. */
static void print_quoted(const char *word)
{
	const char *at = word;

	while (isalnum((unsigned char)*at) || (*at && strchr("_@%+=:,./-", *at)))
		at++;
	if (*word && !*at) {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	}
	putchar('\'');
}

/* Print variables and a command, to the end of the line. */
static void print_line(const struct variable *list, unsigned int count, char **words)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		printf(" %s=", list[i].name);
		print_quoted(value_of(&list[i]));
	}
	for (; *words; words++) {
		putchar(' ');
		print_quoted(*words);
	}
	putchar('\n');
}

/**
 * run_env_print - print a shell command per rank
 * @env: from run_env_make()
 * @program: the program and its arguments. Each printed line starts the program with the variables
 *    of one rank. If empty, each line exports the variables of one rank
 */
void run_env_print(const struct run_env *env, char **program)
{
	struct variable list[VARIABLES];
	uint32_t rank;

	for (rank = 0; rank < env->places.count; rank++) {
		fputs(*program ? "env" : "export", stdout);
		print_line(list, variables(env, rank, list), program);
	}
}

/**
 * run_env_print_mpi - print the shell command that starts mpirun
 * @env: from run_env_make()
 * @provider_path: value of FI_PROVIDER_PATH; "": it stays as it is
 * @words: command line of mpirun
 */
void run_env_print_mpi(const struct run_env *env, const char *provider_path, char **words)
{
	struct variable list[VARIABLES];
	size_t i;

	fputs("env", stdout);
	for (i = 0; i < RANK_NAMES; i++)
		printf(" -u %s", rank_names[i]);
	print_line(list, mpi_variables(env, provider_path, list), words);
}

/**
 * run_env_free - free the environment, and remove the file of members
 * @env: from run_env_make()
 */
void run_env_free(struct run_env *env)
{
	if (*env->file)
		unlink(env->file);
	free(env->members);
	free(env->dead);
	free(env->places.at);
}
