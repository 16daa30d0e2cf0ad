// SPDX-License-Identifier: GPL-2.0
/*
 * Describe the configuration of a fabric as torusctl commands. Parameters with their default value
 * are omitted.
 *
 * Registers that a read clears are not read, so that reading the configuration changes nothing.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "../netlink/job.h"
#include "../netlink/link.h"
#include "../netlink/node.h"
#include "../netlink/reg.h"
#include "../parse/fault.h"
#include "../parse/integer.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "config.h"
#include "tables.h"
#include "node_addr.h"
#include "diag.h"
#include "target.h"

#define TAIL_MAX	512	/* buffer size in bytes for the arguments after the node */

/* State of a fabric that is described: the objects from which the lines are made. */
struct source {
	const struct torus_nl_fabric *fabric;
	struct config *config;
	uint64_t ber;
	struct torus_nl_node *nodes;
	size_t nnodes;
	struct torus_nl_link *links;
	size_t nlinks;
	struct torus_nl_job *jobs;
	size_t njobs;
};

static void __attribute__((format(printf, 5, 6)))
add_line(const struct source *source, enum config_kind kind, uint32_t item, uint32_t node,
	 const char *format, ...)
{
	static const char *const heads[] = {
		[CONFIG_FABRIC] = "fabric add", [CONFIG_ROUTE] = "route load",
		[CONFIG_REG] = "reg write", [CONFIG_NODE] = "node set",
		[CONFIG_JOB] = "job add", [CONFIG_DEAD] = "node set",
		[CONFIG_LINK] = "link set", [CONFIG_FAULT] = "link set",
	};
	struct config *config = source->config;
	struct config_line *line;
	char place[PLACE_TEXT_MAX] = "";
	va_list args;

	line = torus_array_add(&config->lines, &config->count);
	if (!line) {
		config->failed = true;
		return;
	}
	*line = (struct config_line){ .kind = kind, .item = item, .node = node, .last = node };
	if (node != PARSE_ALL)
		place_text(source->fabric, node, place, sizeof(place));
	else if (kind != CONFIG_FABRIC && kind != CONFIG_ROUTE && kind != CONFIG_JOB)
		strcpy(place, "all");
	line->place = strdup(place);
	if (asprintf(&line->head, "%s %s", heads[kind], source->fabric->name) < 0)
		line->head = NULL;
	va_start(args, format);
	if (vasprintf(&line->tail, format, args) < 0)
		line->tail = NULL;
	va_end(args);
	if (!line->place || !line->head || !line->tail)
		config->failed = true;
}

/**
 * config_free - free the memory of a configuration
 */
void config_free(struct config *config)
{
	size_t i;

	for (i = 0; i < config->count; i++) {
		free(config->lines[i].head);
		free(config->lines[i].place);
		free(config->lines[i].tail);
	}
	free(config->lines);
	*config = (struct config){ .count = 0 };
}

/**
 * config_text - format a line as it is written to a file
 *
 * Return: the text, which the caller frees, or NULL if there is no memory.
 */
char *config_text(const struct config_line *line)
{
	char *text;

	return asprintf(&text, "%s%s%s %s", line->head, *line->place ? " " : "", line->place,
			line->tail) < 0 ? NULL : text;
}

/**
 * config_changed - check whether a parameter differs from its default
 * @param: the parameter, as the module reports it
 */
bool config_changed(const struct torus_nl_param *param)
{
	return strcmp(param->text, param->initial);
}

/* ------------------------------------------------------------------ fabric */

