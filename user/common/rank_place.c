// SPDX-License-Identifier: GPL-2.0
/* The place of this process in a job, by its environment. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rank_place.h"

#define BLANKS		" \t\r\n"
#define SHOWN_MAX	40	/* bytes of an entry that an error message shows */
#define FILE_MAX	(256u * 1024 * 1024)	/* greatest length of a list of members, in bytes */

/* The variables in which launchers of MPI programs pass a rank, and a text that names the job. */
static const struct {
	const char *rank;
	const char *job;
} launchers[] = {
	{ "OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE" },
	{ "PMIX_RANK", "PMIX_NAMESPACE" },
	{ "PMI_RANK", "PMI_JOBID" },
	{ "MPI_RANKID", "MPI_JOBID" },
	{ "SLURM_PROCID", "SLURM_JOB_ID" },
};

#define LAUNCHERS	(sizeof(launchers) / sizeof(launchers[0]))

/* Parse a decimal number at @text, and advance @text to its end. */
static bool number(const char **text, uint32_t *value)
{
	unsigned long long got;
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	got = strtoull(*text, &end, 10);
	if (errno || got > UINT32_MAX)
		return false;
	*text = end;
	*value = (uint32_t)got;
	return true;
}

/* Find the launcher that has started this process. Return: index of the launcher, or LAUNCHERS. */
static unsigned int launcher(uint32_t *rank)
{
	unsigned int i;

	for (i = 0; i < LAUNCHERS; i++) {
		const char *text = getenv(launchers[i].rank);

		if (text && number(&text, rank) && !*text)
			break;
	}
	return i;
}

/**
 * torus_mpi_rank - get the rank that mpirun or another launcher of MPI programs has set
 * @name: [out] variable with the rank
 * @rank: [out] the rank
 *
 * Return: false if no launcher has set a rank.
 */
bool torus_mpi_rank(const char **name, uint32_t *rank)
{
	unsigned int i = launcher(rank);

	if (i < LAUNCHERS)
		*name = launchers[i].rank;
	return i < LAUNCHERS;
}

/**
 * torus_mpi_key - make a key of a job from the launcher's name of it
 * @key: [out] the key, not 0, the same in all processes of the job
 *
 * Return: false if the launcher has set no name.
 */
bool torus_mpi_key(uint32_t *key)
{
	uint32_t rank, hash = 2166136261u;	/* FNV-1a */
	unsigned int i = launcher(&rank);
	const char *text = i < LAUNCHERS ? getenv(launchers[i].job) : NULL;

	if (!text || !*text)
		return false;
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 16777619u;
	*key = hash ? hash : 1;
	return true;
}

/* Read a file into memory. Return: 0 or a negative errno. */
static int read_file(const char *name, char **text)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC), ret = 0;
	size_t bytes = 0, size = 0;
	struct stat stat;
	ssize_t got = 1;

	*text = NULL;
	if (fd < 0 || fstat(fd, &stat))
		ret = -errno;
	else if (stat.st_size < 0 || (unsigned long long)stat.st_size > FILE_MAX)
		ret = -EFBIG;
	if (!ret) {
		size = stat.st_size;
		*text = malloc(size + 1);
		ret = *text ? 0 : -ENOMEM;
	}
	while (!ret && bytes < size && got) {
		got = read(fd, *text + bytes, size - bytes);
		if (got > 0)
			bytes += got;
		else if (got < 0 && errno != EINTR)
			ret = -errno;
	}
	if (fd >= 0)
		close(fd);
	if (ret) {
		free(*text);
		*text = NULL;
	} else {
		(*text)[bytes] = '\0';
	}
	return ret;
}

/**
 * torus_members_text - get the list of members
 * @value: value of TORUS_MEMBERS: the list, or @FILE
 * @text: [out] the list, freed by the caller; NULL on an error
 *
 * Return: 0, -ENOMEM, or a negative errno of reading the file.
 */
int torus_members_text(const char *value, char **text)
{
	if (*value == '@')
		return read_file(value + 1, text);
	*text = strdup(value);
	return *text ? 0 : -ENOMEM;
}

/**
 * torus_members_next - parse an entry NODE/GROUP of the list, or NODE for group 0
 * @text: [in, out] start of the entry; advanced to its end
 * @node: [out] number of the node
 * @group: [out] FIFO group
 *
 * Return: false if the entry is invalid; then @text stays.
 */
bool torus_members_next(const char **text, uint32_t *node, uint32_t *group)
{
	const char *at = *text;

	*group = 0;
	if (!number(&at, node))
		return false;
	if (*at == '/') {
		at++;
		if (!number(&at, group))
			return false;
	}
	if (*at && !strchr(BLANKS, *at))
		return false;
	*text = at;
	return true;
}

/**
 * torus_members_skip - skip blanks in the list
 * @text: end of an entry, or start of the list
 *
 * Return: start of the next entry, or the end of the list.
 */
const char *torus_members_skip(const char *text)
{
	return text + strspn(text, BLANKS);
}

/**
 * torus_members_past - skip an entry of the list, valid or not
 * @text: start of the entry
 *
 * Return: end of the entry.
 */
const char *torus_members_past(const char *text)
{
	return text + strcspn(text, BLANKS);
}

/**
 * torus_members_length - get the number of bytes of an entry that an error message shows
 * @text: start of the entry
 *
 * Return: the number, at most SHOWN_MAX.
 */
int torus_members_length(const char *text)
{
	size_t length = torus_members_past(text) - text;

	return length < SHOWN_MAX ? (int)length : SHOWN_MAX;
}
