// SPDX-License-Identifier: GPL-2.0
/* Open the job that the environment variables of a launched process describe. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <torus/message.h>
#include "../common/rank_place.h"
#include "context/dead_links.h"
#include "context/error.h"
#include "context/node_number.h"
#include "job/job.h"
#include "open.h"

#define TIMEOUT_MAX	2000000u	/* seconds */

/**
 * struct launch_place - content of the environment
 * @fabric: name of the fabric
 * @node: coordinates or number of the node; NULL: that of this rank's entry in @members
 * @group: FIFO group
 * @rank: rank of this process
 * @size: number of ranks in the job
 * @key: key of the job
 * @members: array of @size members by rank; NULL: one rank at every node
 * @timeout_ms: time limit for all members to join, -1: no limit
 * @axes: number of axes of the job's view, 0: none
 * @view: lengths of these axes
 * @given: TORUS_DEAD is set
 * @dead: dead links of TORUS_DEAD
 */
struct launch_place {
	const char *fabric;
	const char *node;
	uint32_t group;
	uint32_t rank;
	uint32_t size;
	uint32_t key;
	struct torus_member *members;
	int timeout_ms;
	uint32_t axes;
	uint32_t view[TORUS_DIMS_MAX];
	bool given;
	struct dead_links dead;
};

static int place_get(const char *name, const char **text)
{
	*text = getenv(name);
	if (*text && **text)
		return 0;
	return torus_error_set(-EINVAL,
			       "%s is %s: the program must be started by torus-run, by hand with "
			       "the output of torus-run --print-env, or by mpirun with "
			       "TORUS_FABRIC and TORUS_MEMBERS",
			       name, *text ? "empty" : "not set");
}

/* Parse an environment variable that contains only a number: decimal, or with @hex also 0x... */
static int place_number(const char *name, bool hex, uint32_t least, uint32_t most, uint32_t *value)
{
	const char *text;
	unsigned long long number;
	int base = 10;
	char *end;
	int ret = place_get(name, &text);

	if (ret)
		return ret;
	if (hex && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && text[2])
		base = 16;
	errno = 0;
	number = strtoull(text, &end, base);
	if (*text < '0' || *text > '9' || *end || errno || number < least || number > most)
		return torus_error_set(-EINVAL, "%s is \"%.60s\": must be a number from %u to %u",
				       name, text, least, most);
	*value = number;
	return 0;
}

/*
 * Parse seconds with a decimal point, in any locale.  Return: milliseconds, 0 if the text is
 * invalid.
 */
static unsigned long long seconds_ms(const char *text)
{
	unsigned long long ms, part = 100;
	char *end;

	if (*text < '0' || *text > '9')
		return 0;
	ms = strtoull(text, &end, 10);
	if (ms > TIMEOUT_MAX)
		return 0;
	ms *= 1000;
	if (*end == '.')
		for (end++; *end >= '0' && *end <= '9'; end++, part /= 10)
			ms += part * (*end - '0');
	if (*end)
		return 0;
	/* round a time below one millisecond up */
	return ms || !strpbrk(text, "123456789") ? ms : 1;
}

static int place_timeout(int *timeout_ms)
{
	const char *text = getenv("TORUS_TIMEOUT");
	unsigned long long ms;

	*timeout_ms = -1;
	if (!text || !*text)
		return 0;
	ms = seconds_ms(text);
	if (!ms || ms > TIMEOUT_MAX * 1000ull)
		return torus_error_set(-EINVAL,
				       "TORUS_TIMEOUT is \"%.60s\": must be seconds, more than 0 "
				       "and at most 2000000",
				       text);
	*timeout_ms = (int)ms;
	return 0;
}

static int members_parse(struct launch_place *place, const char *text)
{
	struct torus_member member;
	uint32_t count = 0;

	place->members = calloc(place->size, sizeof(*place->members));
	if (!place->members)
		return torus_error_set(-ENOMEM, "out of memory for a job of %u ranks", place->size);
	for (text = torus_members_skip(text); *text; text = torus_members_skip(text), count++) {
		if (!torus_members_next(&text, &member.node, &member.group))
			return torus_error_set(-EINVAL,
					       "TORUS_MEMBERS: \"%.*s\", the entry of rank %u, "
					       "must be NODE or NODE/GROUP in decimal numbers",
					       torus_members_length(text), text, count);
		if (count < place->size)
			place->members[count] = member;
	}
	if (count == place->size)
		return 0;
	return torus_error_set(-EINVAL, "TORUS_MEMBERS has %u entries, must have TORUS_SIZE %u",
			       count, place->size);
}

