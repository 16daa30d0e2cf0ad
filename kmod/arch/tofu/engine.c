// SPDX-License-Identifier: GPL-2.0
/* Create, reset and free Tofu's engines and their lists: see engine.h. */
#include "arch/tofu/send_queues.h"
#include "arch/tofu/loss.h"
#include "arch/tofu/replies.h"
#include "core/state/packets.h"
#include "arch/tofu/engine.h"

static size_t engines_bytes(const struct torus_fabric *f)
{
	return sizeof(struct tofu_engines) + f->nodes * sizeof(struct tofu_node_engines *);
}

/*
 * Prepare a fabric for engines, if it has none.
 *
 * @f: the fabric, locked
 *
 * Return: 0 or -ENOMEM.
 */
int tofu_engine_attach(struct torus_fabric *f)
{
	struct tofu_machine *m = f->machine;
	u32 i;

	if (m->engines)
		return 0;
	/* an answer can arrive at a node whose program has left, so each domain needs this list */
	for (i = 0; i < f->ndomains; i++)
		if (torus_received_init(&f->domain[i]))
			return -ENOMEM;
	m->engines = torus_alloc(engines_bytes(f));
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

/*
 * Return the engines of a node; create them if necessary.
 *
 * @d: the node's domain, of a fabric with engines
 *
 * Return: NULL without memory; the domain is then marked as failed.
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

/*
 * Empty a flow list if its FIFO group has a new owner.
 *
 * @list: flows of a group
 * @generation: current generation of the group; flows of an earlier generation end, even between
 *   two of their packets
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

/*
 * Reset the engines of a node for a reset of the fabric.
 *
 * @f: the fabric, locked; its packets have been discarded
 */
void tofu_engine_reset(struct torus_fabric *f, u32 node)
{
	struct tofu_engines *all = ((const struct tofu_machine *)f->machine)->engines;

	if (!all || !all->node[node])
		return;
	engines_drop(all->node[node]);
	engines_rest(all->node[node]);
}

/*
 * Return the bytes of the engines' table and structs, without the flows, requesters and streams to
 * which they point; 0 without engines.
 */
size_t tofu_engine_later(const struct torus_fabric *f)
{
	const struct tofu_engines *all = ((const struct tofu_machine *)f->machine)->engines;

	return all ? engines_bytes(f) + all->made * sizeof(struct tofu_node_engines) : 0;
}

/* Free all engines of a fabric that is being destroyed. */
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
	torus_free(all, engines_bytes(f));
}

/*
 * Schedule a node's engines.
 *
 * @d: the node's domain
 * @at: tick; if it is not in the future, the next tick
 */
void tofu_engine_wake(struct torus_domain *d, u32 node, u64 at)
{
	/*
	 * between two runs, the wheel's clock may be later than the domain's last tick with an
	 * event
	 */
	u64 first = d->wheel.now + 1;

	torus_wheel_push(&d->wheel, at > first ? at : first, (struct torus_event){
		.kind = TORUS_EV_SOURCE, .node = node, .pkt = TORUS_NONE,
	});
}

/*
 * Return the owner of a FIFO group.
 *
 * @generation: generation of the owner to return
 *
 * Return: the group; NULL if the owner of that generation has left or was never attached.
 */
const struct torus_nic *tofu_holder(const struct torus_fabric *f, u32 node, u32 group,
				    u32 generation)
{
	const struct torus_nic *nic = f->nic ? f->nic[torus_group_index(f, node, group)] : NULL;

	return nic && nic->ops && !nic->leaving && nic->generation == generation ? nic : NULL;
}

/*
 * Check whether a program has left.
 *
 * @node: index of the program's node, of any domain
 * @group: the program's FIFO group there
 * @generation: generation of the group when the program owned it
 *
 * Programs attach and leave only between two runs, so every domain sees the same.
 *
 * Return: true if the program has left; it never returns.
 */
bool tofu_gone(const struct torus_fabric *f, u32 node, u32 group, u32 generation)
{
	const struct torus_nic *nic = f->nic ? f->nic[torus_group_index(f, node, group)] : NULL;

	return torus_group_generation(f, node, group) != generation || (nic && nic->leaving);
}

/*
 * Access a client's memory.
 *
 * @nic: the client's FIFO group
 * @access: address, length and kind of access
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
