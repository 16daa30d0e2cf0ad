// SPDX-License-Identifier: GPL-2.0
/* Post notices of engines to programs, through the reception FIFO of the engine. */
#include "arch/tofu/inject.h"
#include "arch/tofu/notice.h"
#include "core/base/node_number.h"
#include "core/nic/record.h"
#include "arch/tofu/engine.h"

_Static_assert(TORUS_TOFU_HEADER_BYTES + sizeof(struct torus_tofu_notice) ==
	       TORUS_TOFU_NOTICE_CHUNKS * TOFU_CHUNK_BYTES, "a notice");

_Static_assert(TORUS_TOFU_NOTICE_CHUNKS * TOFU_CHUNK_BYTES <= TORUS_NIC_RECORD_BYTES, "a notice");

/*
 * Return the reception FIFO for an engine's notices.
 *
 * @group: FIFO group of the program
 * @engine: the engine, below @m->tnis
 *
 * FIFOs are numbered through all groups and assigned to engines round-robin. Return: the first FIFO
 * of the group that belongs to the engine.
 */
u32 tofu_notice_fifo(const struct tofu_machine *m, u32 group, u32 engine)
{
	u32 fifo = 0;

	while ((group * TORUS_TOFU_FIFOS + fifo) % m->tnis != engine)
		fifo++;
	return fifo;
}

/*
 * Check whether a group can take the notice that an operation will generate.
 *
 * Return: false if too many notices wait. The remaining records are reserved for notices of the
 * group's own operations.
 */
bool tofu_notice_has_space(const struct torus_nic *nic)
{
	return torus_nic_record_used(nic) < TOFU_NOTICES_LIMIT;
}

/*
 * Post a notice to a program.
 *
 * @d: the domain of the program's node
 * @to: the program's queue, the type of the notice, and the result
 * @head: engine header of the operation
 * @peer_node: index of the peer's node
 * @peer_group: the peer's FIFO group
 * @peer_queue: the peer's queue
 *
 * Return: false if the program has left, or too many notices wait.
 */
bool tofu_notice_post(struct torus_domain *d, const struct tofu_notice_to *to,
		      const struct tofu_head *head, u32 peer_node, u32 peer_group, u32 peer_queue)
{
	struct torus_packet record = {
		.src = to->node, .dst = to->node, .group = (u8)to->group,
		.next = TORUS_NONE, .body = TORUS_NONE, .born = d->now,
	};
	struct tofu_fields *fields = tofu_fields(&record);
	bool atomic = to->type == TORUS_TOFU_LCL_ATOMIC || to->type == TORUS_TOFU_RMT_ATOMIC;
	struct torus_tofu_notice notice = {
		.type = to->type, .code = to->code, .remote_code = to->remote_code,
		.vcq = (u8)tofu_queue_vcq(to->queue),
		.peer_engine = (u8)tofu_queue_engine(peer_queue),
		.peer_vcq = (u8)tofu_queue_vcq(peer_queue), .peer_group = (u8)peer_group,
		.edata = head->edata, .peer_node = torus_node_number(&d->f->cfg.geo, peer_node),
		.length = head->total, .cookie = to->cookie, .value = to->value,
		.local = head->flags & TOFU_NO_LOCAL ? 0 : head->local + head->total,
		.remote = atomic ? head->remote : head->remote + head->total,
	};
	u32 fifo = tofu_notice_fifo(d->f->machine, to->group, tofu_queue_engine(to->queue));
	u8 bytes[TORUS_TOFU_NOTICE_CHUNKS * TOFU_CHUNK_BYTES];

	tofu_make(d->f, &record, TORUS_TOFU_NOTICE_CHUNKS);
	fields->path = 0;
	fields->fifo = TORUS_TOFU_FIFO_GATE;
	fields->sw = TORUS_TOFU_KIND_NOTICE << TORUS_TOFU_KIND_SHIFT;
	memset(bytes, 0, TORUS_TOFU_HEADER_BYTES);
	memcpy(bytes + TORUS_TOFU_HEADER_BYTES, &notice, sizeof(notice));
	if (!torus_nic_report(d, &record, fifo, bytes))
		return false;
	torus_tni(d, to->node, tofu_queue_engine(to->queue))->notices++;
	return true;
}
