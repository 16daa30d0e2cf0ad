// SPDX-License-Identifier: GPL-2.0
/* Validate the commands of programs to an engine, and convert them to flows. */
#include "arch/tofu/command.h"
#include "arch/tofu/engine.h"
#include "arch/tofu/send_queues.h"
#include "arch/tofu/header.h"
#include "arch/tofu/inject.h"
#include "arch/tofu/notice.h"
#include "core/nic/record.h"
#include "core/state/packets.h"

#define COMMAND_BYTES	(TORUS_TOFU_COMMAND_CHUNKS * TOFU_CHUNK_BYTES)
#define TELL_ALL	(TORUS_TOFU_TELL_TCQ | TORUS_TOFU_TELL_LOCAL | TORUS_TOFU_TELL_REMOTE | \
			 TORUS_TOFU_SESSION)
/*
 * When the reception FIFO of an engine's notices has this number of chunks, the program's commands
 * to the engine wait. Packets in the FIFO count too.
 */
#define UNREAD_CHUNKS	(512u * TORUS_TOFU_NOTICE_CHUNKS)

_Static_assert(TORUS_TOFU_HEADER_BYTES + sizeof(struct torus_tofu_command) == COMMAND_BYTES,
	       "a command");

static u32 command_engine(const struct torus_domain *d, const struct torus_nic *nic, u32 fifo)
{
	const struct tofu_machine *m = d->machine;

	return (nic->group * TORUS_TOFU_FIFOS + fifo) % m->tnis;
}

static struct tofu_flows *command_list(struct torus_domain *d, const struct torus_nic *nic,
				       u32 fifo)
{
	struct tofu_node_engines *e = tofu_engines_at(d, nic->node);
	struct tofu_flows *list;

	if (!e)
		return NULL;
	list = &e->tni[command_engine(d, nic, fifo)].from[nic->group];
	tofu_flows_set_holder(list, nic->generation);
	return list;
}

/* Check whether new commands must wait, because memory for their flows is scarce. */
static bool commands_wait(struct torus_domain *d, const struct tofu_flows *list)
{
	if (list->count + list->waiting < TOFU_FLOWS_KEPT ||
	    torus_growth_spare(sizeof(struct tofu_flow)))
		return false;
	torus_packets_waited(d);
	return true;
}

/*
 * Check whether an injection FIFO's engine can accept no command now.
 *
 * @d: the node's domain
 * @nic: the FIFO group
 * @fifo: injection FIFO
 *
 * Return: true if the engine's list is full, memory is short, or the program reads no notices;
 * false if the program has left, because its commands are dropped.
 */
bool tofu_commands_full(struct torus_domain *d, const struct torus_nic *nic, u32 fifo)
{
	const struct tofu_engines *all = ((const struct tofu_machine *)d->machine)->engines;
	u32 engine = command_engine(d, nic, fifo);
	u32 notices = tofu_notice_fifo(d->machine, nic->group, engine);
	const struct tofu_flows *list;

	if (!all || !all->node[nic->node] || nic->leaving)
		return false;
	list = &all->node[nic->node]->tni[engine].from[nic->group];
	return list->generation == nic->generation &&
	       (list->count >= TORUS_TOFU_COMMANDS || list->waiting >= TORUS_TOFU_WAITING ||
		nic->receive[notices].chunks >= UNREAD_CHUNKS ||
		torus_nic_record_used(nic) >= TOFU_NOTICES_LIMIT || commands_wait(d, list));
}

/* Check that length, address and word size match the operation. */
static bool command_fits(const struct torus_tofu_command *c)
{
	bool sized = c->op == TORUS_TOFU_ATOMIC;
	u32 most = c->op == TORUS_TOFU_PIGGYBACK ? TORUS_TOFU_PIGGYBACK_MAX :
						   TORUS_TOFU_LENGTH_MAX;

	if (c->op != TORUS_TOFU_PUT && c->op != TORUS_TOFU_GET && c->local)
		return false;
	if (sized ? c->atomic >= TORUS_ATOMICS || (c->size != 4 && c->size != 8) :
		    c->atomic || c->size)
		return false;
	if (sized || c->op == TORUS_TOFU_NOP)
		return !c->length;
	return c->length >= 1 && c->length <= most;
}

static bool command_known(const struct tofu_machine *m, const struct torus_tofu_command *c)
{
	bool puts = c->op == TORUS_TOFU_PUT || c->op == TORUS_TOFU_PIGGYBACK;

	return c->op < TORUS_TOFU_OPS && c->vcq < TORUS_VCQS &&
	       c->peer_engine < m->tnis && c->peer_vcq < TORUS_VCQS &&
	       c->steps <= (puts ? TORUS_TOFU_STEPS_MAX : 0u) && !(c->flags & ~TELL_ALL) &&
	       !c->reserved && !c->spare && command_fits(c);
}

/*
 * If partitions are isolated, check that a command's packets and their answers stay in the node's
 * partition. Return TORUS_REFUSE_*.
 */
static u32 command_confined(const struct torus_fabric *f, u32 node, u32 dst, u32 path, u32 op)
{
	if (torus_likely(!f->isolate) || op == TORUS_TOFU_NOP)
		return TORUS_REFUSE_NONE;
	if (torus_fabric_partition(f, node) != torus_fabric_partition(f, dst))
		return TORUS_REFUSE_PARTITION;
	return tofu_path_stays_in_partition(f, node, dst, path) &&
	       tofu_path_stays_in_partition(f, dst, node, path) ?
	       TORUS_REFUSE_NONE : TORUS_REFUSE_ISOLATE;
}

