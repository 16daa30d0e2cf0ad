// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of Tofu's engines whose memory, commands and notices are arrays, and pairs of such
 * programs.
 */
#include <stdlib.h>

#include "arch/tofu/header.h"
#include "arch/tests/engine_rig.h"

#define OFFSET_MASK	((1ull << TORUS_STADD_BITS) - 1)

static u32 program_pull(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number)
{
	struct engine_program *p = client;
	struct engine_command *c = &p->out[p->pulled];

	if (p->pulled == p->outs || c->fifo != fifo || room < TORUS_TOFU_COMMAND_CHUNKS)
		return 0;
	memcpy(bytes, c->bytes, sizeof(c->bytes));
	*number = p->pulled++;
	return TORUS_TOFU_COMMAND_CHUNKS;
}

static void program_refused(void *client, u32 fifo, u32 code)
{
	struct engine_program *p = client;

	p->out[p->pulled - 1].code = code;
	p->refused++;
}

static void program_accepted(void *client, u32 fifo)
{
}

static bool program_push(void *client, u32 fifo, const u8 *bytes, u32 chunks)
{
	struct engine_program *p = client;
	struct tofu_header h;

	if (!p->credits)
		return false;
	p->credits--;
	tofu_header_unpack(&h, bytes);
	assert_int_equal(chunks, TORUS_TOFU_NOTICE_CHUNKS);
	assert_int_equal(h.fifo, TORUS_TOFU_FIFO_GATE);
	assert_int_equal(h.sw, TORUS_TOFU_KIND_NOTICE << TORUS_TOFU_KIND_SHIFT);
	assert_true(p->ins < ENGINE_NOTICES);
	memcpy(&p->in[p->ins], bytes + TORUS_TOFU_HEADER_BYTES, sizeof(p->in[0]));
	p->at[p->ins++] = torus_nic_clock(p->f, p->node);
	return true;
}

static void program_notify(void *client)
{
}

static struct engine_region *program_region(struct engine_program *p, u64 stadd)
{
	u32 i;

	for (i = 0; i < ENGINE_REGIONS; i++)
		if (p->region[i].bytes && !((p->region[i].stadd ^ stadd) & ~OFFSET_MASK))
			return &p->region[i];
	return NULL;
}

static u32 program_memory(void *client, struct torus_access *a)
{
	struct engine_region *r = program_region(client, a->start);
	u8 *at;
	u64 old = 0, result;

	if (!r || r->queue != a->queue)
		return TORUS_ACCESS_UNKNOWN;
	if (!torus_access_within(a, OFFSET_MASK, r->length))
		return TORUS_ACCESS_RANGE;
	if (a->remote && r->read_only && a->op != TORUS_ACCESS_READ)
		return TORUS_ACCESS_DENIED;
	at = r->bytes + (a->start & OFFSET_MASK) + a->at;
	assert_true((u64)a->at + a->length <= a->total);
	switch (a->op) {
	case TORUS_ACCESS_READ:
		memcpy(a->bytes, at, a->length);
		break;
	case TORUS_ACCESS_WRITE:
		memcpy(at, a->bytes, a->length);
		break;
	default:
		if ((uintptr_t)at % a->total)
			return TORUS_ACCESS_UNKNOWN;
		memcpy(&old, at, a->total);
		result = torus_access_result(a, old);
		memcpy(at, &result, a->total);
		a->value = old;
	}
	return TORUS_ACCESS_FINE;
}

static const struct torus_nic_ops program_ops = {
	.pull = program_pull,
	.refused = program_refused,
	.accepted = program_accepted,
	.push = program_push,
	.notify = program_notify,
	.memory = program_memory,
};

/* Attach a program to a FIFO group. It accepts all notices. */
struct engine_program *engine_attach(struct torus_fabric *f, u32 node, u32 group)
{
	struct engine_program *p = calloc(1, sizeof(*p));
	struct torus_error err;

	p->f = f;
	p->node = node;
	p->group = group;
	p->credits = ~0u;
	if (torus_nic_attach(f, node, group, false, &program_ops, p, &p->generation, &err))
		fail_msg("%s", err.text);
	return p;
}

/* Detach a program from its FIFO group. */
void engine_leave(struct engine_program *p)
{
	if (p->f)
		torus_nic_detach(p->f, p->node, p->group);
	p->f = NULL;
}

/* Detach and free a program. */
void engine_end(struct engine_program *p)
{
	engine_leave(p);
	free(p);
}

/*
 * Register memory of a program; @stag: bits of the STADD above the offset. Return: the STADD of
 * the first byte.
 */
u64 engine_register(struct engine_program *p, u32 queue, void *bytes, u64 length, u32 stag,
		    bool read_only)
{
	u32 i = 0;

	while (p->region[i].bytes)
		assert_true(++i < ENGINE_REGIONS);
	p->region[i] = (struct engine_region){
		.stadd = (u64)stag << TORUS_STADD_BITS, .bytes = bytes, .length = length,
		.queue = (u8)queue, .read_only = read_only,
	};
	return p->region[i].stadd;
}

void engine_unregister(struct engine_program *p, u64 stadd)
{
	program_region(p, stadd)->bytes = NULL;
}