/* Count the entries of a list, whether valid or not. */
static uint32_t members_count(const char *text)
{
	uint32_t count = 0;

	for (text = torus_members_skip(text); *text; text = torus_members_skip(text), count++)
		text = torus_members_past(text);
	return count;
}

/* Parse the list of TORUS_MEMBERS. If @place->size is 0, its number of entries is the size. */
static int place_members(struct launch_place *place, const char *value)
{
	char *text;
	int ret = torus_members_text(value, &text);

	if (ret)
		return torus_error_set(ret, "TORUS_MEMBERS is %.60s: %s", value, strerror(-ret));
	if (!place->size)
		place->size = members_count(text);
	if (!place->size || place->size > TORUS_JOB_RANKS_MAX)
		ret = torus_error_set(-EINVAL, "TORUS_MEMBERS has %u entries: must be 1 to %u",
				      place->size, TORUS_JOB_RANKS_MAX);
	else
		ret = members_parse(place, text);
	free(text);
	return ret;
}

/* Parse the lengths of the view, separated by x. */
static int place_view(struct launch_place *place)
{
	const char *text = getenv("TORUS_VIEW"), *at = text;
	unsigned long length;
	char *end;

	if (!text || !*text)
		return 0;
	do {
		errno = 0;
		length = strtoul(at, &end, 10);
		if (*at < '0' || *at > '9' || errno || !length || length > ~0u ||
		    (*end && *end != 'x') || place->axes == TORUS_DIMS_MAX)
			return torus_error_set(-EINVAL,
					       "TORUS_VIEW is \"%.60s\": must be lengths like "
					       "6x4x3, at most %u", text, TORUS_DIMS_MAX);
		place->view[place->axes++] = length;
		at = end + 1;
	} while (*end);
	return 0;
}

/* Parse one entry NODE/DIR or NODE/DIR/down at @text, and advance @text to its end. */
static int dead_entry(const char **text, struct dead_link *link)
{
	static const char dims[] = "xyz";
	unsigned long long node;
	const char *dim;
	char *end;

	errno = 0;
	node = strtoull(*text, &end, 10);
	if (**text < '0' || **text > '9' || errno || node > ~0u || *end != '/' || !end[1])
		return -EINVAL;
	link->node = node;
	dim = strchr(dims, end[1]);
	if (!dim || (end[2] != '+' && end[2] != '-'))
		return -EINVAL;
	link->dir = 2 * (dim - dims) + (end[2] == '-');
	end += 3;
	link->down = !strncmp(end, "/down", 5);
	if (link->down)
		end += 5;
	if (*end && *end != ' ')
		return -EINVAL;
	*text = end;
	return 0;
}

/*
 * Parse the list of links that torus-run found dead.  All ranks get the same list, so that they
 * avoid the same links.
 */
static int place_dead(struct launch_place *place)
{
	const char *text = getenv("TORUS_DEAD"), *at;
	uint32_t count = 1;

	if (!text || !*text)
		return 0;
	place->given = true;
	if (!strcmp(text, "none"))
		return 0;
	for (at = text; *at; at++)
		count += *at == ' ';
	place->dead.link = calloc(count, sizeof(*place->dead.link));
	if (!place->dead.link)
		return torus_error_set(-ENOMEM, "out of memory for %u dead links", count);
	for (at = text + strspn(text, " "); *at; at += strspn(at, " "))
		if (dead_entry(&at, &place->dead.link[place->dead.count++]))
			return torus_error_set(-EINVAL,
					       "TORUS_DEAD: \"%.*s\" is not a NODE/DIR or "
					       "NODE/DIR/down, like 12/x+",
					       torus_members_length(at), at);
	return 0;
}

static bool is_set(const char *name)
{
	const char *text = getenv(name);

	return text && *text;
}

/*
 * Get the place of a process that mpirun has started: it is in the entry of its rank. The key and
 * the number of ranks need not be set.
 */
