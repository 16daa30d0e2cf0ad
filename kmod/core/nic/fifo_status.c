// SPDX-License-Identifier: GPL-2.0
/* FIFO status in a node's registers: checksums, watermarks, counters. */
#include "core/nic/fifo_status.h"
#include "core/base/crc.h"
#include "core/link/link.h"
#include "core/link/payload_crc.h"
#include "core/nic/inject.h"
#include "core/state/domain.h"
#include "core/state/interrupt.h"

u32 torus_nic_checksum(struct torus_fabric *f, u32 node, u32 group, u32 fifo)
{
	const struct torus_nic *nic = torus_nic_get(f, node, group);

	return nic ? nic->inject[fifo].checksum : 0;
}

void torus_nic_checksum_clear(struct torus_fabric *f, u32 node, u32 group, u32 fifo)
{
	struct torus_nic *nic = torus_nic_get(f, node, group);

	if (nic)
		nic->inject[fifo].checksum = 0;
}

/*
 * Update the cached level of an injection FIFO. Mark the FIFO for checks only if its
 * watermark is not 0: no level is below 0.
 */
static void fifo_mark(struct torus_fabric *f, struct torus_nic *nic, u32 fifo)
{
	nic->inject[fifo].level = torus_nic_inject_chunks(f, nic->node, nic->group, fifo);
	nic->marked &= ~(1u << fifo);
	if (nic->watermark[TORUS_NIC_WATERMARK_INJECT + fifo])
		nic->marked |= 1u << fifo;
}

int torus_nic_watermark_set(struct torus_fabric *f, u32 node, u32 group, u32 which, u32 chunks)
{
	struct torus_nic *nic = torus_nic_make(f, node, group);

	if (!nic)
		return -ENOMEM;
	nic->watermark[which] = chunks;
	if (which >= TORUS_NIC_WATERMARK_INJECT)
		fifo_mark(f, nic, which - TORUS_NIC_WATERMARK_INJECT);
	return 0;
}

static u32 fifo_watermark(const struct torus_fabric *f, const struct torus_nic *nic, bool receive,
			  u32 fifo)
{
	if (!receive)
		return nic->watermark[TORUS_NIC_WATERMARK_INJECT + fifo];
	return nic->watermark[f->arch->receive_priority >> fifo & 1 ?
			      TORUS_NIC_WATERMARK_PRIORITY : TORUS_NIC_WATERMARK_RECEIVE];
}

void torus_nic_counters(struct torus_fabric *f, u32 node, u32 group, bool receive, u32 fifo,
			struct torus_fifo_counters *out)
{
	const struct torus_nic *nic = torus_nic_get(f, node, group);

	memset(out, 0, sizeof(*out));
	out->group = group;
	out->receive = receive;
	out->fifo = fifo;
	if (!nic)
		return;
	out->watermark = fifo_watermark(f, nic, receive, fifo);
	if (receive) {
		const struct torus_nic_fifo *q = &nic->receive[fifo];

		out->packets = q->packets;
		out->chunks = q->chunks;
		out->high_water = q->high_water;
		out->interrupts = q->interrupts;
	} else {
		const struct torus_nic_inject *q = &nic->inject[fifo];

		out->packets = q->packets;
		out->chunks = torus_nic_inject_chunks(f, node, group, fifo);
		out->high_water = q->high_water;
		out->interrupts = q->interrupts;
		out->checksum = q->checksum;
	}
}

/* Reset the counters of all FIFOs. Checksums and watermarks are registers and keep their values. */
void torus_nic_counters_reset(struct torus_fabric *f)
{
	size_t groups = (size_t)f->nodes * f->arch->groups, i;
	u32 j;

	for (i = 0; f->nic && i < groups; i++) {
		struct torus_nic *nic = f->nic[i];

		for (j = 0; nic && j < f->arch->receive_fifos; j++) {
			nic->receive[j].packets = 0;
			nic->receive[j].interrupts = 0;
			nic->receive[j].high_water = nic->receive[j].chunks;
		}
		for (j = 0; nic && j < f->arch->inject_fifos; j++) {
			nic->inject[j].packets = 0;
			nic->inject[j].interrupts = 0;
			nic->inject[j].high_water = torus_nic_inject_chunks(f, nic->node,
									    nic->group, j);
		}
	}
}

