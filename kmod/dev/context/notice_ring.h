/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Notices to a program: its packets that did not arrive, and the number of packets that completed.
 */
#ifndef TORUS_DEV_CONTEXT_NOTICE_RING_H
#define TORUS_DEV_CONTEXT_NOTICE_RING_H

#include <linux/torus.h>
#include <linux/types.h>

struct torus_ctx;
struct torus_lost_packet;

/**
 * struct torus_notice_ring - the kernel's end of a notice ring
 * @data: array of notices
 * @length: number of notices, a power of two
 * @head: last valid head that the program stored
 * @tail: number of notices written; the status page has a copy
 * @lost: number of notices discarded because the ring was full
 * @completed: number of packets that have completed
 */
struct torus_notice_ring {
	struct torus_notice *data;
	u32 length;
	u32 head;
	u32 tail;
	u64 lost;
	u64 completed;
};

void torus_notice_ring_refused(struct torus_ctx *ctx, u32 fifo, u32 index, u32 code);
void torus_notice_ring_lost(void *client, const struct torus_lost_packet *loss);
void torus_notice_ring_ended(void *client, u64 completed);
bool torus_notice_ring_ready(struct torus_ctx *ctx);
void torus_notice_ring_read(struct torus_ctx *ctx);

#endif
