/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fragments of a datagram: its bytes, cut into packets. Each packet has the machine's header,
 * then the header of this file, then a fragment. All fragments of a datagram but the last have the
 * same length, and arrive in order.
 *
 *   word 0  number of the node that sends
 *   word 1  first fragment: bit 31 is 1, bit 30: IPv6, bits 16-29: bytes of the datagram
 *           other fragments: bit 31 is 0, bit 30: the last one, bits 16-24: number of the fragment
 *           all fragments: bits 0-15: number of the datagram
 *
 * Words are big endian, as those of the machines' headers.
 */
#ifndef TORUS_NET_FRAGMENT_H
#define TORUS_NET_FRAGMENT_H

#include "core/platform.h"

#define TORUS_NET_FRAGMENT_HEADER	8
#define TORUS_NET_MTU_MIN		1280	/* the minimum of IPv6 */
#define TORUS_NET_MTU_MAX		14400

/**
 * struct torus_net_fragment - parsed header of a fragment
 * @source: number of the node that sends
 * @id: number of the datagram; the sender counts its datagrams
 * @index: number of the fragment, 0 for the first
 * @last: the last fragment; parsed from fragments other than the first
 * @ipv6: IPv6, not IPv4; in the first fragment
 * @length: bytes of the datagram, 1..TORUS_NET_MTU_MAX; in the first fragment
 */
struct torus_net_fragment {
	u32 source;
	u16 id;
	u16 index;
	bool last;
	bool ipv6;
	u16 length;
};

/* Number of fragments of a datagram of @length bytes; @size: bytes of a fragment. */
torus_inline u32 torus_net_fragments(u32 length, u32 size)
{
	return (length + size - 1) / size;
}

/* Bytes of fragment @index of a datagram of @length bytes. */
torus_inline u32 torus_net_fragment_bytes(u32 length, u32 size, u32 index)
{
	u32 rest = length - index * size;

	return rest < size ? rest : size;
}

void torus_net_fragment_pack(const struct torus_net_fragment *fragment, u8 *bytes);
bool torus_net_fragment_unpack(struct torus_net_fragment *fragment, const u8 *bytes);

#endif