static void add_fabric(const struct source *source)
{
	const struct torus_nl_fabric *fabric = source->fabric;
	bool shaped = fabric->nshape;
	char shape[PARSE_SHAPE_MAX];
	char mesh[TORUS_DIMS_MAX * PARSE_DIM_MAX] = "";
	char name[PARSE_DIM_MAX];
	char *keys = NULL;
	size_t size = 0;
	FILE *text = open_memstream(&keys, &size);
	unsigned int d;
	size_t i;

	if (!text) {
		source->config->failed = true;
		return;
	}
	/* omit the open dimensions that the module adds by itself for this shape */
	for (d = 0; d < (shaped ? fabric->nshape : fabric->ndims); d++)
		if (fabric->mesh & (1u << d))
			strcat(mesh, parse_dim_name(d, name, sizeof(name)));
	if (*mesh)
		fprintf(text, " mesh %s", mesh);
	fprintf(text, " seed %" PRIu64 " domains %" PRIu32, fabric->seed, fabric->domains);
	for (i = 0; i < fabric->nparams; i++)
		if (config_changed(&fabric->params[i]))
			fprintf(text, " %s %s", fabric->params[i].key, fabric->params[i].text);
	fclose(text);
	add_line(source, CONFIG_FABRIC, 0, PARSE_ALL, "arch %s shape %s%s", fabric->arch,
		 parse_shape_text(shaped ? fabric->nshape : fabric->ndims,
				  shaped ? fabric->shape : fabric->dims, shape, sizeof(shape)),
		 keys);
	free(keys);
}

/* ------------------------------------------------------------------- nodes */

static bool node_dead(const struct source *source, uint32_t number)
{
	size_t i;

	for (i = 0; i < source->nnodes; i++)
		if (source->nodes[i].node == number)
			return !source->nodes[i].state;
	return false;
}

/* Check whether a partition belongs to a job. The line of the job sets such a partition. */
static bool job_partition(const struct source *source, uint32_t partition)
{
	size_t i;

	for (i = 0; i < source->njobs; i++)
		if (source->jobs[i].partition == partition)
			return true;
	return false;
}

/*
 * Add a job as a list of its nodes. So a restored job gets the same nodes, whatever nodes are free
 * then.
 */
static int add_job(struct ctl *ctl, const struct source *source, size_t number)
{
	const char *fabric = source->fabric->name, *name = source->jobs[number].name;
	char shape[PARSE_SHAPE_MAX], *words = NULL;
	struct torus_nl_job job;
	size_t size = 0;
	FILE *text;
	uint32_t i;

	if (torus_nl_job_get(ctl->nl, fabric, name, &job))
		return ctl_failed(ctl);
	text = open_memstream(&words, &size);
	for (i = 0; text && i < job.count; i++)
		fprintf(text, " %" PRIu32, job.nodes[i]);
	if (text && !fclose(text))
		add_line(source, CONFIG_JOB, (uint32_t)number, PARSE_ALL, "%s%s%s nodes%s", name,
			 job.axes ? " view " : "",
			 job.axes ? parse_shape_text(job.axes, job.view, shape, sizeof(shape)) : "",
			 words);
	else
		source->config->failed = true;
	free(words);
	free(job.nodes);
	return CTL_OK;
}

static int add_jobs(struct ctl *ctl, struct source *source)
{
	int status = CTL_OK;
	size_t i;

	if (torus_nl_job_dump(ctl->nl, source->fabric->name, &source->jobs, &source->njobs))
		return ctl_failed(ctl);
	for (i = 0; i < source->njobs && !status; i++)
		status = add_job(ctl, source, i);
	return status;
}

/*
 * Add the owner, partition and state of nodes.
 *
 * `job add` assigns the lowest partition that no node has. So partitions set by hand come before
 * the jobs. The nodes of a job must be alive when the job is added, so the lines that kill nodes
 * come after it.
 */
