// SPDX-License-Identifier: GPL-2.0
/* Parse events that arrive from the multicast group. */
#include <errno.h>

#include "event.h"

/**
 * torus_nl_event_parse - read an event from a message
 * @reply: the message, from torus_nl_receive()
 * @event: [out] the event, filled in on success
 *
 * Return: 0, or -EBADMSG if the message is not an event.
 */
int torus_nl_event_parse(const struct torus_nl_reply *reply, struct torus_nl_event *event)
{
	unsigned int attr;
	size_t sent;

	*event = (struct torus_nl_event){ .present = 0 };
	if (!torus_nl_has(reply, TORUS_A_EVENT))
		return -EBADMSG;
	for (attr = 0; attr <= TORUS_A_MAX; attr++)
		if (torus_nl_has(reply, attr))
			event->present |= TORUS_NL_HAS(attr);
	event->event = torus_nl_u32(reply, TORUS_A_EVENT);
	torus_nl_string(reply, TORUS_A_FABRIC, event->fabric, sizeof(event->fabric));
	event->clock = torus_nl_u64(reply, TORUS_A_CLOCK);
	torus_nl_string(reply, TORUS_A_TEXT, event->text, sizeof(event->text));
	event->group = torus_nl_u32(reply, TORUS_A_GROUP);
	event->uid = torus_nl_u32(reply, TORUS_A_UID);
	event->partition = torus_nl_u32(reply, TORUS_A_PARTITION);
	event->node_state = torus_nl_u32(reply, TORUS_A_NODE_STATE);
	torus_nl_string(reply, TORUS_A_ARCH, event->arch, sizeof(event->arch));
	sent = torus_nl_binary(reply, TORUS_A_DIMS, event->shape, sizeof(event->shape));
	if (sent <= sizeof(event->shape))
		event->nshape = sent / sizeof(event->shape[0]);
	event->seed = torus_nl_u64(reply, TORUS_A_SEED);
	event->domains = torus_nl_u32(reply, TORUS_A_DOMAINS);
	event->reg = torus_nl_u32(reply, TORUS_A_REG);
	event->reg_value = torus_nl_u32(reply, TORUS_A_REG_VALUE);
	torus_nl_string(reply, TORUS_A_COMMAND, event->command, sizeof(event->command));
	event->signal = torus_nl_u32(reply, TORUS_A_SIGNAL);
	torus_nl_fabric_params(reply, event->params, &event->nparams);
	/* an event of links without node or direction applies to all nodes or all directions */
	torus_nl_link_read(reply, &event->link);
	return 0;
}
