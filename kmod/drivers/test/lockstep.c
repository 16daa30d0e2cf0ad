// SPDX-License-Identifier: GPL-2.0
/*
 * Commands about virtual time: episodes that do not end, and a loop that polls.
 *
 * A command is a system call, so it runs outside an episode until torus_wait() has returned. Later
 * accesses are reproducible if virtual time has not started before.
 */
#include <linux/bitops.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "port_test.h"

#define WORDS	8	/* of a packet of a chunk */
#define FIFO	0

/* busy, idle: an episode begins, and ends. */
int port_test_busy(struct port_test *test, const char *what)
{
	torus_busy(test->td);
	return 0;
}

int port_test_idle(struct port_test *test, const char *what)
{
	torus_idle(test->td);
	return 0;
}

/* reset: of the port. */
int port_test_reset(struct port_test *test, const char *what)
{
	torus_write32(test->td, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	return port_test_wait(test, TORUS_PORT_CONTROL, 0);
}

/* The handler does not acknowledge: its episode does not end. */
static irqreturn_t neglect(int irq, void *data)
{
	return IRQ_HANDLED;
}

/* neglect on|off: request the interrupt INJECT, and send a packet to the peer; free it. */
int port_test_neglect(struct port_test *test, const char *what)
{
	int irq = torus_device_irq(test->td, TORUS_PORT_CAUSE_INJECT), err;
	u32 to[3], i;

	if (irq < 0)
		return irq;
	if (!strcmp(what, "off")) {
		free_irq(irq, test);
		return 0;
	}
	err = request_irq(irq, neglect, 0, "torus_port_test", test);
	if (err)
		return err;
	for (i = 0; i < ARRAY_SIZE(to); i++)
		to[i] = torus_read32(test->peer->td, TORUS_PORT_AT(TORUS_PORT_COORDINATE, i));
	torus_write32(test->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_INJECT);
	for (i = 0; i < WORDS; i++)
		torus_write32(test->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WRITE_DATA, FIFO),
			      i == 0 ? 8 | 2 << 16 | to[0] << 24 : i == 1 ? to[1] | to[2] << 8 : 0);
	return 0;
}

/* moderate US: delay RECEIVE, and enable it: port_test_received() reads the packets. */
int port_test_moderate(struct port_test *test, const char *what)
{
	u32 us;
	int err = kstrtou32(what, 0, &us);

	if (err)
		return err;
	memset(&test->exchange, 0, sizeof(test->exchange));
	torus_write32(test->td, TORUS_PORT_AT(TORUS_PORT_MODERATION, TORUS_PORT_CAUSE_RECEIVE), us);
	torus_write32(test->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
	return 0;
}

static void read_packet(struct port_test *test, u32 fifo)
{
	u32 words = torus_read32(test->td, TORUS_PORT_AT_FIFO(TORUS_PORT_WORDS, fifo));

	for (; words && words != ~0u; words--)
		torus_read32(test->td, TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
}

/* poll N: receive N packets by polling; the result has the number of polls before each. */
int port_test_poll(struct port_test *test, const char *what)
{
	u32 packets, readable, polls = 0, hash = 0;
	int err = kstrtou32(what, 0, &packets);
	u32 left = packets;

	if (err)
		return err;
	err = torus_wait(test->td);
	if (err)
		return err;
	while (left) {
		readable = torus_read32(test->td, TORUS_PORT_READABLE);
		if (readable == ~0u) {
			torus_idle(test->td);
			return -ENODEV;
		}
		if (readable) {
			read_packet(test, __ffs(readable));
			hash = hash * 31 + polls;
			left--;
			continue;
		}
		polls++;
		err = torus_wait(test->td);
		if (err)
			return err;
	}
	torus_idle(test->td);
	snprintf(test->result, sizeof(test->result), "%u packets, %u polls, hash %#x\n", packets,
		 polls, hash);
	return 0;
}
