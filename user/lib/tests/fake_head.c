// SPDX-License-Identifier: GPL-2.0
/* Read packet headers of both machines: see fake.h. */
#include <string.h>
#include <torus/bgl.h>
#include <torus/xt.h>
#include "fake.h"

static void head_read_bgl(const void *packet, struct fake_head *head)
{
	struct torus_bgl_header header;
	unsigned int i;

	torus_bgl_header_parse(packet, &header);
	for (i = 0; i < 3; i++)
		head->dest[i] = header.dest[i];
	head->group = header.group;
	head->chunks = header.chunks;
	head->dynamic = header.dynamic;
	head->deposit = header.deposit;
	head->priority = header.vc == TORUS_BGL_BP;
	head->hints = header.hints;
}

/*
 * Read an XT header.  Treat any packet as one that others may overtake, because reloaded routing
 * tables change paths.
 */
static void head_read_xt(const struct fake *fake, const void *packet, struct fake_head *head)
{
	struct torus_xt_header header;

	torus_xt_header_parse(packet, &header);
	fake_coords(fake, header.node, head->dest);
	head->group = header.group;
	head->chunks = header.flits;
	head->dynamic = fake->config.shuffle;
	head->second = header.vc == TORUS_XT_SECOND;
}

/**
 * fake_head_read() - read a packet's header
 * @fake: the fabric
 * @packet: first chunk of the packet
 * @head: [out] fields of the header
 */
void fake_head_read(const struct fake *fake, const void *packet, struct fake_head *head)
{
	memset(head, 0, sizeof(*head));
	if (fake->config.xt)
		head_read_xt(fake, packet, head);
	else
		head_read_bgl(packet, head);
}