static int place_of_mpi_rank(struct launch_place *place, const char *name)
{
	int ret = 0;

	if (is_set("TORUS_SIZE"))
		ret = place_number("TORUS_SIZE", false, 1, TORUS_JOB_RANKS_MAX, &place->size);
	if (!ret && (is_set("TORUS_KEY") || !torus_mpi_key(&place->key)))
		ret = place_number("TORUS_KEY", true, 1, ~0u, &place->key);
	if (!ret)
		ret = place_members(place, getenv("TORUS_MEMBERS"));
	if (ret)
		return ret;
	if (place->rank >= place->size)
		return torus_error_set(-EINVAL,
				       "%s is %u: TORUS_MEMBERS has only %u entries, must have one "
				       "for each rank", name, place->rank, place->size);
	place->group = place->members[place->rank].group;
	return 0;
}

/* Get the place of a process that torus-run has started, or a user by hand. */
static int place_of_variables(struct launch_place *place)
{
	const char *members = getenv("TORUS_MEMBERS");
	int ret = place_get("TORUS_NODE", &place->node);

	if (!ret)
		ret = place_number("TORUS_SIZE", false, 1, TORUS_JOB_RANKS_MAX, &place->size);
	if (!ret)
		ret = place_number("TORUS_RANK", false, 0, place->size - 1, &place->rank);
	if (!ret)
		ret = place_number("TORUS_KEY", true, 1, ~0u, &place->key);
	if (!ret && getenv("TORUS_GROUP"))
		ret = place_number("TORUS_GROUP", false, 0, ~0u, &place->group);
	return ret || !members ? ret : place_members(place, members);
}

static int place_read(struct launch_place *place)
{
	const char *name;
	int ret = place_get("TORUS_FABRIC", &place->fabric);

	if (ret)
		return ret;
	if (!is_set("TORUS_NODE") && is_set("TORUS_MEMBERS") &&
	    torus_mpi_rank(&name, &place->rank))
		ret = place_of_mpi_rank(place, name);
	else
		ret = place_of_variables(place);
	if (!ret)
		ret = place_timeout(&place->timeout_ms);
	if (!ret)
		ret = place_view(place);
	return ret ? ret : place_dead(place);
}

/*
 * Attach to the process's node.  The list of members or TORUS_NODE contains the node's number.  If
 * TORUS_NODE contains coordinates, the fabric's shape is read to compute the number.
 */
static int place_attach(const struct launch_place *place, const struct torus_attach_config *attach,
			struct torus_context **context)
{
	struct torus_attach_config config = { 0 };
	unsigned long number;
	char *end;

	if (attach)
		config = *attach;
	config.group = place->group;
	if (place->members)
		return torus_context_attach(context, place->fabric,
					    place->members[place->rank].node, &config);
	errno = 0;
	number = strtoul(place->node, &end, 10);
	if (*place->node >= '0' && *place->node <= '9' && !*end && !errno && number <= ~0u)
		return torus_context_attach(context, place->fabric, number, &config);
	return torus_context_attach_at(context, place->fabric, place->node, &config);
}

/* Check that TORUS_NODE and TORUS_GROUP agree with this rank's entry in the list of members. */
static int place_check(const struct launch_place *place, const struct torus_context *context)
{
	const struct torus_ioc_info *info = torus_context_info(context);
	char coords[12 * TORUS_DIMS_MAX] = "", number[12];
	const struct torus_member *member;
	uint32_t i, end = 0;

	if (!place->members || !place->node)
		return 0;
	member = &place->members[place->rank];
	for (i = 0; i < info->ndims; i++)
		end += snprintf(coords + end, sizeof(coords) - end, "%s%u", i ? "," : "",
				info->coords[i]);
	snprintf(number, sizeof(number), "%u", info->node);
	if (member->group == place->group &&
	    (!strcmp(place->node, number) || !strcmp(place->node, coords)))
		return 0;
	return torus_error_set(-EINVAL,
			       "TORUS_NODE is %.60s, TORUS_GROUP %u, but TORUS_MEMBERS has rank %u "
			       "at node %u (%s), group %u",
			       place->node, place->group, place->rank, member->node, coords,
			       member->group);
}