/* Post a command through injection FIFO @fifo, to the engine that the FIFO selects. */
void engine_post_by(struct engine_program *p, u32 fifo, const struct engine_program *to, u32 path,
		    const struct torus_tofu_command *command)
{
	struct engine_command *c = &p->out[p->outs++];
	struct tofu_header h = {
		.fifo = TORUS_TOFU_FIFO_GATE, .group = (u8)to->group, .path = (u8)path,
		.chunks = TORUS_TOFU_COMMAND_CHUNKS,
		.sw = TORUS_TOFU_KIND_COMMAND << TORUS_TOFU_KIND_SHIFT,
	};
	u32 dest[TORUS_DIMS_MAX] = { 0 };

	assert_true(p->outs <= ENGINE_COMMANDS);
	torus_geometry_coords(&p->f->cfg.geo, to->node, dest);
	memcpy(h.dest, dest, sizeof(h.dest));
	tofu_header_pack(&h, c->bytes);
	memcpy(c->bytes + TORUS_TOFU_HEADER_BYTES, command, sizeof(*command));
	c->fifo = fifo;
}

/* Post a command through FIFO 0, the first engine of group 0. The key path selects the path. */
void engine_post(struct engine_program *p, const struct engine_program *to,
		 const struct torus_tofu_command *command)
{
	engine_post_by(p, 0, to, TORUS_TOFU_PATH_ANY, command);
}

/* ---------------------------------------------------- pairs of programs */

const struct torus_tofu_notice *engine_find(const struct engine_program *p, u32 type, u32 nth)
{
	u32 i;

	for (i = 0; i < p->ins; i++)
		if (p->in[i].type == type && !nth--)
			return &p->in[i];
	return NULL;
}

u64 engine_when(const struct engine_program *p, u32 type)
{
	return p->at[engine_find(p, type, 0) - p->in];
}

u32 engine_count(const struct engine_program *p, u32 type)
{
	u32 n = 0;

	while (engine_find(p, type, n))
		n++;
	return n;
}

void engine_mark(u8 *bytes, u32 length, u32 seed)
{
	u64 rng = torus_random_seed(1, 11, seed);
	u32 i;

	for (i = 0; i < length; i++)
		bytes[i] = (u8)(torus_random(&rng) >> 32);
}

void engine_pair_make(struct engine_pair *t, const char *shape, const char *settings, u32 peer,
		      u32 bytes)
{
	memset(t, 0, sizeof(*t));
	t->f = rig_make_arch("tofu", shape, settings);
	t->a = engine_attach(t->f, 0, 0);
	t->b = peer ? engine_attach(t->f, peer, 0) : t->a;
	t->bytes = bytes + 2 * ENGINE_GUARD;
	t->from = malloc(t->bytes);
	t->to = malloc(t->bytes);
	engine_mark(t->from, t->bytes, 1);
	engine_mark(t->to, t->bytes, 2);
	t->local = engine_register(t->a, 0, t->from, t->bytes, ENGINE_STAG, false);
	t->remote = engine_register(t->b, 0, t->to, t->bytes, ENGINE_STAG + 1, false);
}

void engine_pair_free(struct engine_pair *t)
{
	rig_empty(t->f);
	if (t->b != t->a)
		engine_end(t->b);
	engine_end(t->a);
	torus_fabric_destroy(t->f);
	free(t->from);
	free(t->to);
}

/*
 * Check that @length bytes at offset @at of @got equal those of @source, and that all other bytes
 * of @got are unchanged.
 */
void engine_pair_check(const struct engine_pair *t, const u8 *got, u32 seed, const u8 *source,
		       u32 at, u32 from, u32 length)
{
	u8 *right = malloc(t->bytes);

	engine_mark(right, t->bytes, seed);
	if (length)
		memcpy(right + at, source + from, length);
	assert_memory_equal(got, right, t->bytes);
	free(right);
}

struct torus_tofu_command engine_transfer(const struct engine_pair *t, u32 op, u32 from, u32 at,
					  u32 length)
{
	return (struct torus_tofu_command){
		.op = (u8)op, .flags = ENGINE_TELL_ALL, .length = length, .edata = 77,
		.cookie = 0x1234,
		.local = t->local + from, .remote = t->remote + at,
	};
}

void engine_check_notice(const struct torus_tofu_notice *n, u32 code, u64 local, u64 remote)
{
	assert_non_null(n);
	assert_int_equal(n->code, code);
	assert_int_equal(n->edata, 77);
	assert_int_equal(n->local, local);
	assert_int_equal(n->remote, remote);
}

/* Return the ticks of a put over @hops links: see engine.h. */
u64 engine_put_ticks(u32 hops, u32 length)
{
	u32 packets = (length + TOFU_DATA_MAX - 1) / TOFU_DATA_MAX;
	u32 last = length - (packets - 1) * TOFU_DATA_MAX;

	/* the link sends all packets of the put without a gap */
	return TOFU_LATENCY_DELAYS + hops * TOFU_LATENCY_HOP +
	       ((packets - 1) * TOFU_PACKET_CHUNKS + tofu_chunks(last)) * TOFU_CHUNK_TICKS;
}
