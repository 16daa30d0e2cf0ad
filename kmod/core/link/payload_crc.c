// SPDX-License-Identifier: GPL-2.0
/*
 * The effect of a packet's payload on CRC-32s. Both ends of each link on a packet's path, and the
 * checksum of its injection FIFO, cover the same bytes. CRCs are linear: the CRC of a state and
 * some bytes is the CRC of the state and equally many zero bytes, XOR the CRC of 0 and the bytes.
 * The first part follows from the number of bytes; the second is computed once per body.
 */
#include "core/base/crc.h"
#include "core/link/link.h"
#include "core/link/payload_crc.h"
#include "core/state/domain.h"

/* Return the size in bytes of a fabric's payload tables. */
size_t torus_payloads_bytes(const struct torus_fabric *f)
{
	return (f->arch->packet_chunks_max + 1) * sizeof(*f->payload_zeros);
}

/**
 * torus_payloads_init() - compute the effect of a payload of zero bytes, for each length
 * @f: the fabric; no run may be in progress
 *
 * Return: 0 or -ENOMEM.
 */
int torus_payloads_init(struct torus_fabric *f)
{
	u32 chunks, at = torus_payload_at(f), chunk = f->arch->chunk_bytes, len;
	struct torus_crc32_zeros *zeros, *one;

	if (f->payload_zeros)
		return 0;
	f->payload_zeros = torus_alloc(torus_payloads_bytes(f));
	if (!f->payload_zeros)
		return -ENOMEM;
	/* no packet has 0 chunks, so entry 0 is free for the effect of one chunk */
	one = f->payload_zeros;
	torus_crc32_zeros_init(one, chunk);
	for (chunks = 1; chunks <= f->arch->packet_chunks_max; chunks++) {
		zeros = &f->payload_zeros[chunks];
		len = chunks * chunk;
		/* after the chunks of the header, each chunk adds one chunk of zeros */
		if (len > at + chunk)
			torus_crc32_zeros_join(zeros, zeros - 1, one);
		else
			torus_crc32_zeros_init(zeros, len > at ? len - at : 0);
	}
	return 0;
}

/*
 * Compute and store the CRC-32 of a body's payload from state 0, which torus_payload_extend()
 * needs.
 */
void torus_payload_sum(struct torus_domain *d, const struct torus_packet *p)
{
	struct torus_body *body = torus_body_at(&d->bodies, p->body);
	u32 at = torus_payload_at(d->f), len = p->chunks * d->f->arch->chunk_bytes;

	body->sum = len > at ? torus_crc32_extend(0, body->bytes + at, len - at) : 0;
	body->summed = true;
}