static void add_nodes(const struct source *source)
{
	const struct torus_nl_node *node;
	char tail[96];
	int used;

	for (node = source->nodes; node < source->nodes + source->nnodes; node++) {
		bool jobs = job_partition(source, node->partition);
		bool dead = node->state != TORUS_NODE_ALIVE;

		used = 0;
		if (node->present & TORUS_NL_HAS(TORUS_A_UID) && node->uid != UINT32_MAX)
			used += sprintf(tail + used, "uid %" PRIu32 " ", node->uid);
		if (node->partition && !jobs)
			used += sprintf(tail + used, "partition %" PRIu32 " ", node->partition);
		if (dead && !jobs)
			used += sprintf(tail + used, "state dead ");
		if (used)
			add_line(source, CONFIG_NODE, 0, node->node, "%.*s", used - 1, tail);
		if (dead && jobs)
			add_line(source, CONFIG_DEAD, 0, node->node, "state dead");
	}
}

/* --------------------------------------------------------------- registers */

/* Return the bits of a register that report disabled senders, if the machine has such bits. */
static uint32_t reg_senders(const struct source *source, const struct torus_nl_reg *reg)
{
	const struct torus_machine *machine = torus_machine_find(source->fabric->arch);
	const struct torus_machine_field *field;
	const struct torus_nl_link *link;
	char name[32] = "disable_";
	uint32_t bits = 0;

	for (link = source->links; link < source->links + source->nlinks; link++) {
		if (link->node != reg->node || link->sender)
			continue;
		parse_dir_name(link->dir, name + strlen("disable_"), PARSE_DIR_MAX);
		field = torus_machine_field(machine, reg->name, name);
		if (field)
			bits |= torus_machine_field_mask(field);
	}
	return bits;
}

/*
 * Add the registers, without the bits that report disabled senders. Other lines restore these bits:
 * the lines of links, or the line of a dead node.
 */
static int add_regs(struct ctl *ctl, const struct source *source)
{
	struct torus_nl_reg *regs;
	struct torus_nl_reg *reg;
	size_t count;

	if (torus_nl_reg_dump_changed(ctl->nl, source->fabric->name, &regs, &count))
		return ctl_failed(ctl);
	for (reg = regs; reg < regs + count; reg++) {
		reg->value &= ~reg_senders(source, reg);
		if (reg->value == reg->boot)
			continue;
		add_line(source, CONFIG_REG, reg->reg, reg->node, "%s 0x%08" PRIx32, reg->name,
			 reg->value);
		if (source->config->count)
			source->config->lines[source->config->count - 1].boot = reg->boot;
	}
	free(regs);
	return CTL_OK;
}

/* ------------------------------------------------------------------- links */

/*
 * Format a bit error rate with as many digits as are needed to read back the same value. The
 * module's unit is 2^-64.
 */
static int ber_text(uint64_t ber, char *text, size_t size)
{
	__u64 again;
	struct parse_error why;
	int digits;

	for (digits = 3; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, parse_double(ber, PARSE_BER_BITS));
		if (parse_ber(text, &again, &why) && again == ber)
			break;
	}
	return strlen(text);
}

static int link_counts(const struct torus_nl_link *link, char *text, size_t size)
{
	const struct {
		const char *name;
		uint32_t value;
	} counts[] = {
		{ "corrupt", link->corrupt }, { "escape", link->escape },
		{ "drop-ack", link->drop_ack }, { "drop-nack", link->drop_nack },
		{ "corrupt-ack", link->corrupt_ack },
		{ "ecc-single", link->ecc_single }, { "ecc-double", link->ecc_double },
		{ "parity", link->parity },
	};
	size_t i;
	int used = 0;

	for (i = 0; i < ARRAY_SIZE(counts); i++)
		if (counts[i].value)
			used += snprintf(text + used, size - used, " %s %" PRIu32, counts[i].name,
					 counts[i].value);
	return used;
}