/* Raise the critical interrupt of a crossed watermark, unless it is masked. */
static void fifo_crossed(struct torus_domain *d, struct torus_nic *nic, bool receive, u32 fifo)
{
	struct torus_fabric *f = d->f;
	const struct torus_arch *arch = f->arch;
	u32 cause = receive ?
		TORUS_CAUSE(TORUS_INTERRUPT_RECEIVE, nic->group * arch->receive_fifos + fifo) :
		TORUS_CAUSE(TORUS_INTERRUPT_INJECT, nic->group * arch->inject_fifos + fifo);

	if (!arch->unmasked || !arch->unmasked(f, nic->node, cause))
		return;
	if (receive)
		nic->receive[fifo].interrupts++;
	else
		nic->inject[fifo].interrupts++;
	if (nic->ops->interrupt)
		nic->ops->interrupt(nic->client, receive, fifo);
	torus_interrupt_raise(f, nic->node, cause);
}

/* Extend a checksum by the last @bytes of a header, and by the packet's payload. */
static u32 fifo_checksum(struct torus_domain *d, const struct torus_packet *p, u32 checksum,
			 const u8 *header, u32 bytes)
{
	u32 state = torus_crc32_value(checksum);

	if (bytes)
		state = torus_crc32_extend(state, header, bytes);
	return torus_crc32_value(torus_payload_extend(d, p, state));
}

/**
 * torus_fifo_injected() - count a packet that an injection FIFO has accepted
 * @d: the domain
 * @nic: the FIFO group
 * @fifo: the FIFO
 * @before: chunks in the FIFO before the packet
 * @p: the packet
 * @bytes: the packet as software wrote it
 */
void torus_fifo_injected(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 before,
			 const struct torus_packet *p, const u8 *bytes)
{
	const struct torus_arch *arch = d->f->arch;
	struct torus_nic_inject *q = &nic->inject[fifo];
	u32 size = p->chunks * arch->chunk_bytes, skip, at;

	q->packets++;
	if (!before)
		q->busy_since = d->now;
	q->level = before + p->chunks;
	if (q->level > q->high_water)
		q->high_water = q->level;
	if (!arch->checksum_skip)
		return;
	skip = arch->checksum_skip(p);
	at = torus_payload_at(d->f);
	if (skip <= at)
		q->checksum = fifo_checksum(d, p, q->checksum, bytes + skip, at - skip);
	else if (skip < size)
		q->checksum = torus_crc32_value(torus_crc32_extend(torus_crc32_value(q->checksum),
								   bytes + skip, size - skip));
}

/**
 * torus_fifo_drained() - check the watermarks of a group's injection FIFOs after packets may have
 * left
 * @d: the domain
 * @nic: the FIFO group, after its client was asked for more packets
 */
void torus_fifo_drained(struct torus_domain *d, struct torus_nic *nic)
{
	u32 marked;

	for (marked = nic->marked; marked; marked &= marked - 1) {
		u32 i = torus_ctz(marked);
		u32 mark = nic->watermark[TORUS_NIC_WATERMARK_INJECT + i];
		u32 level = torus_nic_inject_chunks(d->f, nic->node, nic->group, i);

		if (level < mark && nic->inject[i].level >= mark)
			fifo_crossed(d, nic, false, i);
		nic->inject[i].level = level;
	}
}

/**
 * torus_fifo_arrived() - count a packet whose last byte is in its reception FIFO
 * @d: the domain
 * @nic: the FIFO group
 * @fifo: the FIFO
 * @chunks: size of the packet
 */
void torus_fifo_arrived(struct torus_domain *d, struct torus_nic *nic, u32 fifo, u32 chunks)
{
	struct torus_nic_fifo *q = &nic->receive[fifo];
	u32 mark = fifo_watermark(d->f, nic, true, fifo), before = q->whole;

	q->whole += chunks;
	if (q->whole > mark && before <= mark)
		fifo_crossed(d, nic, true, fifo);
}
