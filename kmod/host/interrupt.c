// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts of a device: an interrupt controller with a line for each cause of its port.
 *
 * The thread that runs the fabric sends an interrupt, or the accessor that enables a pending cause.
 * Both may have locks that a handler needs, so the handler runs later, in hard interrupt context:
 * by irq_work on the processor that the line's affinity names. A line that is masked keeps its
 * interrupt pending, and sends it when it is unmasked. A line without a handler keeps its
 * interrupt, and delivers it when the driver installs a handler. So after a reset of the port, or
 * after the driver has installed a new handler, one interrupt may come without a cause.
 *
 * A handler that never acknowledges its cause stops no other line: the port sends an interrupt only
 * when the AND of status and enable bit becomes 1.
 */
#include <linux/cpumask.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/smp.h>

#include "interrupt.h"

/* Check whether the handler is to be called, and count the call. */
static bool torus_host_line_due(struct torus_host_line *line)
{
	return atomic_xchg(&line->pending, 0) || atomic_dec_if_positive(&line->spurious) >= 0;
}

/* Hard interrupt context: call the handler. */
static void torus_host_line_work(struct irq_work *work)
{
	struct torus_host_line *line = container_of(work, struct torus_host_line, work);

	if (READ_ONCE(line->masked) || !torus_host_line_due(line))
		return;
	generic_handle_irq(line->virq);
	/* A line that the driver has masked meanwhile continues when it is unmasked. */
	if (atomic_read(&line->spurious) && !READ_ONCE(line->masked))
		irq_work_queue(&line->work);
}

/*
 * Interrupts are off, but this may not be a hard interrupt: an idle processor runs calls without
 * one. A sender that finds @called set relies on the work that is queued afterwards.
 */
static void torus_host_line_called(void *data)
{
	struct torus_host_line *line = data;

	atomic_set(&line->called, 0);
	smp_mb__after_atomic();	/* before the work loads @pending */
	irq_work_queue(&line->work);
}

/* Have the line's processor call the handler; any context. */
static void torus_host_line_kick(struct torus_host_line *line)
{
	int cpu = READ_ONCE(line->cpu), here = get_cpu();

	if (cpu == here || !cpu_online(cpu)) {
		irq_work_queue(&line->work);
	} else if (!atomic_xchg(&line->called, 1) &&
		   smp_call_function_single_async(cpu, &line->call)) {
		/* The processor has just gone offline. */
		atomic_set(&line->called, 0);
		irq_work_queue(&line->work);
	}
	put_cpu();
}

static void torus_host_line_send(struct torus_host_line *line)
{
	atomic_set(&line->pending, 1);
	smp_mb();	/* pairs with torus_host_line_unmask() */
	if (!READ_ONCE(line->masked))
		torus_host_line_kick(line);
}

static void torus_host_line_mask(struct irq_data *data)
{
	struct torus_host_line *line = irq_data_get_irq_chip_data(data);

	WRITE_ONCE(line->masked, true);
}

static void torus_host_line_unmask(struct irq_data *data)
{
	struct torus_host_line *line = irq_data_get_irq_chip_data(data);

	/* Pairs with torus_host_line_send(): one of the two sees the other's store. */
	smp_store_mb(line->masked, false);
	if (atomic_read(&line->pending) || atomic_read(&line->spurious))
		torus_host_line_kick(line);
}

static u32 torus_host_line_cause(const struct torus_host_line *line)
{
	return line - line->interrupts->line;
}

/* The driver has installed a handler. */
static unsigned int torus_host_line_startup(struct irq_data *data)
{
	struct torus_host_line *line = irq_data_get_irq_chip_data(data);

	WRITE_ONCE(line->masked, false);
	/* Pairs with torus_host_interrupt_keep(): one of the two sees the other's store. */
	smp_store_mb(line->handled, true);
	if (atomic_xchg(&line->pending, 0))
		line->interrupts->ops->deliver(line->interrupts->owner,
					       torus_host_line_cause(line));
	return 0;
}

