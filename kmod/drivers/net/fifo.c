// SPDX-License-Identifier: GPL-2.0
/* Packets to and from the FIFOs of a node, by programmed I/O. */
#include <linux/string.h>
#include <linux/types.h>

#include "fifo.h"

#define WORD_BYTES	4u

/* The first byte of a packet is the low byte of its first word. */
static u32 fifo_word(const u8 *bytes)
{
	__le32 word;

	memcpy(&word, bytes, sizeof(word));
	return le32_to_cpu(word);
}

/**
 * torus_net_fifo_space() - read the free space of the injection FIFO
 * @tn: the interface
 *
 * Return: chunks; 0 if the node is gone.
 */
u32 torus_net_fifo_space(struct torus_net *tn)
{
	u32 space = torus_read32(tn->td, TORUS_PORT_AT_FIFO(TORUS_PORT_SPACE, TORUS_NET_FIFO));

	return space == TORUS_NET_ALL_ONES ? 0 : space;
}

static void fifo_write_word(struct torus_net *tn, u32 word)
{
	torus_write32(tn->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, TORUS_NET_FIFO), word);
}

/**
 * torus_net_fifo_write() - write a packet into the injection FIFO, which has space
 * @tn: the interface; the caller serializes writers
 * @header: the machine's header, then that of the fragment
 * @data: the fragment
 * @bytes: number of bytes at @data
 * @chunks: length of the packet as the header says; zeros fill the packet up
 */
void torus_net_fifo_write(struct torus_net *tn, const u8 *header, const u8 *data, u32 bytes,
			  u32 chunks)
{
	u32 headers = tn->machine->header_bytes + TORUS_NET_FRAGMENT_HEADER, at;
	u8 rest[WORD_BYTES] = { 0 };

	for (at = 0; at < headers; at += WORD_BYTES)
		fifo_write_word(tn, fifo_word(header + at));
	for (at = 0; at + WORD_BYTES <= bytes; at += WORD_BYTES)
		fifo_write_word(tn, fifo_word(data + at));
	memcpy(rest, data + at, bytes - at);
	for (; headers + at < chunks * tn->chunk_bytes; at += WORD_BYTES) {
		fifo_write_word(tn, fifo_word(rest));
		memset(rest, 0, sizeof(rest));
	}
}

/**
 * torus_net_fifo_read() - read the first packet of a reception FIFO into @tn->rx.packet
 * @tn: the interface
 * @fifo: number of the FIFO
 *
 * Return: bytes of the packet; 0 if there is none, or if the node is gone.
 */
u32 torus_net_fifo_read(struct torus_net *tn, u32 fifo)
{
	u32 words = torus_read32(tn->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo)), i;
	u32 data = TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo);

	if (words > tn->packet_bytes / WORD_BYTES)
		return 0;
	for (i = 0; i < words; i++)
		tn->rx.packet[i] = cpu_to_le32(torus_read32(tn->td, data));
	return words * WORD_BYTES;
}
