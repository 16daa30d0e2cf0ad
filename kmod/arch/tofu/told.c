// SPDX-License-Identifier: GPL-2.0
/* What engines tell programs: notices, by the reception FIFO that leads from the engine. */
#include "arch/tofu/inject.h"
#include "arch/tofu/told.h"
#include "core/base/number.h"
#include "core/nic/record.h"
#include "arch/tofu/engine.h"

_Static_assert(TORUS_TOFU_HEADER_BYTES + sizeof(struct torus_tofu_notice) ==
	       TORUS_TOFU_NOTICE_CHUNKS * TOFU_CHUNK_BYTES, "a notice");

_Static_assert(TORUS_TOFU_NOTICE_CHUNKS * TOFU_CHUNK_BYTES <= TORUS_NIC_RECORD_BYTES, "a notice");

/**
 * tofu_told_fifo() - where an engine's notices come
 * @m: the machine
 * @group: FIFO group of who is told
 * @engine: the engine, below @m->tnis
 *
 * Return: the first FIFO of the group that leads to it: groups' are counted through.
 */
u32 tofu_told_fifo(const struct tofu_machine *m, u32 group, u32 engine)
{
	u32 fifo = 0;

	while ((group * TORUS_TOFU_FIFOS + fifo) % m->tnis != engine)
		fifo++;
	return fifo;
}

/**
 * tofu_tell_room() - may an operation come that will be told?
 * @nic: the group that is to be told
 *
 * Return: false if too many notices wait already: the rest of the records are for its own
 * operations.
 */
bool tofu_tell_room(const struct torus_nic *nic)
{
	return torus_nic_record_used(nic) < TOFU_TOLD_MOST;
}

/**
 * tofu_tell() - give a program a notice
 * @d: the domain of its node
 * @told: who is told, of what type and how it ended
 * @head: of the operation
 * @peer_node: index of the other side's node
 * @peer_group: its FIFO group
 * @peer_queue: its queue
 *
 * Return: false if nobody is there to be told, or too many notices wait.
 */
bool tofu_tell(struct torus_domain *d, const struct tofu_told *told, const struct tofu_head *head,
	       u32 peer_node, u32 peer_group, u32 peer_queue)
{
	struct torus_packet record = {
		.src = told->node, .dst = told->node, .group = (u8)told->group,
		.next = TORUS_NONE, .body = TORUS_NONE, .born = d->now,
	};
	struct tofu_fields *fields = tofu_fields(&record);
	bool atomic = told->type == TORUS_TOFU_LCL_ATOMIC || told->type == TORUS_TOFU_RMT_ATOMIC;
	struct torus_tofu_notice notice = {
		.type = told->type, .code = told->code, .remote_code = told->remote_code,
		.vcq = (u8)tofu_queue_vcq(told->queue),
		.peer_engine = (u8)tofu_queue_engine(peer_queue),
		.peer_vcq = (u8)tofu_queue_vcq(peer_queue), .peer_group = (u8)peer_group,
		.edata = head->edata, .peer_node = torus_node_number(&d->f->cfg.geo, peer_node),
		.length = head->total, .cookie = told->cookie, .value = told->value,
		.local = head->flags & TOFU_NO_LOCAL ? 0 : head->local + head->total,
		.remote = atomic ? head->remote : head->remote + head->total,
	};
	u32 fifo = tofu_told_fifo(d->f->machine, told->group, tofu_queue_engine(told->queue));
	u8 bytes[TORUS_TOFU_NOTICE_CHUNKS * TOFU_CHUNK_BYTES];

	tofu_make(d->f, &record, TORUS_TOFU_NOTICE_CHUNKS);
	fields->path = 0;
	fields->fifo = TORUS_TOFU_FIFO_GATE;
	fields->sw = TORUS_TOFU_KIND_NOTICE << TORUS_TOFU_KIND_SHIFT;
	memset(bytes, 0, TORUS_TOFU_HEADER_BYTES);
	memcpy(bytes + TORUS_TOFU_HEADER_BYTES, &notice, sizeof(notice));
	if (!torus_nic_tell(d, &record, fifo, bytes))
		return false;
	torus_tni(d, told->node, tofu_queue_engine(told->queue))->notices++;
	return true;
}
