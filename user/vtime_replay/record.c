// SPDX-License-Identifier: GPL-2.0
/*
 * Read a record of programs in virtual time.
 *
 * The first line, from `torusctl save`, creates the fabric. Each other line is an action of a
 * program and begins with its process number. The lines of one process are in the order of its
 * actions:
 *
 * PID attach NODE GROUP inject CHUNKS receive CHUNKS [priority]
 * PID inject NODE GROUP FIFO TICK BYTES
 * PID read NODE GROUP FIFO TICK CHUNKS
 * PID leave TICK
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "../sim/base/message.h"
#include "../parse/script_lines.h"
#include "../parse/integer.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "arch/arch.h"
#include "core/base/node_number.h"
#include "record.h"

#define FABRIC_WORDS	3	/* the words fabric add NAME */
#define RING_MAX	(1u << 24)

/**
 * struct reading - state of the reader
 * @record: [out] the record so far
 * @lines: reader of the file
 * @made: the line that creates the fabric was read
 */
struct reading {
	struct vreplay_record *record;
	struct parse_lines lines;
	bool made;
};

static bool bad(const struct reading *r, const char *reason)
{
	sim_reject("%s:%u: %s", r->lines.name, r->lines.line, reason);
	return false;
}

static bool no_memory(const struct reading *r)
{
	sim_error("%s:%u: out of memory for the record", r->lines.name, r->lines.line);
	return false;
}

static bool take_number(const struct reading *r, const char *what, const char *word, u64 most,
			u64 *value)
{
	struct parse_error why;
	__u64 number;

	if (!parse_number(what, word, 0, most, &number, &why))
		return bad(r, why.text);
	*value = number;
	return true;
}

static bool take_u32(const struct reading *r, const char *what, const char *word, u32 most,
		     u32 *value)
{
	u64 number = 0;

	if (!take_number(r, what, word, most, &number))
		return false;
	*value = (u32)number;
	return true;
}

/* ------------------------------------------------------------------- fabric */

/* Return the value of a key after `fabric add NAME`, or NULL. */
static const char *fabric_word(const struct reading *r, const char *key)
{
	u32 i;

	for (i = FABRIC_WORDS; i + 1 < r->lines.count; i += 2)
		if (!strcmp(r->lines.words[i], key))
			return r->lines.words[i + 1];
	return NULL;
}

static bool take_shape(struct reading *r, const char *word, const char *mesh_word)
{
	struct parse_list shape;
	struct torus_error err;
	struct parse_error why;
	u32 mesh = 0;

	if (!parse_shape("shape", word, &shape, &why) ||
	    (mesh_word && !parse_mesh(mesh_word, &mesh, &why)))
		return bad(r, why.text);
	if (torus_config_shape(&r->record->config, shape.count, shape.numbers, mesh, &err))
		return bad(r, err.text);
	return true;
}

static bool take_key(struct reading *r, const char *key, const char *value)
{
	struct torus_config *config = &r->record->config;
	struct torus_error err;

	if (!strcmp(key, "arch") || !strcmp(key, "shape") || !strcmp(key, "mesh"))
		return true;
	if (!strcmp(key, "seed"))
		return take_number(r, "seed", value, ~0ull, &config->seed);
	if (!strcmp(key, "domains"))
		return take_u32(r, "domains", value, TORUS_DOMAINS_MAX, &config->domains);
	if (torus_config_set(config, key, value, &err))
		return bad(r, err.text);
	return true;
}

static bool take_fabric(struct reading *r)
{
	const char *arch = fabric_word(r, "arch"), *shape = fabric_word(r, "shape");
	struct torus_error err;
	u32 i;

	if (r->made)
		return bad(r, "a second fabric: a record must have only one");
	if (!arch || !shape || !(r->lines.count & 1))
		return bad(r, "must be fabric add NAME arch A shape S [KEY VALUE]...");
	if (torus_arch_config(&r->record->config, arch, &err))
		return bad(r, err.text);
	if (!take_shape(r, shape, fabric_word(r, "mesh")))
		return false;
	for (i = FABRIC_WORDS; i < r->lines.count; i += 2)
		if (!take_key(r, r->lines.words[i], r->lines.words[i + 1]))
			return false;
	if (r->record->config.params[TORUS_P_TIME] != TORUS_TIME_VIRTUAL)
		return bad(r,
			   "time must be virtual, because programs in free time cannot be "
			   "replayed");
	r->made = true;
	return true;
}

