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
 * run_env_make - generate the job's key, and make the list of members
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

static unsigned int variables(const struct run_env *env, uint32_t rank,
			      struct variable list[VARIABLES])
{
	const struct run_place *at = &env->places.at[rank];
	unsigned int count = 9;

	list[0] = (struct variable){ "TORUS_FABRIC", env->machine->fabric.name, "" };
	list[1] = (struct variable){ "TORUS_NODE", NULL, "" };
	query_text(&env->machine->fabric, at->node, list[1].text, sizeof(list[1].text));
	list[2] = (struct variable){ "TORUS_GROUP", NULL, "" };
	snprintf(list[2].text, sizeof(list[2].text), "%" PRIu32, at->group);
	list[3] = (struct variable){ "TORUS_RANK", NULL, "" };
	snprintf(list[3].text, sizeof(list[3].text), "%" PRIu32, rank);
	list[4] = (struct variable){ "TORUS_SIZE", NULL, "" };
	snprintf(list[4].text, sizeof(list[4].text), "%zu", env->places.count);
	list[5] = (struct variable){ "TORUS_KEY", NULL, "" };
	snprintf(list[5].text, sizeof(list[5].text), "0x%08" PRIx32, env->key);
	/*
	 * always set TORUS_VIEW, possibly to "", because torus-run may have inherited the value of
	 * another job
	 */
	list[6] = (struct variable){ "TORUS_VIEW", NULL, "" };
	if (env->places.axes)
		parse_shape_text(env->places.axes, env->places.view, list[6].text,
				 sizeof(list[6].text));
	list[7] = (struct variable){ "TORUS_MEMBERS", env->members, "" };
	list[8] = (struct variable){ "TORUS_DEAD", env->dead, "" };
	if (env->start_timeout_ms) {
		list[count] = (struct variable){ "TORUS_TIMEOUT", NULL, "" };
		snprintf(list[count].text, sizeof(list[count].text), "%" PRIu64 ".%03u",
			 env->start_timeout_ms / 1000,
			 (unsigned int)(env->start_timeout_ms % 1000));
		count++;
	}
	/*
	 * The value is empty with --print-env, where ranks are started by hand. Then a value of
	 * another job may stay: it does no harm, because the other job has another key.
	 */
	if (*env->progress)
		list[count++] = (struct variable){ TORUS_PROGRESS_VARIABLE, env->progress, "" };
	return count;
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
	unsigned int count = variables(env, rank, list), i;

	for (i = 0; i < count; i++)
		if (setenv(list[i].name, list[i].value ? list[i].value : list[i].text, 1))
			return false;
	return true;
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

/**
 * run_env_print - print a shell command per rank
 * @env: from run_env_make()
 * @program: the program and its arguments. Each printed line starts the program with the variables
 *    of one rank. If empty, each line exports the variables of one rank
 */
void run_env_print(const struct run_env *env, char **program)
{
	struct variable list[VARIABLES];
	unsigned int count, i;
	uint32_t rank;
	char **word;

	for (rank = 0; rank < env->places.count; rank++) {
		fputs(*program ? "env" : "export", stdout);
		count = variables(env, rank, list);
		for (i = 0; i < count; i++) {
			printf(" %s=", list[i].name);
			print_quoted(list[i].value ? list[i].value : list[i].text);
		}
		for (word = program; *word; word++) {
			putchar(' ');
			print_quoted(*word);
		}
		putchar('\n');
	}
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
