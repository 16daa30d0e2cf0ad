/* SPDX-License-Identifier: GPL-2.0 */
/* Forged packets: check how rank 1 of a pair processes packets that the library did not send. */
#ifndef TORUS_TESTS_FORGE_H
#define TORUS_TESTS_FORGE_H

#include "pair.h"

/**
 * struct forged - fields of a packet, some of which a test changes
 * @tag: tag, in the wide format only
 * @chunks: length of the packet
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

/* Write a packet in the wide or the narrow format, and deliver it to rank 1. */
typedef void forge_t(struct pair *pair, const struct forged *forged);

void forge_rejected(struct pair *pair, forge_t *forge, const struct forged *forged,
		    const __u64 *count);

/*
 * Deliver the valid packet `honest` with one field changed, and check that one counter increases.
 */
#define FORGE(member, value, count) do {					\
		struct forged forged = honest;					\
										\
		forged.member = (value);					\
		forge_rejected(&pair, forge, &forged, &pair.counts.count);	\
	} while (0)

#endif /* TORUS_TESTS_FORGE_H */
