// SPDX-License-Identifier: GPL-2.0
/* Tofu's engines: made, reset, given back; their lists: see engine.h. */
#include "arch/tofu/send_queues.h"
#include "arch/tofu/loss.h"
#include "arch/tofu/replies.h"
#include "core/state/packets.h"
#include "arch/tofu/engine.h"

static size_t engines_room(const struct torus_fabric *f)
{
	return sizeof(struct tofu_engines) + f->nodes * sizeof(struct tofu_node_engines *);
}

/**
 * tofu_engine_attach() - a fabric gets engines, if it has none
 * @f: the fabric, held
 *
 * Return: 0 or -ENOMEM.
 */
int tofu_engine_attach(struct torus_fabric *f)
{
	struct tofu_machine *m = f->machine;
	u32 i;

	if (m->engines)
		return 0;
	/* answers arrive wherever somebody asks, also where nobody is attached */
	for (i = 0; i < f->ndomains; i++)
		if (torus_received_init(&f->domain[i]))
			return -ENOMEM;
	m->engines = torus_alloc(engines_room(f));
	return m->engines ? 0 : -ENOMEM;
}

static void engines_rest(struct tofu_node_engines *e)
{
	u32 i;

	memset(e, 0, sizeof(*e));
	for (i = 0; i < TOFU_TNIS_MAX; i++)
		e->tni[i].loop = TORUS_NONE;
	e->arrived = TORUS_NONE;
	e->lost = TORUS_NONE;
}

/**
 * tofu_engines_at() - the engines of a node
 * @d: its domain, of a fabric with engines
 * @node: the node
 *
 * Return: them, made if need be; NULL when memory has run out (the domain has failed).
 */
struct tofu_node_engines *tofu_engines_at(struct torus_domain *d, u32 node)
{
	struct tofu_engines *all = ((const struct tofu_machine *)d->machine)->engines;
	struct tofu_node_engines *e = all->node[node];

	if (torus_likely(e))
		return e;
	e = torus_grow(sizeof(*e));
	if (!e) {
		d->failed = true;
		return NULL;
	}
	engines_rest(e);
	all->node[node] = e;
	torus_fetch_add(&all->made, 1);
	return e;
}

/**
 * tofu_flows_set_holder() - empty a list if another program holds its FIFO group now
 * @list: flows of a group
 * @generation: of the group; what an earlier holder has left ends here, at a packet's edge
 */
void tofu_flows_set_holder(struct tofu_flows *list, u32 generation)
{
	if (list->generation == generation)
		return;
	tofu_flows_empty(list);
	memset(list, 0, sizeof(*list));
	list->generation = generation;
}

static void engines_drop(struct tofu_node_engines *e)
{
	u32 tni, i;

	tofu_streams_drop(e);
	for (tni = 0; tni < TOFU_TNIS_MAX; tni++) {
		for (i = 0; i < TORUS_TOFU_GROUPS; i++)
			tofu_flows_empty(&e->tni[tni].from[i]);
		tofu_replies_empty(&e->tni[tni].replies);
	}
}

/**
 * tofu_engine_reset() - engines of a node at rest, as the fabric's reset leaves them
 * @f: the fabric, held; its packets are gone
 * @node: the node
 */
void tofu_engine_reset(struct torus_fabric *f, u32 node)
{
	struct tofu_engines *all = ((const struct tofu_machine *)f->machine)->engines;

	if (!all || !all->node[node])
		return;
	engines_drop(all->node[node]);
	engines_rest(all->node[node]);
}

/**
 * tofu_engine_later() - memory that engines take, but for what they have to send
 * @f: the fabric
 *
 * Return: bytes; 0 without engines.
 */
size_t tofu_engine_later(const struct torus_fabric *f)
{
	const struct tofu_engines *all = ((const struct tofu_machine *)f->machine)->engines;

	return all ? engines_room(f) + all->made * sizeof(struct tofu_node_engines) : 0;
}

/**
 * tofu_engine_free() - give the engines back
 * @f: the fabric, on its way out
 */
void tofu_engine_free(struct torus_fabric *f)
{
	struct tofu_machine *m = f->machine;
	struct tofu_engines *all = m->engines;
	u32 i;

	if (!all)
		return;
	for (i = 0; i < f->nodes; i++) {
		if (!all->node[i])
			continue;
		engines_drop(all->node[i]);
		torus_free(all->node[i], sizeof(*all->node[i]));
	}
	m->engines = NULL;
	torus_free(all, engines_room(f));
}

/**
 * tofu_engine_wake() - have a node's engines looked at
 * @d: its domain
 * @node: the node
 * @at: when; later than this tick
 */
void tofu_engine_wake(struct torus_domain *d, u32 node, u64 at)
{
	/* between two runs the wheel may be ahead of the last tick that had an event */
	u64 first = d->wheel.now + 1;

	torus_wheel_push(&d->wheel, at > first ? at : first, (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = node, .pkt = TORUS_NONE,
	});
}

/**
 * tofu_holder() - who holds a FIFO group
 * @f: the fabric
 * @node: the node
 * @group: the group
 * @generation: of the holder that is meant
 *
 * Return: the group, NULL if that one holds it no more, or never has.
 */
const struct torus_nic *tofu_holder(const struct torus_fabric *f, u32 node, u32 group,
				    u32 generation)
{
	const struct torus_nic *nic = f->nic ? f->nic[torus_group_index(f, node, group)] : NULL;

	return nic && nic->ops && !nic->leaving && nic->generation == generation ? nic : NULL;
}

/**
 * tofu_gone() - check whether a program has left
 * @f: the fabric
 * @node: index of its node, of any domain
 * @group: its FIFO group there
 * @generation: of the group when the program held it
 *
 * Programs come and leave between two runs, so every domain sees the same.
 *
 * Return: true if the program has left, and is never there again.
 */
bool tofu_gone(const struct torus_fabric *f, u32 node, u32 group, u32 generation)
{
	const struct torus_nic *nic = f->nic ? f->nic[torus_group_index(f, node, group)] : NULL;

	return torus_group_generation(f, node, group) != generation || (nic && nic->leaving);
}

/**
 * tofu_access() - reach into a client's memory
 * @nic: its FIFO group
 * @access: what for
 *
 * Return: enum torus_tofu_code.
 */
u32 tofu_access(const struct torus_nic *nic, struct torus_access *access)
{
	static const u8 codes[] = {
		[TORUS_ACCESS_FINE] = TORUS_TOFU_FINE,
		[TORUS_ACCESS_UNKNOWN] = TORUS_TOFU_STADD,
		[TORUS_ACCESS_RANGE] = TORUS_TOFU_LENGTH,
		[TORUS_ACCESS_DENIED] = TORUS_TOFU_MEMORY,
	};

	return nic->ops->memory ? codes[nic->ops->memory(nic->client, access)] : TORUS_TOFU_STADD;
}
