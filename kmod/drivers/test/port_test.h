/* SPDX-License-Identifier: GPL-2.0 */
/*
 * torus_port_test.ko: a driver for selftests, bound to two neighbouring nodes of a Blue Gene/L.
 *
 * Each device has a file "test" in sysfs. A test writes a command to it, and reads the result.
 */
#ifndef TORUS_DRIVERS_TEST_PORT_TEST_H
#define TORUS_DRIVERS_TEST_PORT_TEST_H

#include <linux/atomic.h>
#include <linux/dma-mapping.h>
#include <linux/irqreturn.h>
#include <linux/torus_bus.h>
#include <linux/torus_port.h>

#define PORT_TEST_DESCRIPTORS	16
#define PORT_TEST_PACKET	256	/* bytes of the longest packet */
/* Bytes of a packet that are not in its descriptor. */
#define PORT_TEST_BYTES		(PORT_TEST_PACKET - TORUS_PORT_DESCRIPTOR_HEADER)
#define PORT_TEST_RESULT	256
/* Longest wait. A busy machine with an emulated processor takes seconds. */
#define PORT_TEST_WAIT_US	30000000

/**
 * struct port_test_ring - a ring of descriptors
 * @number: 0 for injection, or TORUS_PORT_RECEIVE_RING
 * @tail: number of descriptors that were filled in
 * @descriptor: the ring
 * @at: DMA address of @descriptor
 */
struct port_test_ring {
	u32 number;
	u32 tail;
	struct torus_port_descriptor *descriptor;
	dma_addr_t at;
};

/**
 * struct port_test_exchange - packets that a device sends from its interrupt handler
 * @packets: number of packets to send, and to receive
 * @sent: packets sent
 * @received: packets received
 * @wrong: packets with wrong bytes, and handlers outside of hard interrupt context
 * @to: coordinates of the peer
 *
 * The handler writes the counts. While its interrupt is disabled, the commands write them.
 */
struct port_test_exchange {
	u32 packets;
	u32 sent;
	u32 received;
	u32 wrong;
	u32 to[3];
};

enum port_test_irq {
	PORT_TEST_FAULT,
	PORT_TEST_ERROR,
	PORT_TEST_RECEIVE,
	PORT_TEST_IRQS,
};

/**
 * struct port_test - a device that the driver is bound to
 * @td: the device
 * @peer: the other device, or NULL; a lock of the driver protects it, and all commands
 * @irq: interrupts by enum port_test_irq; 0: not requested
 * @faults: number of interrupts FAULT
 * @errors: number of interrupts ERROR
 * @interrupts: calls of port_test_received()
 * @send: injection ring 0; off until the first command that uses rings
 * @receive: reception ring
 * @exchange: packets of the commands about interrupts
 * @buffer: coherent memory for a packet
 * @buffer_at: DMA address of @buffer
 * @pages: three pages, which mistakes must not change; the second one is mapped
 * @result: result of the last command
 */
struct port_test {
	struct torus_device *td;
	struct port_test *peer;
	int irq[PORT_TEST_IRQS];
	atomic_t faults;
	atomic_t errors;
	u32 interrupts;
	struct port_test_ring send;
	struct port_test_ring receive;
	struct port_test_exchange exchange;
	u8 *buffer;
	dma_addr_t buffer_at;
	u8 *pages;
	char result[PORT_TEST_RESULT];
};

/* Wait until a register has a value. Return: 0, -ETIMEDOUT, or -ENODEV if the device is gone. */
int port_test_wait(struct port_test *test, u32 offset, u32 value);

int port_test_rings_start(struct port_test *test);
void port_test_rings_free(struct port_test *test);
void port_test_ring_send(struct port_test *test, dma_addr_t address, u32 bytes);
void port_test_ring_receive(struct port_test *test, dma_addr_t address, u32 bytes);
int port_test_ring_wait(struct port_test *test, const struct port_test_ring *ring);
u32 port_test_ring_status(const struct port_test_ring *ring, u32 back);

int port_test_mistake(struct port_test *test, const char *what);
int port_test_exchange(struct port_test *test, const char *what);
int port_test_sync(struct port_test *test, const char *what);
int port_test_interrupts(struct port_test *test, const char *what);
irqreturn_t port_test_received(int irq, void *data);
int port_test_alone(struct port_test *test, const char *what);
int port_test_moderation(struct port_test *test, const char *what);
int port_test_dcr(struct port_test *test, const char *what);
int port_test_busy(struct port_test *test, const char *what);
int port_test_idle(struct port_test *test, const char *what);
int port_test_reset(struct port_test *test, const char *what);
int port_test_neglect(struct port_test *test, const char *what);
int port_test_moderate(struct port_test *test, const char *what);
int port_test_poll(struct port_test *test, const char *what);

#endif
