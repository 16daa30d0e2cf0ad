/* SPDX-License-Identifier: GPL-2.0 */
/* Receive by a ring of descriptors, for lab 9. Do not change this file. */
#ifndef TORUS_LAB_RING_H
#define TORUS_LAB_RING_H

#include <linux/dma-mapping.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "torus_lab.h"

#define TORUS_LAB_RING_LENGTH	8
#define TORUS_LAB_RING_BODY	(TORUS_LAB_WORDS * 4 - TORUS_PORT_DESCRIPTOR_HEADER)

/**
 * struct torus_lab_ring - the reception ring of a port, and memory for its packets
 * @tail: descriptors that the device was given
 * @done: descriptors whose packets were received
 * @descriptor: the ring; NULL if there is none
 * @at: its DMA address
 * @body: memory for the bytes of a packet after the descriptor's, TORUS_LAB_RING_BODY for each
 * @body_at: its DMA address
 */
struct torus_lab_ring {
	u32 tail;
	u32 done;
	struct torus_port_descriptor *descriptor;
	dma_addr_t at;
	u8 *body;
	dma_addr_t body_at;
};

/**
 * torus_lab_ring_free() - undo torus_lab_ring_alloc()
 * @td: the device, whose ring is off: its port was reset, or the node is gone
 * @ring: the ring; zeroed if it was never allocated
 */
static inline void torus_lab_ring_free(struct torus_device *td, struct torus_lab_ring *ring)
{
	if (ring->body)
		dma_free_coherent(torus_dma_device(td), TORUS_LAB_RING_LENGTH * TORUS_LAB_RING_BODY,
				  ring->body, ring->body_at);
	if (ring->descriptor)
		dma_free_coherent(torus_dma_device(td),
				  TORUS_LAB_RING_LENGTH * sizeof(*ring->descriptor),
				  ring->descriptor, ring->at);
	ring->body = NULL;
	ring->descriptor = NULL;
}

/**
 * torus_lab_ring_alloc() - allocate a ring; may sleep
 * @td: the device
 * @ring: the ring, zeroed
 *
 * Return: 0 or -ENOMEM.
 */
static inline int torus_lab_ring_alloc(struct torus_device *td, struct torus_lab_ring *ring)
{
	ring->descriptor = dma_alloc_coherent(torus_dma_device(td),
					      TORUS_LAB_RING_LENGTH * sizeof(*ring->descriptor),
					      &ring->at, GFP_KERNEL);
	ring->body = dma_alloc_coherent(torus_dma_device(td),
					TORUS_LAB_RING_LENGTH * TORUS_LAB_RING_BODY,
					&ring->body_at, GFP_KERNEL);
	if (ring->descriptor && ring->body)
		return 0;
	torus_lab_ring_free(td, ring);
	return -ENOMEM;
}

/* Give the next descriptor to the device. */
static inline void torus_lab_ring_post(struct torus_device *td, struct torus_lab_ring *ring)
{
	u32 slot = ring->tail % TORUS_LAB_RING_LENGTH;

	ring->descriptor[slot] = (struct torus_port_descriptor){
		.address = cpu_to_le64(ring->body_at + slot * TORUS_LAB_RING_BODY),
		.length = cpu_to_le32(TORUS_LAB_RING_BODY),
	};
	dma_wmb();	/* the descriptor before TAIL */
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_TAIL, TORUS_PORT_RECEIVE_RING),
		      ++ring->tail);
}

/**
 * torus_lab_ring_start() - turn a ring on; any context
 * @td: the device, whose ring is off: after probe() has begun, or after a reset of the port
 * @ring: the ring; its packets are discarded
 */
static inline void torus_lab_ring_start(struct torus_device *td, struct torus_lab_ring *ring)
{
	u32 i;

	ring->tail = 0;
	ring->done = 0;
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_BASE_LOW, TORUS_PORT_RECEIVE_RING),
		      lower_32_bits(ring->at));
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_BASE_HIGH, TORUS_PORT_RECEIVE_RING),
		      upper_32_bits(ring->at));
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, TORUS_PORT_RECEIVE_RING),
		      TORUS_LAB_RING_LENGTH);
	for (i = 0; i < TORUS_LAB_RING_LENGTH; i++)
		torus_lab_ring_post(td, ring);
}

/**
 * torus_lab_ring_receive() - take a packet from a ring, without waiting; any context
 * @td: the device; one caller at a time
 * @ring: the ring, which was started
 * @words: [out] the packet, with space for TORUS_LAB_WORDS words
 *
 * The function does not read the register RING_STATE.
 *
 * Return: number of words; 0 if there is no packet; -EIO for a descriptor that has none, because
 * the device could not access the memory; -ENODEV if the node is gone.
 */
static inline int torus_lab_ring_receive(struct torus_device *td, struct torus_lab_ring *ring,
					 u32 *words)
{
	u32 head = torus_read32(td, TORUS_PORT_AT_RING(TORUS_PORT_HEAD, TORUS_PORT_RECEIVE_RING));
	u32 slot = ring->done % TORUS_LAB_RING_LENGTH, bytes, status;

	if (head == ~0u)
		return -ENODEV;
	if (head == ring->done)
		return 0;
	dma_rmb();	/* HEAD before the descriptor */
	bytes = min_t(u32, le32_to_cpu(ring->descriptor[slot].length), TORUS_LAB_RING_BODY);
	status = le32_to_cpu(ring->descriptor[slot].status) & 0xff;
	memcpy(words, ring->descriptor[slot].header, TORUS_PORT_DESCRIPTOR_HEADER);
	memcpy(words + TORUS_PORT_DESCRIPTOR_HEADER / 4, ring->body + slot * TORUS_LAB_RING_BODY,
	       bytes);
	ring->done++;
	torus_lab_ring_post(td, ring);
	return status == TORUS_PORT_DONE ? (TORUS_PORT_DESCRIPTOR_HEADER + bytes) / 4 : -EIO;
}

#endif
