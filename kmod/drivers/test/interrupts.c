// SPDX-License-Identifier: GPL-2.0
/*
 * Commands about interrupts. Two devices send packets to each other from their hard interrupt
 * handlers, by programmed I/O: the handler of a packet sends the next one. So a packet whose
 * interrupt is lost stops the exchange.
 */
#include <linux/bitops.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/iopoll.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/string.h>

#include "port_test.h"

#define WORDS		8	/* of a packet of a chunk */
#define HEADER_WORDS	2
#define FIFO		0
#define IN_FLIGHT	4	/* packets that each device sends before it receives one */
#define MASKS		64	/* changes of the masks between two times without changes */
#define ATTEMPTS	20

static void send_word(struct port_test *test, u32 word)
{
	torus_write32(test->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, FIFO), word);
}

/* Send a packet of a chunk to the peer, whose first word after the header is @number. */
static void send_packet(struct port_test *test, u32 number)
{
	const u32 *to = test->exchange.to;
	u32 i;

	/* As in port_test_ring_send(), but of 1 chunk. */
	send_word(test, 8 | 2 << 16 | to[0] << 24);
	send_word(test, to[1] | to[2] << 8);
	for (i = HEADER_WORDS; i < WORDS; i++)
		send_word(test, number + i - HEADER_WORDS);
}

/* Read a packet of a reception FIFO. Return: false if bytes are wrong. */
static bool receive_packet(struct port_test *test, u32 fifo, u32 number)
{
	u32 count, word, i;
	bool right;

	count = torus_read32(test->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));
	right = count == WORDS;
	for (i = 0; i < min_t(u32, count, WORDS); i++) {
		word = torus_read32(test->td, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
		if (i >= HEADER_WORDS && word != number + i - HEADER_WORDS)
			right = false;
	}
	return right;
}

/* Hard interrupt context: acknowledge, then empty the FIFOs, and answer each packet. */
irqreturn_t port_test_received(int irq, void *data)
{
	struct port_test *test = data;
	struct port_test_exchange *x = &test->exchange;
	u32 readable;

	torus_write32(test->td, TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);
	test->interrupts++;
	if (!in_hardirq())
		x->wrong++;
	for (;;) {
		readable = torus_read32(test->td, TORUS_PORT_READABLE);
		if (!readable || readable == ~0u)
			return IRQ_HANDLED;
		if (!receive_packet(test, __ffs(readable), x->received))
			x->wrong++;
		if (x->sent < x->packets)
			send_packet(test, x->sent++);
		/* The task that waits loads the other counts after this one. */
		smp_store_release(&x->received, x->received + 1);
	}
}

