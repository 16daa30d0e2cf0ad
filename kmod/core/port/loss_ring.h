/* SPDX-License-Identifier: GPL-2.0 */
/* Records of lost packets: written by the fabric's thread, read by the driver. */
#ifndef TORUS_CORE_PORT_LOSS_RING_H
#define TORUS_CORE_PORT_LOSS_RING_H

#include "core/platform.h"
#include <linux/torus_port.h>

struct torus_lost_packet;
struct torus_port;

/**
 * struct torus_port_loss - record of a lost packet
 * @packet: register LOSS_PACKET
 * @node: register LOSS_NODE
 * @reason: register LOSS_REASON
 */
struct torus_port_loss {
	u32 packet;
	u32 node;
	u32 reason;
};

/**
 * struct torus_port_losses - ring of records; barriers (A) to (D) of core/port/fifo.h
 * @record: the records
 * @tail: number of records written
 * @head: number of records that the driver has discarded
 * @overflow: a loss was not recorded; set by the fabric's thread, cleared by the accessor
 */
struct torus_port_losses {
	struct torus_port_loss record[TORUS_PORT_LOSSES_MAX];
	u32 tail;
	u32 head;
	u32 overflow;
};

/* Record a loss, or set the overflow bit (fabric's thread). */
void torus_port_loss_record(struct torus_port *port, const struct torus_lost_packet *lost);

int torus_port_loss_read(struct torus_port *port, u32 reg, u32 index, u32 *value);
int torus_port_loss_write(struct torus_port *port, u32 reg, u32 index, u32 value);

#endif
