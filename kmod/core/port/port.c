// SPDX-License-Identifier: GPL-2.0
/* A port: created, attached, polled, detached. */
#include "core/nic/group.h"
#include "core/port/links.h"
#include "core/port/nic_client.h"
#include "core/port/port.h"
#include "core/port/reset.h"
#include "core/state/fabric.h"

#define ALIGN8(bytes)	(((bytes) + 7) & ~(size_t)7)

static size_t port_fifo_bytes(const struct torus_arch *arch)
{
	return torus_port_fifo_bytes(arch->fifo_chunks, arch->chunk_bytes);
}

size_t torus_port_size(const struct torus_arch *arch)
{
	return ALIGN8(sizeof(struct torus_port)) +
	       arch->inject_fifos * ALIGN8(sizeof(struct torus_port_inject)) +
	       arch->receive_fifos * ALIGN8(sizeof(struct torus_port_receive)) +
	       (arch->inject_fifos + 1) * ALIGN8(sizeof(struct torus_port_ring)) +
	       (arch->inject_fifos + arch->receive_fifos) * port_fifo_bytes(arch);
}

/* Assign the memory after the port to its FIFOs and rings. */
static void port_lay_out(struct torus_port *port)
{
	const struct torus_arch *arch = port->arch;
	u8 *at = (u8 *)port + ALIGN8(sizeof(*port));
	u32 i;

	port->inject = (struct torus_port_inject *)at;
	at += arch->inject_fifos * ALIGN8(sizeof(*port->inject));
	port->receive = (struct torus_port_receive *)at;
	at += arch->receive_fifos * ALIGN8(sizeof(*port->receive));
	for (i = 0; i <= arch->inject_fifos; i++) {
		if (port->ops->dma_read)
			port->ring[i < arch->inject_fifos ? i : TORUS_PORT_RECEIVE_RING] =
				(struct torus_port_ring *)at;
		at += ALIGN8(sizeof(struct torus_port_ring));
	}
	for (i = 0; i < arch->inject_fifos; i++)
		at = torus_port_fifo_init(&port->inject[i].fifo, arch->fifo_chunks,
					  arch->chunk_bytes, at);
	for (i = 0; i < arch->receive_fifos; i++)
		at = torus_port_fifo_init(&port->receive[i].fifo, arch->fifo_chunks,
					  arch->chunk_bytes, at);
	torus_assert(at == (u8 *)port + port->bytes);
}

_Static_assert(!(sizeof(struct torus_port_inject) & 7) && !(sizeof(struct torus_port_receive) & 7),
	       "elements of arrays");
_Static_assert(TORUS_PORT_RECEIVE_RING >= TORUS_INJECT_MAX, "a ring for each injection FIFO");

int torus_port_create(struct torus_fabric *f, u32 node, u32 group, const struct torus_port_ops *ops,
		      void *owner, struct torus_port **port, struct torus_error *err)
{
	const struct torus_arch *arch = f->arch;
	struct torus_port *p;

	if (!arch->check)
		return torus_fail(err, EOPNOTSUPP, "%s has no FIFOs for programs", arch->name);
	if (node >= f->nodes)
		return torus_fail(err, EINVAL, "node %u: the fabric has %u nodes", node, f->nodes);
	if (group >= arch->groups)
		return torus_fail(err, EINVAL, "group %u: %s has %u FIFO groups a node", group,
				  arch->name, arch->groups);
	p = torus_alloc(torus_port_size(arch));
	if (!p)
		return torus_fail(err, ENOMEM, "no memory for a port");
	p->ops = ops;
	p->owner = owner;
	p->arch = arch;
	p->geo = f->cfg.geo;
	p->node = node;
	p->group = group;
	p->bytes = torus_port_size(arch);
	port_lay_out(p);
	*port = p;
	return 0;
}

int torus_port_attach(struct torus_port *port, struct torus_fabric *f, struct torus_error *err)
{
	u32 generation;

	torus_port_links_check(port, f);
	port->woken = 0;
	return torus_nic_attach(f, port->node, port->group, true, &torus_port_nic_ops, port,
				&generation, err);
}

void torus_port_detach(struct torus_port *port, struct torus_fabric *f)
{
	const struct torus_nic *nic = torus_nic_get(f, port->node, port->group);

	torus_store(&port->dead, 1);
	if (nic && nic->ops && nic->client == port)
		torus_nic_detach(f, port->node, port->group);
}

void torus_port_destroy(struct torus_port *port)
{
	torus_free(port, port->bytes);
}

void torus_port_poll(struct torus_port *port, struct torus_fabric *f)
{
	/* Report first: a reset clears the counts. */
	torus_port_errors_report(port, f);
	torus_port_links_check(port, f);
	torus_port_reset_finish(port, f);
}
