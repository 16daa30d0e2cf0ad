/* SPDX-License-Identifier: GPL-2.0 */
/* Packets that somebody else has made: what rank 1 of a pair thinks of them. */
#ifndef TORUS_TESTS_FORGE_H
#define TORUS_TESTS_FORGE_H

#include "pair.h"

/**
 * struct forged - a packet as the library would make it, but for what a test changes
 * @tag: of the wide form alone
 * @chunks: its length
 */
struct forged {
	__u32 key;
	__u32 dest;
	__u32 kind;
	__u32 source;
	__u32 number;
	__u32 length;
	__u32 index;
	__u32 tag;
	unsigned int chunks;
};

/* Writes the packet in a form's words, and delivers it to rank 1. */
typedef void forge_t(struct pair *pair, const struct forged *forged);

void forge_rejected(struct pair *pair, forge_t *forge, const struct forged *forged,
		    const __u64 *count);

/* The test's honest packet with one field changed, to its pair by its forge(). */
#define FORGE(member, value, count) do {					\
		struct forged forged = honest;					\
										\
		forged.member = (value);					\
		forge_rejected(&pair, forge, &forged, &pair.counts.count);	\
	} while (0)

#endif /* TORUS_TESTS_FORGE_H */
