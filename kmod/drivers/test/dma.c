// SPDX-License-Identifier: GPL-2.0
/* Commands about DMA: mistakes that the device must detect, kinds of mappings, forgotten syncs. */
#include <linux/dmapool.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/string.h>

#include "port_test.h"

#define CANARY		0xc5
#define OLD		0x11
#define NEW		0x22

static struct device *dma_device(struct port_test *test)
{
	return torus_dma_device(test->td);
}

static u8 *dma_page(struct port_test *test)
{
	return test->pages + PAGE_SIZE;
}

/* ------------------------------------------------------------------------------- mistakes */

/* Write the result of an access that had to fail: status, registers, interrupts, memory. */
static int mistake_result(struct port_test *test, u32 status, dma_addr_t address)
{
	u32 fault = torus_read32(test->td, TORUS_PORT_FAULT), interrupts;
	u64 at = torus_read32(test->td, TORUS_PORT_FAULT_LOW) |
		 (u64)torus_read32(test->td, TORUS_PORT_FAULT_HIGH) << 32;

	if (read_poll_timeout(atomic_read, interrupts, interrupts, 100, PORT_TEST_WAIT_US,
			      false, &test->faults))
		return -ETIMEDOUT;
	snprintf(test->result, sizeof(test->result),
		 "status %u, %s of ring %u, %s address, interrupts %u, pages %s\n", status,
		 fault & TORUS_PORT_FAULT_WRITE ? "write" : "read",
		 fault >> TORUS_PORT_FAULT_RING_SHIFT & 0xff,
		 fault & TORUS_PORT_FAULT_PRESENT && at == address ? "right" : "wrong",
		 interrupts,
		 memchr_inv(test->pages, CANARY, 3 * PAGE_SIZE) ? "changed" : "unchanged");
	torus_write32(test->td, TORUS_PORT_FAULT, TORUS_PORT_FAULT_PRESENT);
	return 0;
}

/* The device writes to @address, fails, and writes the packet to the next descriptor's memory. */
static int mistake_receive(struct port_test *test, dma_addr_t address)
{
	port_test_ring_receive(test, address, PORT_TEST_BYTES);
	port_test_ring_receive(test, test->buffer_at, PORT_TEST_BYTES);
	port_test_ring_send(test->peer, test->peer->buffer_at, PORT_TEST_BYTES);
	if (port_test_ring_wait(test, &test->receive) ||
	    port_test_ring_status(&test->receive, 0) != TORUS_PORT_DONE)
		return -ETIMEDOUT;
	return mistake_result(test, port_test_ring_status(&test->receive, 1), address);
}

/* The device reads from @address, and fails: no packet is sent. */
static int mistake_send(struct port_test *test, dma_addr_t address)
{
	port_test_ring_send(test, address, PORT_TEST_BYTES);
	if (port_test_ring_wait(test, &test->send))
		return -ETIMEDOUT;
	return mistake_result(test, port_test_ring_status(&test->send, 0), address);
}

/* Map the second page, let the device access it in a wrong way, unmap it. */
static int mistake_mapped(struct port_test *test, u32 bytes, enum dma_data_direction direction,
			  bool send)
{
	dma_addr_t address = dma_map_single(dma_device(test), dma_page(test), bytes, direction);
	int err;

	if (dma_mapping_error(dma_device(test), address))
		return -ENOMEM;
	err = send ? mistake_send(test, address) : mistake_receive(test, address);
	dma_unmap_single(dma_device(test), address, bytes, direction);
	return err;
}

/* Map the second page, and unmap another length, or twice, or not at all. */
static int mistake_unmap(struct port_test *test, const char *what)
{
	dma_addr_t address = dma_map_single(dma_device(test), dma_page(test), 128, DMA_TO_DEVICE);

	if (dma_mapping_error(dma_device(test), address))
		return -ENOMEM;
	snprintf(test->result, sizeof(test->result), "%s at %pad\n", what, &address);
	if (!strcmp(what, "left"))
		return 0;
	dma_unmap_single(dma_device(test), address, strcmp(what, "unmap-length") ? 128 : 64,
			 DMA_TO_DEVICE);
	if (!strcmp(what, "unmap-nothing"))
		dma_unmap_single(dma_device(test), address, 128, DMA_TO_DEVICE);
	return 0;
}

