/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A 64-bit counter that the fabric's thread writes and an accessor reads, on processors without
 * 64-bit loads, too. A reader may have interrupted the writer, so it must not wait for the writer.
 *
 * The writer alternates between two copies. (A) orders the new turn before the halves of the next
 * copy, so a reader that loads a half of that copy also loads the new turn at (B), and tries again.
 */
#ifndef TORUS_CORE_PORT_COUNT_H
#define TORUS_CORE_PORT_COUNT_H

#include "core/platform.h"

/**
 * struct torus_port_count - a counter
 * @value: its value, for the writer
 * @turn: number of writes; its lowest bit is the index of the copy that is valid
 * @half: two copies of @value, low half first
 */
struct torus_port_count {
	u64 value;
	u32 turn;
	u32 half[2][2];
};

torus_inline void torus_port_count_set(struct torus_port_count *count, u64 value)
{
	u32 turn = count->turn + 1;
	u32 *half = count->half[turn & 1];

	count->value = value;
	torus_store_release(&half[0], (u32)value);		/* (A) */
	torus_store_release(&half[1], (u32)(value >> 32));	/* (A) */
	/* Store both halves before the turn that makes them valid. */
	torus_store_release(&count->turn, turn);
}

torus_inline u64 torus_port_count_get(const struct torus_port_count *count)
{
	u32 turn, low, high;

	do {
		turn = torus_load_acquire(&count->turn);
		low = torus_load_acquire(&count->half[turn & 1][0]);	/* (B) */
		high = torus_load_acquire(&count->half[turn & 1][1]);	/* (B) */
	} while (torus_load(&count->turn) != turn);
	return (u64)high << 32 | low;
}

#endif