static int exchange_begin(struct port_test *test, u32 packets)
{
	struct port_test_exchange *x = &test->exchange;
	int i;

	/* Without rings: packets arrive in the FIFOs. */
	torus_write32(test->td, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	if (port_test_wait(test, TORUS_PORT_CONTROL, 0))
		return -ENODEV;
	port_test_rings_free(test);
	memset(x, 0, sizeof(*x));
	x->packets = packets;
	for (i = 0; i < 3; i++)
		x->to[i] = torus_read32(test->peer->td,
					TORUS_PORT_AT(TORUS_PORT_COORDINATE, i));
	return 0;
}

static void exchange_end(struct port_test *test)
{
	torus_write32(test->td, TORUS_PORT_ENABLE, 0);
	synchronize_irq(test->irq[PORT_TEST_RECEIVE]);
}

static u32 exchange_received(const struct port_test *test)
{
	return smp_load_acquire(&test->exchange.received) +	/* pairs with the handlers */
	       smp_load_acquire(&test->peer->exchange.received);
}

static bool exchange_done(const struct port_test *test)
{
	/* Pairs with port_test_received(). */
	return smp_load_acquire(&test->exchange.received) == test->exchange.packets;
}

/* Enable and disable the interrupts of both devices at random. In the end both are enabled. */
static void exchange_mask(struct port_test *test)
{
	struct port_test *pair[] = { test, test->peer };
	u32 random, i;

	for (i = 0; i < MASKS; i++) {
		random = get_random_u32();
		torus_write32(pair[random & 1]->td, TORUS_PORT_ENABLE,
			      random & 2 ? TORUS_PORT_STATUS_RECEIVE : 0);
		if (!(random & 0xf0))
			usleep_range(50, 500);
	}
	torus_write32(test->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
	torus_write32(test->peer->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
}

/*
 * Change masks until all packets have arrived. Between the changes, packets must arrive by their
 * interrupts alone. Return: 0, or -ETIMEDOUT if none arrives.
 */
static int exchange_run(struct port_test *test)
{
	u32 from, now = 0;
	int err = 0;

	while (!err && !(exchange_done(test) && exchange_done(test->peer))) {
		exchange_mask(test);
		from = exchange_received(test);
		err = read_poll_timeout(exchange_received, now, now != from ||
					(exchange_done(test) && exchange_done(test->peer)), 20,
					PORT_TEST_WAIT_US, false, test);
	}
	return err;
}

static void exchange_result(struct port_test *test)
{
	const struct port_test_exchange *x = &test->exchange, *y = &test->peer->exchange;

	snprintf(test->result, sizeof(test->result),
		 "received %u %u\nwrong %u\nirq %d %d\ninterrupts %u %u\n", x->received,
		 y->received, x->wrong + y->wrong, test->irq[PORT_TEST_RECEIVE],
		 test->peer->irq[PORT_TEST_RECEIVE], test->interrupts, test->peer->interrupts);
}

/* Send the first packets. The handlers are off, so that they send no packet meanwhile. */
static void exchange_start(struct port_test *test, u32 packets)
{
	struct port_test_exchange *x = &test->exchange;

	while (x->sent < packets && x->sent < x->packets)
		send_packet(test, x->sent++);
}

/*
 * Send N packets in each direction, with random masks. @own, @peers: packets that each of the two
 * devices sends before it receives one.
 */
static int interrupts_run(struct port_test *test, const char *what, u32 own, u32 peers)
{
	u32 packets;
	int err = kstrtou32(what, 10, &packets);

	if (err)
		return err;
	err = exchange_begin(test, packets) ?: exchange_begin(test->peer, packets);
	if (err)
		return err;
	exchange_start(test, own);
	exchange_start(test->peer, peers);
	err = exchange_run(test);
	exchange_end(test->peer);
	exchange_end(test);
	exchange_result(test);
	return err;
}

/* interrupts N: several packets at a time, in both directions. */
int port_test_interrupts(struct port_test *test, const char *what)
{
	return interrupts_run(test, what, IN_FLIGHT, IN_FLIGHT);
}

/* alone N: one packet at a time. */
int port_test_alone(struct port_test *test, const char *what)
{
	return interrupts_run(test, what, 1, 0);
}

/* Send packets that nothing answers, and wait for the interrupt of the last one. */
static int moderation_send(struct port_test *test, u32 packets)
{
	struct port_test_exchange *x = &test->peer->exchange;
	u32 from = x->received, i, now;

	for (i = 0; i < packets; i++)
		send_packet(test, test->exchange.sent++);
	return read_poll_timeout(smp_load_acquire, now, now == from + packets, 100,
				 PORT_TEST_WAIT_US, false, &x->received);
}

/* Moderation of the peer: packets that end the delay, then packets whose delay the timer ends. */
static int moderation_run(struct port_test *test)
{
	struct port_test *peer = test->peer;
	struct torus_device *td = peer->td;
	u32 before, few = ~0u, i;

	torus_write32(td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
	torus_write32(td, TORUS_PORT_AT(TORUS_PORT_MODERATION, TORUS_PORT_CAUSE_RECEIVE),
		      IN_FLIGHT << TORUS_PORT_MODERATION_PACKETS_SHIFT |
		      TORUS_PORT_MODERATION_MICROSECONDS);
	/* On a slow machine the delay may end between two packets. */
	for (i = 0; i < ATTEMPTS && few > 1; i++) {
		before = peer->interrupts;
		if (moderation_send(test, IN_FLIGHT))
			return -ETIMEDOUT;
		few = min(few, peer->interrupts - before);
	}
	snprintf(test->result, sizeof(test->result), "%u packets: at least %u interrupt\n",
		 IN_FLIGHT, few);
	return moderation_send(test, 1);
}

/* moderation: count the interrupts of packets whose interrupts are delayed. */
int port_test_moderation(struct port_test *test, const char *what)
{
	int err = exchange_begin(test, 0) ?: exchange_begin(test->peer, 0);

	if (err)
		return err;
	err = moderation_run(test);
	exchange_end(test->peer);
	return err;
}