/* The driver has freed the handler. */
static void torus_host_line_shutdown(struct irq_data *data)
{
	struct torus_host_line *line = irq_data_get_irq_chip_data(data);

	WRITE_ONCE(line->masked, true);
	WRITE_ONCE(line->handled, false);
	line->interrupts->ops->freed(line->interrupts->owner, torus_host_line_cause(line));
}

/* The port needs no acknowledgement: it sends an edge. */
static void torus_host_line_ack(struct irq_data *data)
{
}

/* The kernel has taken an interrupt while the line was disabled: send it again. */
static int torus_host_line_retrigger(struct irq_data *data)
{
	struct torus_host_line *line = irq_data_get_irq_chip_data(data);

	torus_host_line_send(line);
	return 1;
}

static int torus_host_line_set_affinity(struct irq_data *data, const struct cpumask *mask,
					bool force)
{
	struct torus_host_line *line = irq_data_get_irq_chip_data(data);
	unsigned int cpu = cpumask_any_and(mask, cpu_online_mask);

	if (cpu >= nr_cpu_ids)
		return -EINVAL;
	WRITE_ONCE(line->cpu, cpu);
	irq_data_update_effective_affinity(data, cpumask_of(cpu));
	return IRQ_SET_MASK_OK_DONE;
}

static struct irq_chip torus_host_chip = {
	.name = "torus",
	.irq_startup = torus_host_line_startup,
	.irq_shutdown = torus_host_line_shutdown,
	.irq_ack = torus_host_line_ack,
	.irq_mask = torus_host_line_mask,
	.irq_unmask = torus_host_line_unmask,
	.irq_retrigger = torus_host_line_retrigger,
	.irq_set_affinity = torus_host_line_set_affinity,
};

static int torus_host_domain_map(struct irq_domain *domain, unsigned int virq,
				 irq_hw_number_t cause)
{
	struct torus_host_interrupts *interrupts = domain->host_data;

	irq_set_chip_data(virq, &interrupts->line[cause]);
	irq_set_chip_and_handler(virq, &torus_host_chip, handle_edge_irq);
	irq_set_status_flags(virq, IRQ_MOVE_PCNTXT);
	return 0;
}

static const struct irq_domain_ops torus_host_domain_ops = {
	.map = torus_host_domain_map,
};

/**
 * torus_host_interrupts_create() - create the interrupt controller of a device
 * @interrupts: [out] its lines, none requested
 * @name: name of the device, for debugfs
 * @ops: calls to the device
 * @owner: argument of @ops
 *
 * Return: 0 or -ENOMEM.
 */
int torus_host_interrupts_create(struct torus_host_interrupts *interrupts, const char *name,
				 const struct torus_host_line_ops *ops, void *owner)
{
	struct torus_host_line *line;

	memset(interrupts, 0, sizeof(*interrupts));
	mutex_init(&interrupts->lock);
	interrupts->ops = ops;
	interrupts->owner = owner;
	for (line = interrupts->line; line < interrupts->line + TORUS_PORT_CAUSES; line++) {
		INIT_CSD(&line->call, torus_host_line_called, line);
		line->work = IRQ_WORK_INIT_HARD(torus_host_line_work);
		line->interrupts = interrupts;
		line->masked = true;
	}
	interrupts->fwnode = irq_domain_alloc_named_fwnode(name);
	if (!interrupts->fwnode)
		return -ENOMEM;
	interrupts->domain = irq_domain_create_linear(interrupts->fwnode, TORUS_PORT_CAUSES,
						      &torus_host_domain_ops, interrupts);
	if (interrupts->domain)
		return 0;
	irq_domain_free_fwnode(interrupts->fwnode);
	interrupts->fwnode = NULL;
	return -ENOMEM;
}

static void torus_host_line_nothing(void *unused)
{
}

