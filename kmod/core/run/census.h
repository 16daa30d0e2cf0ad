/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The census: every packet and every token of a fabric is looked for and
 * counted, and the sums are compared with what must be.
 *
 *   packets   injected = delivered + dropped + found
 *   tokens    for each link and VC: tokens at the sender + space taken at the
 *             receiver + on the way, either way = capacity
 *   bubble    each directional ring of a bubble VC has room for one full packet
 */
#ifndef TORUS_CORE_CHECK_H
#define TORUS_CORE_CHECK_H

#include "core/state/domain.h"

/**
 * struct torus_check - a census
 * @f: the fabric
 * @packets: packets found
 * @wrong: links and VCs whose tokens do not add up
 * @bubbles: bubble rings without a free full-packet slot
 * @capacity: chunks of each VC's buffer
 * @conserved: the packets add up
 * @space: nodes x dirs x vcs: chunks accounted for
 * @free: of those, free ones
 */
struct torus_check {
	struct torus_fabric *f;
	u64 packets;
	u64 wrong;
	u64 bubbles;
	u32 capacity[TORUS_VCS_MAX];
	bool conserved;
	u32 *space;
	u32 *free;
};

torus_inline size_t torus_check_index(const struct torus_check *c, u32 node, u32 dir, u32 vc)
{
	return ((size_t)node * c->f->dirs + dir) * c->f->vcs + vc;
}

/* @tokens of the buffer that (@node, @dir) sends to on @vc are accounted for. */
torus_inline void torus_check_tokens(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 tokens)
{
	c->space[torus_check_index(c, node, dir, vc)] += tokens;
}

/* And free. */
torus_inline void torus_check_free(struct torus_check *c, u32 node, u32 dir, u32 vc, u32 tokens)
{
	c->free[torus_check_index(c, node, dir, vc)] += tokens;
}

void torus_check_resend(struct torus_check *c, struct torus_domain *d, u32 node, u32 dir, u32 peer);

/**
 * torus_check_fabric() - take a census
 * @f: the fabric, held
 * @check: filled in; its arrays are gone when the call comes back
 *
 * Return: 0 or -ENOMEM.
 */
int torus_check_fabric(struct torus_fabric *f, struct torus_check *check);

#endif
