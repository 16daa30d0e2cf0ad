// SPDX-License-Identifier: GPL-2.0
/* Read the state and the CRCs of links, and inject faults. */
#include <errno.h>

#include "link.h"

static void link_parse_base(struct nlattr *nest, struct torus_nl_link *link)
{
	struct nlattr *attr;
	int rest;

	link->has_base = true;
	nla_for_each_nested(attr, nest, rest) {
		if (nla_type(attr) == TORUS_A_LINK_STATE && nla_len(attr) >= 4)
			link->base_state = nla_get_u32(attr);
		else if (nla_type(attr) == TORUS_A_LINK_BER && nla_len(attr) >= 8)
			link->base_ber = nla_get_u64(attr);
		else if (nla_type(attr) == TORUS_A_LINK_DELAY && nla_len(attr) >= 8)
			link->base_delay = nla_get_u64(attr);
	}
}

/**
 * torus_nl_link_read - read the attributes of a link, or of a change of several links, from a
 * message
 * @link: [in, out] must be zeroed
 */
void torus_nl_link_read(const struct torus_nl_reply *reply, struct torus_nl_link *link)
{
	unsigned int attr;

	for (attr = 0; attr <= TORUS_A_MAX; attr++)
		if (torus_nl_has(reply, attr))
			link->present |= TORUS_NL_HAS(attr);
	link->node = torus_nl_u32(reply, TORUS_A_NODE);
	link->dir = torus_nl_u32(reply, TORUS_A_DIR);
	link->state = torus_nl_u32(reply, TORUS_A_LINK_STATE);
	link->sender = torus_nl_u32(reply, TORUS_A_LINK_SENDER);
	link->ber = torus_nl_u64(reply, TORUS_A_LINK_BER);
	link->corrupt = torus_nl_u32(reply, TORUS_A_LINK_CORRUPT);
	link->escape = torus_nl_u32(reply, TORUS_A_LINK_ESCAPE);
	link->drop_ack = torus_nl_u32(reply, TORUS_A_LINK_DROP_ACK);
	link->drop_nack = torus_nl_u32(reply, TORUS_A_LINK_DROP_NACK);
	link->corrupt_ack = torus_nl_u32(reply, TORUS_A_LINK_CORRUPT_ACK);
	link->ecc_single = torus_nl_u32(reply, TORUS_A_LINK_ECC_SINGLE);
	link->ecc_double = torus_nl_u32(reply, TORUS_A_LINK_ECC_DOUBLE);
	link->parity = torus_nl_u32(reply, TORUS_A_LINK_PARITY);
	link->control = torus_nl_u32(reply, TORUS_A_LINK_CONTROL);
	link->delay_ticks = torus_nl_u64(reply, TORUS_A_LINK_DELAY);
	link->at_ticks = torus_nl_u64(reply, TORUS_A_LINK_AT);
	link->for_ticks = torus_nl_u64(reply, TORUS_A_LINK_FOR);
	link->peer = torus_nl_u32(reply, TORUS_A_LINK_PEER);
	link->tx_crc = torus_nl_u32(reply, TORUS_A_LINK_TX_CRC);
	link->rx_crc = torus_nl_u32(reply, TORUS_A_LINK_RX_CRC);
	link->begun = torus_nl_has(reply, TORUS_A_BEGUN);
	if (torus_nl_has(reply, TORUS_A_LINK_BASE))
		link_parse_base(reply->attrs[TORUS_A_LINK_BASE], link);
	torus_nl_binary(reply, TORUS_A_COUNTERS, &link->counters, sizeof(link->counters));
}

/**
 * torus_nl_link_parse - read a link from a message
 * @item: [in, out] the link, a struct torus_nl_link that must be zeroed
 *
 * Return: 0, or -EBADMSG if the message has no node or no direction.
 */
int torus_nl_link_parse(const struct torus_nl_reply *reply, void *item)
{
	if (!torus_nl_has(reply, TORUS_A_NODE) || !torus_nl_has(reply, TORUS_A_DIR))
		return -EBADMSG;
	torus_nl_link_read(reply, item);
	return 0;
}

static int fault_parse(const struct torus_nl_reply *reply, void *item)
{
	torus_nl_link_read(reply, item);
	return 0;
}

/**
 * torus_nl_link_get - describe a link
 * @fabric: name of the fabric
 * @node: number of the sending node
 * @link: [out] the description
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_link_get(struct torus_nl *nl, const char *fabric, uint32_t node, uint32_t dir,
		      struct torus_nl_link *link)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_LINK_GET, fabric);

	*link = (struct torus_nl_link){ .present = 0 };
	if (msg && (nla_put_u32(msg, TORUS_A_NODE, node) || nla_put_u32(msg, TORUS_A_DIR, dir))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, torus_nl_link_parse, link);
}

/*
 * List links or faults. The request contains @attr with @value. If @value is NULL, the request
 * contains only the flag TORUS_A_CHANGED if @attr is that flag, and otherwise no attribute.
 */