/* Fill in the flow of a command. */
static void command_flow(struct tofu_flow *flow, const struct torus_nic *nic, u32 engine,
			 const struct torus_tofu_command *c)
{
	static const struct { u8 kind, answer; } of[TORUS_TOFU_OPS] = {
		[TORUS_TOFU_NOP] = { TOFU_KIND_PUT, TORUS_TOFU_TCQ },
		[TORUS_TOFU_PUT] = { TOFU_KIND_PUT, TORUS_TOFU_LCL_PUT },
		[TORUS_TOFU_PIGGYBACK] = { TOFU_KIND_PUT, TORUS_TOFU_LCL_PUT },
		[TORUS_TOFU_GET] = { TOFU_KIND_GET, TORUS_TOFU_LCL_GET },
		[TORUS_TOFU_ATOMIC] = { TOFU_KIND_ATOMIC, TORUS_TOFU_LCL_ATOMIC },
	};
	bool reaches = c->op == TORUS_TOFU_PUT || c->op == TORUS_TOFU_GET;

	flow->op = c->op;
	flow->flags = c->flags;
	flow->answer = of[c->op].answer;
	flow->cookie = c->cookie;
	flow->head = (struct tofu_head){
		.kind = of[c->op].kind,
		.flags = (u8)((c->flags & TORUS_TOFU_TELL_LOCAL ? TOFU_TELL_LOCAL : 0) |
			      (c->flags & TORUS_TOFU_TELL_REMOTE ? TOFU_TELL_REMOTE : 0) |
			      (reaches ? 0 : TOFU_NO_LOCAL)),
		.op = c->atomic, .queue = tofu_queue(c->peer_engine, c->peer_vcq),
		.peer_queue = tofu_queue(engine, c->vcq), .peer_group = (u8)nic->group,
		.edata = c->edata, .generation = nic->generation,
		.total = c->op == TORUS_TOFU_ATOMIC ? c->size : c->length,
		.steps = c->steps, .remote = c->remote, .local = c->local,
	};
	memcpy(flow->bytes, c->data, sizeof(flow->bytes));
}

/*
 * Handle a record from an injection FIFO if it is a command.
 *
 * @d: the node's domain
 * @nic: FIFO group of the record
 * @fifo: injection FIFO, for which tofu_commands_full() returned false
 * @bytes: the record, copied from the program's memory
 * @chunks: length of the record
 * @code: [out] for a command: TORUS_REFUSE_NONE, or the reason of a rejection
 *
 * Return: false if the record is a packet, not a command.
 */
bool tofu_command(struct torus_domain *d, const struct torus_nic *nic, u32 fifo, const u8 *bytes,
		  u32 chunks, u32 *code)
{
	const struct tofu_machine *m = d->machine;
	struct torus_fabric *f = d->f;
	struct torus_tofu_command c;
	struct tofu_flows *list;
	struct tofu_flow *flow;
	struct tofu_header h;
	u32 dst, path;

	tofu_header_unpack(&h, bytes);
	if (h.fifo != TORUS_TOFU_FIFO_GATE ||
	    h.sw != TORUS_TOFU_KIND_COMMAND << TORUS_TOFU_KIND_SHIFT)
		return false;
	*code = TORUS_REFUSE_COMMAND;
	if (nic->ops->packets_only)
		return true;
	*code = TORUS_REFUSE_DESTINATION;
	dst = torus_geometry_node(&f->cfg.geo, h.dest);
	if (dst == TORUS_NONE)
		return true;
	*code = TORUS_REFUSE_PATH;
	if (h.reserved || (h.path >= TOFU_PATHS && h.path < TORUS_TOFU_PATH_FIXED))
		return true;
	*code = TORUS_REFUSE_COMMAND;
	memcpy(&c, bytes + TORUS_TOFU_HEADER_BYTES, sizeof(c));
	if (chunks != TORUS_TOFU_COMMAND_CHUNKS || !command_known(m, &c))
		return true;
	path = h.path >= TORUS_TOFU_PATH_FIXED ?
	       tofu_path_of(m->geo, TOFU_FIXED, nic->node, dst) : h.path;
	*code = command_confined(f, nic->node, dst, path, c.op);
	/* a program that has left starts no operations */
	if (*code || nic->leaving)
		return true;
	/*
	 * A destination that dead nodes make unreachable is reported by a notice, as other failures
	 * are.
	 */
	list = command_list(d, nic, fifo);
	flow = list ? tofu_flow_make(d) : NULL;
	if (!flow)
		return true;
	command_flow(flow, nic, command_engine(d, nic, fifo), &c);
	flow->dst = dst;
	flow->group = h.group;
	flow->own_group = (u8)nic->group;
	flow->own_generation = nic->generation;
	flow->generation = torus_group_generation(f, dst, h.group);
	/* a fixed path, because packets of an operation must keep their order */
	flow->path = (u8)path;
	flow->due = d->now + m->engine_delay;
	torus_tni(d, nic->node, command_engine(d, nic, fifo))->commands++;
	tofu_flow_schedule(list, flow);
	tofu_engine_wake(d, nic->node, flow->due);
	return true;
}