/* ----------------------------------------------------------------- programs */

static struct vreplay_program *program_of(struct reading *r, u64 pid)
{
	struct vreplay_record *record = r->record;
	struct vreplay_program *added;
	u32 i;

	for (i = record->nprograms; i--; )
		if (record->programs[i].pid == pid)
			return &record->programs[i];
	added = torus_array_add(&record->programs, &record->nprograms);
	if (added)
		*added = (struct vreplay_program){ .pid = pid };
	return added;
}

/* Parse NODE GROUP. */
static bool take_place(const struct reading *r, u32 *node, u32 *group)
{
	const struct torus_config *config = &r->record->config;
	u32 number;

	if (!take_u32(r, "node", r->lines.words[2], ~0u, &number) ||
	    !take_u32(r, "group", r->lines.words[3], config->arch->groups - 1, group))
		return false;
	*node = torus_node_index(&config->geo, number);
	return *node != TORUS_NONE || bad(r, "the fabric has no such node");
}

static bool take_attach(struct reading *r, u32 program)
{
	struct vreplay_record *record = r->record;
	struct vreplay_group group = { .program = program, .line = r->lines.line }, *added;
	char **words = r->lines.words;
	u32 inject;

	group.priority = r->lines.count == 9 && !strcmp(words[8], "priority");
	if ((r->lines.count != 8 && !group.priority) || strcmp(words[4], "inject") ||
	    strcmp(words[6], "receive"))
		return bad(r,
			   "must be PID attach NODE GROUP inject CHUNKS receive CHUNKS [priority]");
	if (!take_place(r, &group.node, &group.group) ||
	    !take_u32(r, "inject", words[5], RING_MAX, &inject) ||
	    !take_u32(r, "receive", words[7], RING_MAX, &group.receive_chunks))
		return false;
	added = torus_array_add(&record->groups, &record->ngroups);
	if (!added)
		return no_memory(r);
	*added = group;
	return true;
}

/* Parse NODE GROUP FIFO TICK of a program's line. @fifos: number of FIFOs of this kind. */
static bool take_fifo(const struct reading *r, u32 program, u32 fifos,
		      struct vreplay_action *action)
{
	const struct vreplay_record *record = r->record;
	u32 node, group, i;

	if (!take_place(r, &node, &group) ||
	    !take_u32(r, "FIFO", r->lines.words[4], fifos - 1, &action->fifo) ||
	    !take_number(r, "tick", r->lines.words[5], ~0ull, &action->at))
		return false;
	for (i = 0; i < record->ngroups; i++)
		if (record->groups[i].node == node && record->groups[i].group == group &&
		    record->groups[i].program == program)
			break;
	action->group = i;
	return i < record->ngroups || bad(r, "the process has not attached to that group");
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_bytes(const struct reading *r, const char *word, struct vreplay_action *action)
{
	const struct torus_arch *arch = r->record->config.arch;
	size_t length = strlen(word), chunk = 2ul * arch->chunk_bytes, i;

	if (!length || length % chunk || length / chunk > arch->packet_chunks_max)
		return bad(r, "the packet's bytes must be whole chunks, and at most a packet");
	action->bytes = malloc(length / 2);
	if (!action->bytes)
		return no_memory(r);
	action->chunks = (u32)(length / chunk);
	for (i = 0; i < length; i += 2) {
		if (digit(word[i]) < 0 || digit(word[i + 1]) < 0)
			return bad(r, "the packet's bytes must be hexadecimal digits");
		action->bytes[i / 2] = (u8)(digit(word[i]) << 4 | digit(word[i + 1]));
	}
	return true;
}

static bool take_action(struct reading *r, u32 program, struct vreplay_action *action)
{
	const struct torus_arch *arch = r->record->config.arch;
	const char *what = r->lines.words[1];

	if (!strcmp(what, "inject") && r->lines.count == 7) {
		action->what = VREPLAY_INJECT;
		return take_fifo(r, program, arch->inject_fifos, action) &&
		       take_bytes(r, r->lines.words[6], action);
	}
	if (!strcmp(what, "read") && r->lines.count == 7) {
		action->what = VREPLAY_READ;
		return take_fifo(r, program, arch->receive_fifos, action) &&
		       take_u32(r, "chunks", r->lines.words[6], ~0u, &action->chunks);
	}
	if (!strcmp(what, "leave") && r->lines.count == 3) {
		action->what = VREPLAY_LEAVE;
		r->record->programs[program].left = true;
		return take_number(r, "tick", r->lines.words[2], ~0ull, &action->at);
	}
	return bad(r, "must be PID attach, inject, read or leave, with its arguments");
}

/* Append a zeroed action to a program. Return NULL if there is no memory. */
static struct vreplay_action *new_action(struct vreplay_program *program)
{
	struct vreplay_action *added = torus_array_add(&program->actions, &program->count);