static void add_link(const struct source *source, const struct torus_nl_link *link)
{
	uint32_t state = link->has_base ? link->base_state : link->state;
	uint64_t ber = link->has_base ? link->base_ber : link->ber;
	uint64_t delay = link->has_base ? link->base_delay : link->delay_ticks;
	bool cut = node_dead(source, link->node) || node_dead(source, link->peer);
	char tail[TAIL_MAX];
	char dir[PARSE_DIR_MAX];
	char rate[64];
	int used = 0;

	if (!state)
		used += snprintf(tail + used, sizeof(tail) - used, " state down");
	if (ber != source->ber) {
		ber_text(ber, rate, sizeof(rate));
		used += snprintf(tail + used, sizeof(tail) - used, " ber %s", rate);
	}
	used += link_counts(link, tail + used, sizeof(tail) - used);
	if (delay)
		used += snprintf(tail + used, sizeof(tail) - used, " delay %" PRIu64, delay);
	if (!link->sender && (!cut || link->control & TORUS_LINK_DEAD))
		used += snprintf(tail + used, sizeof(tail) - used, " sender %s",
				 parse_sender_name(torus_nl_link_sender(link)));
	if (used)
		add_line(source, CONFIG_LINK, link->dir, link->node, "%s%s",
			 parse_dir_name(link->dir, dir, sizeof(dir)), tail);
}

/* ------------------------------------------------------------------ faults */

/*
 * Add a fault that starts or ends at a future tick. If the fault is active, its counts are saved
 * with its link, not here.
 */
static void add_fault(const struct source *source, const struct torus_nl_link *fault)
{
	bool some = fault->present & TORUS_NL_HAS(TORUS_A_NODE);
	char tail[TAIL_MAX];
	char dir[PARSE_DIR_MAX] = "all";
	char rate[64];
	int used = 0;

	if (fault->present & TORUS_NL_HAS(TORUS_A_DIR))
		parse_dir_name(fault->dir, dir, sizeof(dir));
	if (fault->present & TORUS_NL_HAS(TORUS_A_LINK_STATE))
		used += snprintf(tail + used, sizeof(tail) - used, " state %s",
				 fault->state ? "up" : "down");
	if (fault->present & TORUS_NL_HAS(TORUS_A_LINK_BER)) {
		ber_text(fault->ber, rate, sizeof(rate));
		used += snprintf(tail + used, sizeof(tail) - used, " ber %s", rate);
	}
	if (!fault->begun)
		used += link_counts(fault, tail + used, sizeof(tail) - used);
	if (fault->present & TORUS_NL_HAS(TORUS_A_LINK_DELAY))
		used += snprintf(tail + used, sizeof(tail) - used, " delay %" PRIu64,
				 fault->delay_ticks);
	if (!used)
		return;
	if (fault->at_ticks)
		used += snprintf(tail + used, sizeof(tail) - used, " at %" PRIu64,
				 fault->at_ticks);
	if (fault->for_ticks)
		used += snprintf(tail + used, sizeof(tail) - used, " for %" PRIu64,
				 fault->for_ticks);
	add_line(source, CONFIG_FAULT, 0, some ? fault->node : PARSE_ALL, "%s%s", dir, tail);
}

static int add_faults(struct ctl *ctl, const struct source *source)
{
	struct torus_nl_link *faults;
	size_t count;
	size_t i;

	if (torus_nl_fault_dump(ctl->nl, source->fabric->name, &faults, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count; i++)
		add_fault(source, &faults[i]);
	free(faults);
	return CTL_OK;
}

/* ------------------------------------------------------ whole configuration */

static int in_order(const void *left, const void *right)
{
	const struct config_line *a = left;
	const struct config_line *b = right;
	int tails;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->item != b->item)
		return a->item < b->item ? -1 : 1;
	tails = strcmp(a->tail, b->tail);
	if (tails)
		return tails;
	return a->node < b->node ? -1 : a->node > b->node;
}

/**
 * config_sort - sort the lines of a configuration, with the lines of faults last
 * @config: [in, out] the lines, in which those of faults follow all others
 *
 * The order of faults is kept: the later of two faults of a link takes effect.
 */