/*
 * mistake physical|unmapped|length|direction|direction-send: an access that has to fail.
 * mistake unmap-length|unmap-nothing|left: a wrong unmap.
 */
int port_test_mistake(struct port_test *test, const char *what)
{
	dma_addr_t address;

	memset(test->pages, CANARY, 3 * PAGE_SIZE);
	atomic_set(&test->faults, 0);
	if (!strcmp(what, "physical"))
		return mistake_receive(test, virt_to_phys(dma_page(test)));
	if (!strcmp(what, "length"))
		return mistake_mapped(test, PORT_TEST_BYTES - 1, DMA_FROM_DEVICE, false);
	if (!strcmp(what, "direction"))
		return mistake_mapped(test, PAGE_SIZE, DMA_TO_DEVICE, false);
	if (!strcmp(what, "direction-send"))
		return mistake_mapped(test, PAGE_SIZE, DMA_FROM_DEVICE, true);
	if (strcmp(what, "unmapped"))
		return mistake_unmap(test, what);
	address = dma_map_single(dma_device(test), dma_page(test), PAGE_SIZE, DMA_FROM_DEVICE);
	if (dma_mapping_error(dma_device(test), address))
		return -ENOMEM;
	dma_unmap_single(dma_device(test), address, PAGE_SIZE, DMA_FROM_DEVICE);
	return mistake_receive(test, address);
}

/* ------------------------------------------------------------------------------- mappings */

/*
 * Send bytes from @address to the peer's buffer. Return: 0; -ETIMEDOUT; -EBADMSG if one is not
 * @byte.
 */
static int exchange_send(struct port_test *test, dma_addr_t address, u8 byte)
{
	struct port_test *peer = test->peer;

	memset(peer->buffer, 0, PORT_TEST_BYTES);
	port_test_ring_receive(peer, peer->buffer_at, PORT_TEST_BYTES);
	port_test_ring_send(test, address, PORT_TEST_BYTES);
	if (port_test_ring_wait(test, &test->send) || port_test_ring_wait(peer, &peer->receive))
		return -ETIMEDOUT;
	return memchr_inv(peer->buffer, byte, PORT_TEST_BYTES) ? -EBADMSG : 0;
}

/* A packet from each of two entries of a list. */
static int exchange_list(struct port_test *test)
{
	struct scatterlist list[2];
	int err;

	sg_init_table(list, 2);
	sg_set_buf(&list[0], test->pages, PORT_TEST_BYTES);
	sg_set_buf(&list[1], dma_page(test) + 100, PORT_TEST_BYTES);
	memset(test->pages, OLD, PORT_TEST_BYTES);
	memset(dma_page(test) + 100, NEW, PORT_TEST_BYTES);
	if (dma_map_sg(dma_device(test), list, 2, DMA_TO_DEVICE) != 2)
		return -ENOMEM;
	err = exchange_send(test, sg_dma_address(&list[0]), OLD);
	if (!err)
		err = exchange_send(test, sg_dma_address(&list[1]), NEW);
	dma_unmap_sg(dma_device(test), list, 2, DMA_TO_DEVICE);
	return err;
}

static int exchange_pool(struct port_test *test)
{
	struct dma_pool *pool;
	dma_addr_t address;
	int err = -ENOMEM;
	u8 *memory;

	pool = dma_pool_create("torus_port_test", dma_device(test), PORT_TEST_PACKET, 16, 0);
	if (!pool)
		return err;
	memory = dma_pool_alloc(pool, GFP_KERNEL, &address);
	if (memory) {
		memset(memory, NEW, PORT_TEST_BYTES);
		err = exchange_send(test, address, NEW);
		dma_pool_free(pool, memory, address);
	}
	dma_pool_destroy(pool);
	return err;
}