static int link_dump(struct torus_nl *nl, const char *fabric, enum torus_cmd cmd,
		     enum torus_attr attr, const uint32_t *value, struct torus_nl_link **links,
		     size_t *count)
{
	struct torus_nl_list list = {
		.size = sizeof(**links),
		.parse = cmd == TORUS_CMD_FAULT_GET ? fault_parse : torus_nl_link_parse,
	};
	struct nl_msg *msg = torus_nl_message(nl, cmd, fabric);
	int error;

	if (msg && (value ? nla_put_u32(msg, attr, *value) :
		    attr == TORUS_A_CHANGED && nla_put_flag(msg, attr))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	error = torus_nl_dump(nl, msg, &list);
	*links = list.items;
	*count = list.count;
	return error;
}

/**
 * torus_nl_link_dump - describe all links whose sending node this user may see
 * @fabric: name of the fabric
 * @node: number of a sending node, or NULL for all nodes
 * @links: [out] array, freed by the caller
 * @count: [out] number of links
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_link_dump(struct torus_nl *nl, const char *fabric, const uint32_t *node,
		       struct torus_nl_link **links, size_t *count)
{
	return link_dump(nl, fabric, TORUS_CMD_LINK_GET, TORUS_A_NODE, node, links, count);
}

/**
 * torus_nl_link_dump_off - describe the links whose sender is switched off, as torus_nl_link_dump()
 * @fabric: name of the fabric
 * @links: [out] array, freed by the caller
 * @count: [out] number of links
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_link_dump_off(struct torus_nl *nl, const char *fabric, struct torus_nl_link **links,
			   size_t *count)
{
	const uint32_t off = 0;

	return link_dump(nl, fabric, TORUS_CMD_LINK_GET, TORUS_A_LINK_SENDER, &off, links, count);
}

/**
 * torus_nl_link_dump_changed - describe the links with a fault or a changed state, as
 * torus_nl_link_dump()
 * @fabric: name of the fabric. If the whole fabric has a bit-error rate, all links are listed
 * @links: [out] array, freed by the caller
 * @count: [out] number of links
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_link_dump_changed(struct torus_nl *nl, const char *fabric,
			       struct torus_nl_link **links, size_t *count)
{
	return link_dump(nl, fabric, TORUS_CMD_LINK_GET, TORUS_A_CHANGED, NULL, links, count);
}

/**
 * torus_nl_fault_dump - list the faults that start or end at a future tick
 * @fabric: name of the fabric
 * @faults: [out] array of faults as torus_nl_link_set() accepts them, freed by the caller
 * @count: [out] number of faults
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_fault_dump(struct torus_nl *nl, const char *fabric, struct torus_nl_link **faults,
			size_t *count)
{
	return link_dump(nl, fabric, TORUS_CMD_FAULT_GET, TORUS_A_UNSPEC, NULL, faults, count);
}

/**
 * torus_nl_link_check - list the idle links whose CRC at the sender differs from that at the
 * receiver, as torus_nl_link_dump()
 * @fabric: name of the fabric
 * @links: [out] array, freed by the caller
 * @count: [out] number of links
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_link_check(struct torus_nl *nl, const char *fabric, struct torus_nl_link **links,
			size_t *count)
{
	return link_dump(nl, fabric, TORUS_CMD_LINK_CHECK, TORUS_A_NODE, NULL, links, count);
}

static int link_put_u32(struct nl_msg *msg, torus_nl_set present, enum torus_attr attr,
			uint32_t value)
{
	return present & TORUS_NL_HAS(attr) ? nla_put_u32(msg, attr, value) : 0;
}

static int link_put_u64(struct nl_msg *msg, torus_nl_set present, enum torus_attr attr,
			uint64_t value)
{
	return present & TORUS_NL_HAS(attr) ? nla_put_u64(msg, attr, value) : 0;
}

/**
 * torus_nl_link_set - set the states of links, or faults on them
 * @fabric: name of the fabric
 * @link: attributes to be set; @present names them. Without a node or a direction, the request
 *    applies to all nodes or all directions
 *
 * Return: 0 or a negative errno.
 */
int torus_nl_link_set(struct torus_nl *nl, const char *fabric, const struct torus_nl_link *link)
{
	struct nl_msg *msg = torus_nl_message(nl, TORUS_CMD_LINK_SET, fabric);
	torus_nl_set present = link->present;

	if (msg &&
	    (link_put_u32(msg, present, TORUS_A_NODE, link->node) ||
	     link_put_u32(msg, present, TORUS_A_DIR, link->dir) ||
	     link_put_u32(msg, present, TORUS_A_LINK_STATE, link->state) ||
	     link_put_u32(msg, present, TORUS_A_LINK_SENDER, link->sender) ||
	     link_put_u64(msg, present, TORUS_A_LINK_BER, link->ber) ||
	     link_put_u32(msg, present, TORUS_A_LINK_CORRUPT, link->corrupt) ||
	     link_put_u32(msg, present, TORUS_A_LINK_ESCAPE, link->escape) ||
	     link_put_u32(msg, present, TORUS_A_LINK_DROP_ACK, link->drop_ack) ||
	     link_put_u32(msg, present, TORUS_A_LINK_DROP_NACK, link->drop_nack) ||
	     link_put_u32(msg, present, TORUS_A_LINK_CORRUPT_ACK, link->corrupt_ack) ||
	     link_put_u32(msg, present, TORUS_A_LINK_ECC_SINGLE, link->ecc_single) ||
	     link_put_u32(msg, present, TORUS_A_LINK_ECC_DOUBLE, link->ecc_double) ||
	     link_put_u32(msg, present, TORUS_A_LINK_PARITY, link->parity) ||
	     link_put_u64(msg, present, TORUS_A_LINK_DELAY, link->delay_ticks) ||
	     link_put_u64(msg, present, TORUS_A_LINK_AT, link->at_ticks) ||
	     link_put_u64(msg, present, TORUS_A_LINK_FOR, link->for_ticks))) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return torus_nl_do(nl, msg, NULL, NULL);
}
