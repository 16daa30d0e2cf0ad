// SPDX-License-Identifier: GPL-2.0
/* Rings of descriptors of a device under test. */
#include <linux/iopoll.h>
#include <linux/string.h>

#include "port_test.h"

int port_test_wait(struct port_test *test, u32 offset, u32 value)
{
	u32 now;
	int err;

	err = read_poll_timeout(torus_read32, now, now == value || now == ~0u, 100,
				PORT_TEST_WAIT_US, false, test->td, offset);
	return err ?: now == value ? 0 : -ENODEV;
}

/* Make a ring in coherent memory, and turn it on. */
static int ring_start(struct port_test *test, struct port_test_ring *ring, u32 number)
{
	ring->number = number;
	ring->descriptor = dma_alloc_coherent(torus_dma_device(test->td), PORT_TEST_DESCRIPTORS *
					      sizeof(*ring->descriptor), &ring->at, GFP_KERNEL);
	if (!ring->descriptor)
		return -ENOMEM;
	torus_write32(test->td, TORUS_PORT_AT_RING(TORUS_PORT_BASE_LOW, number),
		      lower_32_bits(ring->at));
	torus_write32(test->td, TORUS_PORT_AT_RING(TORUS_PORT_BASE_HIGH, number),
		      upper_32_bits(ring->at));
	torus_write32(test->td, TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, number),
		      PORT_TEST_DESCRIPTORS);
	return 0;
}

/* Turn the rings on, unless they are. */
int port_test_rings_start(struct port_test *test)
{
	if (test->receive.descriptor)
		return 0;
	torus_write32(test->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_FAULT);
	return ring_start(test, &test->send, 0) ?:
	       ring_start(test, &test->receive, TORUS_PORT_RECEIVE_RING);
}

static void ring_free(struct port_test *test, struct port_test_ring *ring)
{
	if (ring->descriptor)
		dma_free_coherent(torus_dma_device(test->td), PORT_TEST_DESCRIPTORS *
				  sizeof(*ring->descriptor), ring->descriptor, ring->at);
	memset(ring, 0, sizeof(*ring));
}

/* Free the memory of the rings; the device has been reset, or is gone. */
void port_test_rings_free(struct port_test *test)
{
	ring_free(test, &test->send);
	ring_free(test, &test->receive);
}

static void ring_post(struct port_test *test, struct port_test_ring *ring,
		      const struct torus_port_descriptor *descriptor)
{
	ring->descriptor[ring->tail % PORT_TEST_DESCRIPTORS] = *descriptor;
	ring->tail++;
	dma_wmb();	/* the descriptor before the tail */
	torus_write32(test->td, TORUS_PORT_AT_RING(TORUS_PORT_TAIL, ring->number), ring->tail);
}

/* Send a packet to the peer whose last bytes are at a DMA address. */
void port_test_ring_send(struct port_test *test, dma_addr_t address, u32 bytes)
{
	u32 x = torus_read32(test->peer->td, TORUS_PORT_AT(TORUS_PORT_COORDINATE, 0));
	u32 y = torus_read32(test->peer->td, TORUS_PORT_AT(TORUS_PORT_COORDINATE, 1));
	u32 z = torus_read32(test->peer->td, TORUS_PORT_AT(TORUS_PORT_COORDINATE, 2));
	struct torus_port_descriptor descriptor = {
		/* Checksums skip 8 half-words; 8 chunks on a deterministic VC; destination. */
		.header = { 8, 0, 7 << 5 | 2, x, y, z },
		.address = cpu_to_le64(address),
		.length = cpu_to_le32(bytes),
	};

	ring_post(test, &test->send, &descriptor);
}

/* Let the next packet be written to a DMA address. */
void port_test_ring_receive(struct port_test *test, dma_addr_t address, u32 bytes)
{
	struct torus_port_descriptor descriptor = {
		.address = cpu_to_le64(address),
		.length = cpu_to_le32(bytes),
	};

	ring_post(test, &test->receive, &descriptor);
}

/* Wait until the device is done with all descriptors. Return: as port_test_wait(). */
int port_test_ring_wait(struct port_test *test, const struct port_test_ring *ring)
{
	return port_test_wait(test, TORUS_PORT_AT_RING(TORUS_PORT_HEAD, ring->number), ring->tail);
}

/* Return: enum torus_port_done of the last descriptor but @back. */
u32 port_test_ring_status(const struct port_test_ring *ring, u32 back)
{
	u32 index = (ring->tail - 1 - back) % PORT_TEST_DESCRIPTORS;

	return le32_to_cpu(READ_ONCE(ring->descriptor[index].status)) & 0xff;
}
