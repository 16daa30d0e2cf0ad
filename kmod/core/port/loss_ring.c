// SPDX-License-Identifier: GPL-2.0
/* Records of lost packets: written by the fabric's thread, read by the driver. */
#include "core/base/node_number.h"
#include "core/port/loss_ring.h"
#include "core/port/port.h"
#include "core/state/completion.h"

void torus_port_loss_record(struct torus_port *port, const struct torus_lost_packet *lost)
{
	struct torus_port_losses *l = &port->losses;
	struct torus_port_loss *record = &l->record[l->tail % TORUS_PORT_LOSSES_MAX];

	if (l->tail - torus_load_acquire(&l->head) == TORUS_PORT_LOSSES_MAX) {	/* (A) */
		torus_exchange(&l->overflow, 1);
	} else {
		record->packet = lost->number & TORUS_PORT_LOSS_PACKET_NUMBER;
		record->node = torus_node_number(&port->geo, lost->node);
		record->reason = (lost->reason & TORUS_PORT_LOSS_REASON_REASON) |
				 (u32)lost->flags << TORUS_PORT_LOSS_REASON_FLAGS_SHIFT |
				 (u32)lost->fifo << TORUS_PORT_LOSS_REASON_FIFO_SHIFT;
		if (lost->number & TORUS_PORT_BY_RING)
			record->reason |= TORUS_PORT_LOSS_REASON_RING;
		torus_store_release(&l->tail, l->tail + 1);			/* (B) */
	}
	torus_port_cause_set(port, TORUS_PORT_CAUSE_ENDED);
}

int torus_port_loss_read(struct torus_port *port, u32 reg, u32 index, u32 *value)
{
	const struct torus_port_losses *l = &port->losses;
	const struct torus_port_loss *record = &l->record[l->head % TORUS_PORT_LOSSES_MAX];
	u32 count = torus_load_acquire(&l->tail) - l->head;			/* (C) */

	switch (reg) {
	case TORUS_PORT_LOSSES:
		*value = count | (torus_load(&l->overflow) ? TORUS_PORT_LOSSES_OVERFLOW : 0);
		return 0;
	case TORUS_PORT_LOSS_PACKET:
		*value = count ? record->packet : 0;
		return 0;
	case TORUS_PORT_LOSS_NODE:
		*value = count ? record->node : 0;
		return 0;
	case TORUS_PORT_LOSS_REASON:
		*value = count ? record->reason : 0;
		return 0;
	}
	return -EIO;
}

int torus_port_loss_write(struct torus_port *port, u32 reg, u32 index, u32 value)
{
	struct torus_port_losses *l = &port->losses;

	switch (reg) {
	case TORUS_PORT_LOSSES:
		if (value & TORUS_PORT_LOSSES_OVERFLOW)
			torus_exchange(&l->overflow, 0);
		return 0;
	case TORUS_PORT_LOSS_NEXT:
		if (value && torus_load_acquire(&l->tail) != l->head)
			torus_store_release(&l->head, l->head + 1);		/* (D) */
		return 0;
	}
	return -EIO;
}
