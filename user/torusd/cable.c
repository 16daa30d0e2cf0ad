// SPDX-License-Identifier: GPL-2.0
/* Operations on a cable, which consists of the two links between two nodes. */
#include <stdio.h>

#include "../netlink/link.h"
#include "../config/node_addr.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "cable.h"
#include "log.h"
#include "torusd.h"

static void set_sender(struct torusd *d, const char *fabric, uint32_t node, uint32_t dir,
		       uint32_t state)
{
	const struct torus_nl_link link = {
		.present = TORUS_NL_HAS(TORUS_A_NODE) | TORUS_NL_HAS(TORUS_A_DIR) |
			   TORUS_NL_HAS(TORUS_A_LINK_SENDER),
		.node = node, .dir = dir, .sender = state,
	};

	if (torus_nl_link_set(d->ctl->nl, fabric, &link))
		torusd_log(fabric, "%s", torus_nl_error(d->ctl->nl));
}

/**
 * torusd_cable_senders - set the state of the senders at both ends of a cable
 * @d: the agent
 * @fabric: name of the fabric
 * @cable: the cable
 * @state: new state, enum torus_sender_state
 */
void torusd_cable_senders(struct torusd *d, const char *fabric, const struct torusd_cable *cable,
			  uint32_t state)
{
	set_sender(d, fabric, cable->node, cable->dir, state);
	set_sender(d, fabric, cable->peer, cable->dir ^ 1, state);
}

/**
 * torusd_cable_text - name a cable in a message
 * @fabric: the fabric
 * @cable: the cable
 * @text: [out] node and direction of one end, like "0,0,0 x+"
 * @size: bytes of @text
 *
 * Return: @text.
 */
const char *torusd_cable_text(const struct torus_nl_fabric *fabric,
			      const struct torusd_cable *cable, char *text, size_t size)
{
	char place[PLACE_TEXT_MAX], dir[PARSE_DIR_MAX];

	snprintf(text, size, "%s %s", place_text(fabric, cable->node, place, sizeof(place)),
		 parse_dir_name(cable->dir, dir, sizeof(dir)));
	return text;
}