/* Wait until no call and no work of a line is under way; no new ones begin. */
static void torus_host_line_sync(struct torus_host_line *line)
{
	while (atomic_read(&line->called))
		cpu_relax();
	/* Calls run with interrupts off: one that has cleared @called has returned after this. */
	on_each_cpu(torus_host_line_nothing, NULL, 1);
	irq_work_sync(&line->work);
}

/**
 * torus_host_interrupts_destroy() - undo torus_host_interrupts_create()
 * @interrupts: the lines; the driver has called free_irq(), and the port is detached
 */
void torus_host_interrupts_destroy(struct torus_host_interrupts *interrupts)
{
	struct torus_host_line *line;

	if (!interrupts->domain)
		return;
	for (line = interrupts->line; line < interrupts->line + TORUS_PORT_CAUSES; line++) {
		if (!line->virq)
			continue;
		torus_host_line_sync(line);
		irq_dispose_mapping(line->virq);
		line->virq = 0;
	}
	irq_domain_remove(interrupts->domain);
	irq_domain_free_fwnode(interrupts->fwnode);
	interrupts->domain = NULL;
	interrupts->fwnode = NULL;
}

/**
 * torus_host_interrupt_request() - find the interrupt of a cause, created at the first request
 * @interrupts: the lines of a bound device; may sleep
 * @cause: enum torus_port_cause
 *
 * Return: Linux's number; -EINVAL for another cause; -ENOSPC if there is no number left.
 */
int torus_host_interrupt_request(struct torus_host_interrupts *interrupts, u32 cause)
{
	struct torus_host_line *line;
	unsigned int virq;

	if (cause >= TORUS_PORT_CAUSES)
		return -EINVAL;
	line = &interrupts->line[cause];
	mutex_lock(&interrupts->lock);
	if (!line->virq)
		line->virq = irq_create_mapping(interrupts->domain, cause);
	virq = line->virq;
	mutex_unlock(&interrupts->lock);
	return virq ?: -ENOSPC;
}

/**
 * torus_host_interrupt_keep() - keep the interrupt of a cause if its line has no handler
 * @interrupts: the lines; any context
 * @cause: enum torus_port_cause
 *
 * Return: true if torus_host_line_ops.deliver is called when the driver has installed a handler.
 */
bool torus_host_interrupt_keep(struct torus_host_interrupts *interrupts, u32 cause)
{
	struct torus_host_line *line = &interrupts->line[cause];

	if (READ_ONCE(line->handled))
		return false;
	atomic_set(&line->pending, 1);
	smp_mb();	/* pairs with torus_host_line_startup() */
	return !READ_ONCE(line->handled);
}

/**
 * torus_host_interrupt_send() - send the interrupt of a cause
 * @interrupts: the lines; any context, also with locks that the handler needs
 * @cause: enum torus_port_cause
 */
void torus_host_interrupt_send(struct torus_host_interrupts *interrupts, u32 cause)
{
	torus_host_line_send(&interrupts->line[cause]);
}

/**
 * torus_host_interrupt_send_spurious() - send interrupts without a cause, to test a driver
 * @interrupts: the lines of a bound device; may sleep
 * @count: number of interrupts at each line that was requested; replaces those that are left of an
 *	earlier call
 *
 * Return: false if no line was requested.
 */
bool torus_host_interrupt_send_spurious(struct torus_host_interrupts *interrupts, u32 count)
{
	struct torus_host_line *line;
	bool found = false;

	mutex_lock(&interrupts->lock);
	for (line = interrupts->line; line < interrupts->line + TORUS_PORT_CAUSES; line++) {
		if (!line->virq)
			continue;
		found = true;
		atomic_set(&line->spurious, count);
		smp_mb();	/* pairs with torus_host_line_unmask() */
		if (!READ_ONCE(line->masked))
			torus_host_line_kick(line);
	}
	mutex_unlock(&interrupts->lock);
	return found;
}