static int place_open(const struct launch_place *place, struct torus_context *context,
		      const struct torus_job_options *options, struct torus_job **job)
{
	struct torus_job_config config = {
		.key = place->key, .members = place->members,
		.count = place->members ? place->size : 0, .route = options->route,
		.length_max = options->length_max, .memory_max = options->memory_max,
		.axes = place->axes, .view = place->view,
		.unconnected = options->unconnected,
		.timeout_ms = options->timeout_ms ? options->timeout_ms : place->timeout_ms,
	};
	const struct dead_links *dead = place->given ? &place->dead : NULL;
	uint32_t nodes = torus_context_info(context)->nodes;
	uint32_t rank = place->rank, coords[TORUS_DIMS_MAX], node;
	int ret = 0;

	if (place->members)
		return torus_job_begin(job, context, &config, dead);
	if (place->size != nodes)
		return torus_error_set(-EINVAL,
				       "TORUS_SIZE is %u, but must be the %u nodes of fabric %s if "
				       "TORUS_MEMBERS is not set",
				       place->size, nodes, place->fabric);
	/* Ranks are assigned in the order of the node numbers, which may have gaps. */
	for (node = 0, rank = 0; node < torus_context_info(context)->node; node++)
		rank += !torus_number_coords(context, node, coords);
	if (rank != place->rank)
		ret = torus_error_set(-EINVAL,
				      "TORUS_RANK is %u, but node %.60s is that of rank %u if "
				      "TORUS_MEMBERS is not set",
				      place->rank, place->node, rank);
	return ret ? ret : torus_job_begin(job, context, &config, dead);
}

/**
 * torus_job_init() - attach and open a job as the environment describes
 * @job: [out] the job, closed by torus_job_close()
 * @context: [out] the context, to be detached by torus_context_detach() after the job is closed
 * @options: route, time-out and limits; NULL: defaults
 *
 * Attaches to the node and FIFO group of the environment, opens the job, and returns when all
 * members have joined, whenever they were started; with @options->unconnected at once. torus-run
 * sets:
 *
 *	TORUS_FABRIC	name of the fabric
 *	TORUS_NODE	the process's node, coordinates "1,2,3" or number
 *	TORUS_GROUP	its FIFO group; not set: 0
 *	TORUS_RANK	its rank
 *	TORUS_SIZE	number of ranks in the job
 *	TORUS_KEY	the job's key, decimal or 0x.., not 0
 *	TORUS_MEMBERS	an entry NODE/GROUP for each rank, or NODE for group 0, separated by
 *			blanks, in decimal numbers; or @FILE, a file with these entries.  Not
 *			set: every node by its number, in this process's FIFO group
 *	TORUS_TIMEOUT	seconds until all must have joined; not set: no limit
 *	TORUS_VIEW	lengths of the job's view, like 6x4x3; not set or empty: it has none
 *	TORUS_DEAD	links that all ranks avoid, an entry NODE/DIR for each, NODE/DIR/down if
 *			it is down, separated by blanks, or "none"; not set or empty: each rank
 *			asks the module (torus_route_learn(3))
 *	TORUS_PROGRESS	file in which the library notes for torus-run that this rank opens the job,
 *			and later that it has joined
 *
 * A process that mpirun has started needs TORUS_FABRIC and TORUS_MEMBERS only, if TORUS_NODE is not
 * set: its place is the entry of its MPI rank, and the job has one rank for each entry. If
 * TORUS_KEY is not set, the key is made from the launcher's name of the job.
 *
 * Return: 0, -EINVAL (a variable is not set or wrong: the text names it), an errno of reading
 * FILE, or as torus_context_attach_at() and torus_job_open(); then neither @job nor @context is
 * set.
 */
int torus_job_init(struct torus_job **job, struct torus_context **context,
		   const struct torus_job_options *options)
{
	static const struct torus_job_options defaults;
	struct torus_context *attached = NULL;
	struct launch_place place = { 0 };
	int ret;

	if (!options)
		options = &defaults;
	ret = place_read(&place);
	if (!ret)
		ret = place_attach(&place, options->attach, &attached);
	if (!ret)
		ret = place_check(&place, attached);
	if (!ret)
		ret = place_open(&place, attached, options, job);
	free(place.members);
	free(place.dead.link);
	if (ret)
		torus_context_detach(attached);
	else
		*context = attached;
	return ret;
}