	if (added)
		*added = (struct vreplay_action){ .bytes = NULL };
	return added;
}

/* Parse a line of a program. */
static bool take_program(struct reading *r)
{
	struct vreplay_action *action;
	struct vreplay_program *program;
	u64 pid = 0;

	if (!take_number(r, "process", r->lines.words[0], ~0ull, &pid))
		return false;
	program = program_of(r, pid);
	if (!program)
		return no_memory(r);
	if (program->left)
		return bad(r, "the process has left already");
	if (r->lines.count > 4 && !strcmp(r->lines.words[1], "attach"))
		return take_attach(r, (u32)(program - r->record->programs));
	action = new_action(program);
	return action ? take_action(r, (u32)(program - r->record->programs), action) :
			no_memory(r);
}

static bool take_line(struct reading *r)
{
	if (r->lines.count > FABRIC_WORDS && !strcmp(r->lines.words[0], "fabric") &&
	    !strcmp(r->lines.words[1], "add"))
		return take_fabric(r);
	if (!r->made)
		return bad(r,
			   "the line that creates the fabric must come first: begin the file with "
			   "the output of `torusctl save FABRIC`");
	if (!isdigit((unsigned char)r->lines.words[0][0]) || r->lines.count < 2)
		return bad(r, "changes of a fabric, and jobs, cannot be replayed");
	return take_program(r);
}

/**
 * vreplay_record_read - read a record
 * @record: [out] the record; freed with vreplay_record_free(), even after an error
 * @name: name of the file; "-": standard input
 *
 * Return: SIM_OK; SIM_USAGE after an error message, also without memory.
 */
int vreplay_record_read(struct vreplay_record *record, const char *name)
{
	struct reading r = { .record = record };
	struct parse_error why;
	bool good;
	int more = 1;

	*record = (struct vreplay_record){ .name = name };
	if (!parse_lines_open(&r.lines, name, &why))
		return sim_reject("%s", why.text);
	for (good = true; good; good = take_line(&r)) {
		more = parse_lines_next(&r.lines, &why);
		if (more <= 0)
			break;
	}
	if (more < 0)
		good = bad(&r, why.text);
	parse_lines_close(&r.lines);
	if (!good)
		return SIM_USAGE;
	if (!r.made)
		return sim_reject("%s: the file must not be empty: a record begins with `torusctl "
				  "save FABRIC`", name);
	if (record->nprograms != record->config.params[TORUS_P_PROGRAMS])
		return sim_reject("%s: has %u programs, but the fabric requires %llu", name,
				  record->nprograms, record->config.params[TORUS_P_PROGRAMS]);
	return SIM_OK;
}

/**
 * vreplay_record_free - free a record
 * @record: from vreplay_record_read()
 */
void vreplay_record_free(struct vreplay_record *record)
{
	u32 i, j;

	for (i = 0; i < record->nprograms; i++) {
		for (j = 0; j < record->programs[i].count; j++)
			free(record->programs[i].actions[j].bytes);
		free(record->programs[i].actions);
	}
	free(record->programs);
	free(record->groups);
}
