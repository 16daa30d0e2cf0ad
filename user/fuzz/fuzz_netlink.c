// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz the parsers of generic netlink messages that torusctl receives: replies, events and links.
 * If the first byte has TLVS set, the input is an error reply with attributes instead. The target
 * writes the headers of a message itself, and appends the rest of the input.
 */
#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "../netlink/event.h"
#include "../netlink/extack.h"
#include "../netlink/link.h"
#include "take.h"

#define BYTES_MAX	8192
#define TLVS		1	/* bit of the first byte: set NLM_F_ACK_TLVS */
#define CAPPED		2	/* bit of the first byte: set NLM_F_CAPPED */

static union {
	struct nlmsghdr hdr;
	uint8_t bytes[NLMSG_HDRLEN + GENL_HDRLEN + BYTES_MAX];
} message;

static bool ends(const char *text, size_t size)
{
	return memchr(text, '\0', size);
}

static void event(const struct torus_nl_reply *reply)
{
	struct torus_nl_event event;

	if (torus_nl_event_parse(reply, &event))
		return;
	fuzz_demand(ends(event.fabric, sizeof(event.fabric)));
	fuzz_demand(ends(event.text, sizeof(event.text)));
	fuzz_demand(event.nshape <= TORUS_DIMS_MAX);
	fuzz_demand(event.nparams <= TORUS_NL_PARAMS_MAX);
}

static void refusal(void)
{
	struct nlattr *first;
	char text[256];
	int length;

	first = torus_nl_extack_attrs(&message.hdr, &length);
	if (first && torus_nl_extack(NULL, first, length, text, sizeof(text)))
		fuzz_demand(ends(text, sizeof(text)));
}

static void reply(void)
{
	struct torus_nl_reply reply;
	struct torus_nl_link link;

	if (torus_nl_reply_parse(&message.hdr, &reply))
		return;
	event(&reply);
	memset(&link, 0, sizeof(link));
	torus_nl_link_parse(&reply, &link);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t head = NLMSG_HDRLEN;

	if (!size || size > BYTES_MAX)
		return 0;
	memset(&message, 0, sizeof(message));
	if (data[0] & TLVS)
		message.hdr.nlmsg_flags = NLM_F_ACK_TLVS | (data[0] & CAPPED ? NLM_F_CAPPED : 0);
	else
		head += GENL_HDRLEN;
	memcpy(message.bytes + head, data + 1, size - 1);
	message.hdr.nlmsg_len = (uint32_t)(head + size - 1);
	if (!(data[0] & TLVS))
		reply();
	else if (size - 1 >= sizeof(struct nlmsgerr))
		refusal();
	return 0;
}