static int exchange_single(struct port_test *test)
{
	dma_addr_t address;
	int err;

	memset(dma_page(test), NEW, PORT_TEST_BYTES);
	address = dma_map_single(dma_device(test), dma_page(test), PORT_TEST_BYTES, DMA_TO_DEVICE);
	if (dma_mapping_error(dma_device(test), address))
		return -ENOMEM;
	err = exchange_send(test, address, NEW);
	dma_unmap_single(dma_device(test), address, PORT_TEST_BYTES, DMA_TO_DEVICE);
	return err;
}

static int exchange_coherent(struct port_test *test)
{
	memset(test->buffer, NEW, PORT_TEST_BYTES);
	return exchange_send(test, test->buffer_at, NEW);
}

/* exchange single|list|coherent|pool: packets from memory that is mapped in this way. */
int port_test_exchange(struct port_test *test, const char *what)
{
	int err = -EINVAL;

	if (!strcmp(what, "single"))
		err = exchange_single(test);
	else if (!strcmp(what, "list"))
		err = exchange_list(test);
	else if (!strcmp(what, "coherent"))
		err = exchange_coherent(test);
	else if (!strcmp(what, "pool"))
		err = exchange_pool(test);
	snprintf(test->result, sizeof(test->result), "%s\n", err ? "wrong bytes" : "right bytes");
	return err == -EBADMSG ? 0 : err;
}

/* ---------------------------------------------------------------------------------- syncs */

static const char *sync_age(u8 byte)
{
	return byte == OLD ? "old" : byte == NEW ? "new" : "other";
}

/* Change memory after it was mapped: what the peer receives before and after the sync. */
static int sync_send(struct port_test *test, dma_addr_t address)
{
	u8 before, after;
	int err;

	memset(dma_page(test), NEW, PORT_TEST_BYTES);
	err = exchange_send(test, address, NEW);
	before = test->peer->buffer[0];
	if (err && err != -EBADMSG)
		return err;
	dma_sync_single_for_device(dma_device(test), address, PORT_TEST_BYTES, DMA_TO_DEVICE);
	err = exchange_send(test, address, NEW);
	after = test->peer->buffer[0];
	snprintf(test->result, sizeof(test->result), "before %s, after %s\n", sync_age(before),
		 sync_age(after));
	return err;
}

/* Receive into mapped memory: what the processor sees before and after the sync. */
static int sync_receive(struct port_test *test, dma_addr_t address)
{
	u8 before, after;

	memset(test->peer->buffer, NEW, PORT_TEST_BYTES);
	port_test_ring_receive(test, address, PORT_TEST_BYTES);
	port_test_ring_send(test->peer, test->peer->buffer_at, PORT_TEST_BYTES);
	if (port_test_ring_wait(test, &test->receive))
		return -ETIMEDOUT;
	before = READ_ONCE(*dma_page(test));
	dma_sync_single_for_cpu(dma_device(test), address, PORT_TEST_BYTES, DMA_FROM_DEVICE);
	after = READ_ONCE(*dma_page(test));
	snprintf(test->result, sizeof(test->result), "before %s, after %s\n", sync_age(before),
		 sync_age(after));
	return 0;
}

/* sync send|receive: whether a sync that is missing shows. */
int port_test_sync(struct port_test *test, const char *what)
{
	bool send = !strcmp(what, "send");
	enum dma_data_direction direction = send ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
	dma_addr_t address;
	int err;

	memset(dma_page(test), OLD, PORT_TEST_BYTES);
	address = dma_map_single(dma_device(test), dma_page(test), PORT_TEST_BYTES, direction);
	if (dma_mapping_error(dma_device(test), address))
		return -ENOMEM;
	err = send ? sync_send(test, address) : sync_receive(test, address);
	dma_unmap_single(dma_device(test), address, PORT_TEST_BYTES, direction);
	return err;
}
