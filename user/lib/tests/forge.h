/* SPDX-License-Identifier: GPL-2.0 */
/* Forged packets: check how rank 1 of a pair processes packets that the library did not send. */
#ifndef TORUS_TESTS_FORGE_H
#define TORUS_TESTS_FORGE_H

#include <stdint.h>

#include "pair.h"

/**
 * struct forged - fields of a packet, some of which a test changes
 * @tag: tag, in the wide format only
 * @chunks: length of the packet
 */
struct forged {
	uint32_t key;
	uint32_t dest;
	uint32_t kind;
	uint32_t source;
	uint32_t number;
	uint32_t length;
	uint32_t index;
	uint32_t tag;
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
