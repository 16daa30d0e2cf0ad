/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames in packets, for lab 8. Do not change this file.
 *
 * A frame of Ethernet is one packet: the header of two words, a word with the number of bytes of
 * the frame, and the frame. The first byte of the frame is the low byte of the fourth word.
 */
#ifndef TORUS_LAB_NET_H
#define TORUS_LAB_NET_H

#include <linux/etherdevice.h>
#include <linux/if_ether.h>
#include <linux/string.h>

#include "torus_lab_fifo.h"

#define TORUS_LAB_FRAME_AT	3	/* words before the frame */
#define TORUS_LAB_FRAME_MAX	((TORUS_LAB_WORDS - TORUS_LAB_FRAME_AT) * 4)
#define TORUS_LAB_MTU		(TORUS_LAB_FRAME_MAX - ETH_HLEN)
#define TORUS_LAB_CHUNK_WORDS	8

/**
 * torus_lab_net_address() - read the address of a node's interface: 02:4c:00 and the coordinates
 * @td: the device
 * @address: [out] ETH_ALEN bytes
 */
static inline void torus_lab_net_address(struct torus_device *td, u8 *address)
{
	u32 d;

	address[0] = 0x02;
	address[1] = 0x4c;
	address[2] = 0;
	for (d = 0; d < 3; d++)
		address[3 + d] = torus_read32(td, TORUS_PORT_AT(TORUS_PORT_COORDINATE, d));
}

/**
 * torus_lab_net_pack() - make a packet from a frame
 * @words: [out] the packet, with space for TORUS_LAB_WORDS words
 * @frame: the frame; its first bytes are the address of a node
 * @bytes: bytes of the frame, from ETH_HLEN to TORUS_LAB_FRAME_MAX
 *
 * Return: number of words, or -EINVAL for a length or an address that no frame of the lab has.
 */
static inline int torus_lab_net_pack(u32 *words, const u8 *frame, u32 bytes)
{
	u32 chunks = DIV_ROUND_UP(TORUS_LAB_FRAME_AT * 4 + bytes, TORUS_LAB_CHUNK_WORDS * 4);

	if (bytes < ETH_HLEN || bytes > TORUS_LAB_FRAME_MAX || frame[0] != 0x02 ||
	    frame[1] != 0x4c || frame[2])
		return -EINVAL;
	memset(words, 0, chunks * TORUS_LAB_CHUNK_WORDS * 4);
	words[0] = 8 | ((chunks - 1) << 5 | 2) << 16 | (u32)frame[3] << 24;
	words[1] = frame[4] | (u32)frame[5] << 8;
	words[2] = bytes;
	memcpy(words + TORUS_LAB_FRAME_AT, frame, bytes);
	return chunks * TORUS_LAB_CHUNK_WORDS;
}

/**
 * torus_lab_net_bytes() - check a packet
 * @words: the packet
 * @count: number of words
 *
 * Return: bytes of its frame, which begins at words + TORUS_LAB_FRAME_AT; -EINVAL if it has none.
 */
static inline int torus_lab_net_bytes(const u32 *words, int count)
{
	if (count <= TORUS_LAB_FRAME_AT || words[2] < ETH_HLEN ||
	    words[2] > (count - TORUS_LAB_FRAME_AT) * 4)
		return -EINVAL;
	return words[2];
}

#endif