void config_sort(struct config *config)
{
	size_t sorted;

	for (sorted = 0; sorted < config->count; sorted++)
		if (config->lines[sorted].kind == CONFIG_FAULT)
			break;
	if (sorted)
		qsort(config->lines, sorted, sizeof(*config->lines), in_order);
}

static int read_rest(struct ctl *ctl, struct source *source)
{
	const char *name = source->fabric->name;
	int status = CTL_OK;
	size_t i;

	if (torus_nl_node_dump_changed(ctl->nl, name, &source->nodes, &source->nnodes) ||
	    torus_nl_link_dump_changed(ctl->nl, name, &source->links, &source->nlinks))
		return ctl_failed(ctl);
	if (torus_machine_can(torus_machine_find(source->fabric->arch), TORUS_MACHINE_REGISTERS))
		status = add_regs(ctl, source);
	if (!status)
		status = add_jobs(ctl, source);
	if (status)
		return status;
	add_nodes(source);
	for (i = 0; i < source->nlinks; i++)
		add_link(source, &source->links[i]);
	return add_faults(ctl, source);
}

/**
 * config_read - read the configuration of a fabric
 * @ctl: the call, connected
 * @name: name of the fabric
 * @config: [out] lines, before config_join(); freed with config_free()
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int config_read(struct ctl *ctl, const char *name, struct config *config)
{
	struct torus_nl_fabric fabric;
	struct source source = { .fabric = &fabric, .config = config };
	char tail[TAIL_MAX];
	size_t i;
	int status;

	*config = (struct config){ .count = 0 };
	if (torus_nl_fabric_get(ctl->nl, name, &fabric))
		return ctl_failed(ctl);
	for (i = 0; i < fabric.nparams; i++)
		if (!strcmp(fabric.params[i].key, "ber"))
			source.ber = fabric.params[i].value;
	add_fabric(&source);
	status = config_route_tail(ctl, &fabric, tail, sizeof(tail));
	if (!status && *tail)
		add_line(&source, CONFIG_ROUTE, 0, PARSE_ALL, "%s", tail);
	if (!status)
		status = read_rest(ctl, &source);
	free(source.nodes);
	free(source.links);
	free(source.jobs);
	if (!status && config->failed) {
		ctl_error(ctl, "fabric %s: out of memory for its configuration", name);
		status = CTL_FAILED;
	}
	if (status) {
		config_free(config);
		return status;
	}
	config_sort(config);
	return CTL_OK;
}

/* Replace the node in a line by the line's range of nodes, or by `all`. */
static void join_place(const struct torus_nl_fabric *fabric, struct config_line *line)
{
	char *place;

	if (line->last == line->node)
		return;
	if (line->last - line->node == fabric->nodes - 1)
		place = strdup("all");
	else if (asprintf(&place, "%" PRIu32 "-%" PRIu32, line->node, line->last) < 0)
		place = NULL;
	if (!place)
		return;
	free(line->place);
	line->place = place;
}

/**
 * config_join - merge lines that differ only in the node, for consecutive node numbers, into one
 * line; the lines of faults are not merged
 * @fabric: the fabric that the lines describe
 * @config: [in, out] the lines
 */
void config_join(const struct torus_nl_fabric *fabric, struct config *config)
{
	struct config_line *into = config->lines;
	struct config_line *line;

	for (line = config->lines + 1; config->count && line < config->lines + config->count;
	     line++) {
		if (line->kind == into->kind && line->kind != CONFIG_FABRIC &&
		    line->kind != CONFIG_FAULT && line->item == into->item &&
		    line->node == into->last + 1 && !strcmp(line->tail, into->tail)) {
			into->last = line->node;
			free(line->head);
			free(line->place);
			free(line->tail);
			continue;
		}
		join_place(fabric, into);
		*++into = *line;
	}
	if (config->count) {
		join_place(fabric, into);
		config->count = into - config->lines + 1;
	}
}
