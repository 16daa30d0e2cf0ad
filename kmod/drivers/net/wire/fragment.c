// SPDX-License-Identifier: GPL-2.0
/* The header of a fragment: conversion between its bits and struct torus_net_fragment. */
#include "fragment.h"

#define FRAGMENT_FIRST		(1u << 31)
#define FRAGMENT_IPV6		(1u << 30)	/* of the first fragment */
#define FRAGMENT_LAST		(1u << 30)	/* of the others */
#define FRAGMENT_VALUE_SHIFT	16
#define FRAGMENT_LENGTH		0x3fffu
#define FRAGMENT_INDEX		0x1ffu
#define FRAGMENT_UNUSED		(0x1fu << 25)	/* of fragments other than the first */

static void fragment_store(u8 *bytes, u32 word)
{
	bytes[0] = (u8)(word >> 24);
	bytes[1] = (u8)(word >> 16);
	bytes[2] = (u8)(word >> 8);
	bytes[3] = (u8)word;
}

static u32 fragment_load(const u8 *bytes)
{
	return (u32)bytes[0] << 24 | (u32)bytes[1] << 16 | (u32)bytes[2] << 8 | bytes[3];
}

/**
 * torus_net_fragment_pack() - write the header of a fragment
 * @fragment: the fields
 * @bytes: [out] TORUS_NET_FRAGMENT_HEADER bytes
 */
void torus_net_fragment_pack(const struct torus_net_fragment *fragment, u8 *bytes)
{
	u32 word = fragment->id;

	if (!fragment->index)
		word |= FRAGMENT_FIRST | (fragment->ipv6 ? FRAGMENT_IPV6 : 0) |
			(fragment->length & FRAGMENT_LENGTH) << FRAGMENT_VALUE_SHIFT;
	else
		word |= (fragment->last ? FRAGMENT_LAST : 0) |
			(fragment->index & FRAGMENT_INDEX) << FRAGMENT_VALUE_SHIFT;
	fragment_store(bytes, fragment->source);
	fragment_store(bytes + 4, word);
}

/**
 * torus_net_fragment_unpack() - parse the header of a fragment
 * @fragment: [out] the fields; those that the fragment does not have are 0
 * @bytes: TORUS_NET_FRAGMENT_HEADER bytes from the network
 *
 * Return: false if a field has no valid value.
 */
bool torus_net_fragment_unpack(struct torus_net_fragment *fragment, const u8 *bytes)
{
	u32 word = fragment_load(bytes + 4);

	memset(fragment, 0, sizeof(*fragment));
	fragment->source = fragment_load(bytes);
	fragment->id = (u16)word;
	if (word & FRAGMENT_FIRST) {
		fragment->ipv6 = word & FRAGMENT_IPV6;
		fragment->length = word >> FRAGMENT_VALUE_SHIFT & FRAGMENT_LENGTH;
		return fragment->length && fragment->length <= TORUS_NET_MTU_MAX;
	}
	fragment->last = word & FRAGMENT_LAST;
	fragment->index = word >> FRAGMENT_VALUE_SHIFT & FRAGMENT_INDEX;
	return fragment->index && !(word & FRAGMENT_UNUSED);
}
