// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts of an interface, and the NAPI poll that they schedule.
 *
 * The poll acknowledges the causes before it reads the FIFOs. So a packet that arrives after the
 * FIFOs were empty sets its cause again, and interrupts as soon as the poll enables it.
 */
#include <linux/interrupt.h>

#include "interrupt.h"
#include "receive.h"
#include "transmit.h"

/* Hard interrupt context. The interrupts stay disabled until the poll has completed. */
static irqreturn_t interrupt_handle(int irq, void *data)
{
	struct torus_net *tn = data;

	atomic64_inc(&tn->interrupts);
	if (napi_schedule_prep(&tn->napi)) {
		torus_write32(tn->td, TORUS_PORT_ENABLE, 0);
		__napi_schedule(&tn->napi);
	}
	return IRQ_HANDLED;
}

static int interrupt_poll(struct napi_struct *napi, int budget)
{
	struct torus_net *tn = container_of(napi, struct torus_net, napi);
	int done;

	torus_write32(tn->td, TORUS_PORT_ACKNOWLEDGE,
		      TORUS_PORT_STATUS_RECEIVE | TORUS_PORT_STATUS_INJECT);
	torus_net_transmit_continue(tn);
	done = torus_net_receive(tn, budget);
	if (done < budget && napi_complete_done(napi, done))
		torus_net_transmit_enable(tn);
	return done;
}

/**
 * torus_net_interrupts_free() - undo torus_net_interrupts_request()
 * @tn: the interface; its NAPI poll has ended and is not scheduled when this returns
 */
void torus_net_interrupts_free(struct torus_net *tn)
{
	u32 i;

	torus_write32(tn->td, TORUS_PORT_ENABLE, 0);
	for (i = 0; i < ARRAY_SIZE(tn->irq); i++)
		if (tn->irq[i] > 0)
			free_irq(tn->irq[i], tn);
	napi_disable(&tn->napi);
	netif_napi_del(&tn->napi);
	/* A poll may have completed, and enabled them, before it was disabled. */
	torus_write32(tn->td, TORUS_PORT_ENABLE, 0);
}

static int interrupts_request(struct torus_net *tn)
{
	static const u32 cause[] = { TORUS_PORT_CAUSE_RECEIVE, TORUS_PORT_CAUSE_INJECT };
	int irq, err;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(tn->irq); i++) {
		irq = torus_device_irq(tn->td, cause[i]);
		if (irq < 0)
			return irq;
		err = request_irq(irq, interrupt_handle, 0, dev_name(&tn->td->dev), tn);
		if (err)
			return err;
		tn->irq[i] = irq;
	}
	return 0;
}

/**
 * torus_net_interrupts_request() - request the interrupts, and begin to receive
 * @tn: the interface; packets are discarded while it is down
 *
 * Return: 0 or a negative errno.
 */
int torus_net_interrupts_request(struct torus_net *tn)
{
	int err;

	netif_napi_add(tn->dev, &tn->napi, interrupt_poll);
	napi_enable(&tn->napi);
	err = interrupts_request(tn);
	if (err)
		torus_net_interrupts_free(tn);
	else
		torus_write32(tn->td, TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
	return err;
}
