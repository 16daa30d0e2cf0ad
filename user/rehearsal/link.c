// SPDX-License-Identifier: GPL-2.0
/* Links of a fabric of this process: faults, and routing tables. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/node_number.h"
#include "core/link/dead_node.h"
#include "core/run/report.h"
#include "core/run/routing_tables.h"
#include "../netlink/answer.h"
#include "link.h"

static int put_link(struct rehearsed *r, struct torus_nl_request *request, u32 node, u32 dir)
{
	const struct torus_geometry *geo = &r->config->geo;
	struct torus_link_view view;
	struct nl_msg *msg;
	int error;

	torus_link_view(r->fabric, node, dir, &view);
	if (view.peer == TORUS_NONE)
		return 0;
	msg = torus_nl_answer_new();
	error = !msg || nla_put_u32(msg, TORUS_A_NODE, torus_node_number(geo, node)) ||
		nla_put_u32(msg, TORUS_A_DIR, dir) ||
		nla_put_u32(msg, TORUS_A_LINK_PEER, torus_node_number(geo, view.peer)) ||
		nla_put_u32(msg, TORUS_A_LINK_STATE, view.up) ||
		nla_put_u32(msg, TORUS_A_LINK_SENDER, !view.disabled) ||
		nla_put_u64(msg, TORUS_A_LINK_BER, view.ber) ||
		nla_put_u64(msg, TORUS_A_LINK_DELAY, view.delay) ||
		nla_put_u32(msg, TORUS_A_LINK_CORRUPT, view.corrupt) ||
		nla_put_u32(msg, TORUS_A_LINK_ESCAPE, view.escape) ||
		nla_put_u32(msg, TORUS_A_LINK_DROP_ACK, view.drop_ack) ||
		nla_put_u32(msg, TORUS_A_LINK_DROP_NACK, view.drop_nack) ||
		nla_put_u32(msg, TORUS_A_LINK_CORRUPT_ACK, view.corrupt_ack) ||
		nla_put_u32(msg, TORUS_A_LINK_ECC_SINGLE, view.ecc_single) ||
		nla_put_u32(msg, TORUS_A_LINK_ECC_DOUBLE, view.ecc_double) ||
		nla_put_u32(msg, TORUS_A_LINK_PARITY, view.parity) ||
		nla_put_u32(msg, TORUS_A_LINK_CONTROL, view.dead ? TORUS_LINK_DEAD : 0);
	return torus_nl_answer_send(request, msg, error);
}

/* Answer TORUS_CMD_LINK_GET: the links of a node. */
int rehearsal_link_get(struct rehearsed *r, struct torus_nl_request *request)
{
	u32 node, dir;
	int error = rehearsal_node(request, r, &node);

	for (dir = 0; dir < 2 * r->config->geo.ndims && !error; dir++)
		error = put_link(r, request, node, dir);
	return error;
}

/* Answer TORUS_CMD_FAULT_GET: one message per scheduled fault, of which only the number is used. */
int rehearsal_fault_get(struct rehearsed *r, struct torus_nl_request *request)
{
	struct torus_fault fault;
	struct nl_msg *msg;
	u32 next = 0;
	bool begun;
	int error = 0;

	while (!error && torus_fault_pending(r->fabric, &next, &fault, &begun)) {
		msg = torus_nl_answer_new();
		error = torus_nl_answer_send(request, msg,
					     !msg || nla_put_u64(msg, TORUS_A_LINK_AT, fault.at));
	}
	return error;
}

/* Copy each attribute to its field of the fault. */
static void fault_read(const struct torus_nl_request *request, struct torus_fault *fault)
{
	const struct {
		enum torus_attr attr;
		u32 what;
		u32 *value;
	} words[] = {
		{ TORUS_A_LINK_STATE, TORUS_FAULT_STATE, &fault->state },
		{ TORUS_A_LINK_CORRUPT, TORUS_FAULT_CORRUPT, &fault->corrupt },
		{ TORUS_A_LINK_ESCAPE, TORUS_FAULT_ESCAPE, &fault->escape },
		{ TORUS_A_LINK_DROP_ACK, TORUS_FAULT_DROP_ACK, &fault->drop_ack },
		{ TORUS_A_LINK_DROP_NACK, TORUS_FAULT_DROP_NACK, &fault->drop_nack },
		{ TORUS_A_LINK_CORRUPT_ACK, TORUS_FAULT_CORRUPT_ACK, &fault->corrupt_ack },
		{ TORUS_A_LINK_ECC_SINGLE, TORUS_FAULT_ECC_SINGLE, &fault->ecc_single },
		{ TORUS_A_LINK_ECC_DOUBLE, TORUS_FAULT_ECC_DOUBLE, &fault->ecc_double },
		{ TORUS_A_LINK_PARITY, TORUS_FAULT_PARITY, &fault->parity },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (!rehearsal_has(request, words[i].attr))
			continue;
		*words[i].value = rehearsal_u32(request, words[i].attr);
		fault->what |= words[i].what;
	}
	fault->ber = torus_nl_u64(&request->attrs, TORUS_A_LINK_BER);
	fault->delay = torus_nl_u64(&request->attrs, TORUS_A_LINK_DELAY);
	fault->at = torus_nl_u64(&request->attrs, TORUS_A_LINK_AT);
	fault->lasts = torus_nl_u64(&request->attrs, TORUS_A_LINK_FOR);
	if (rehearsal_has(request, TORUS_A_LINK_BER))
		fault->what |= TORUS_FAULT_BER;
	if (rehearsal_has(request, TORUS_A_LINK_DELAY))
		fault->what |= TORUS_FAULT_DELAY;
}

/* Answer TORUS_CMD_LINK_SET. Without NODE: all nodes; without DIR: all directions. */
int rehearsal_link_set(struct rehearsed *r, struct torus_nl_request *request)
{
	struct torus_fault fault = { .node = TORUS_NONE, .dir = TORUS_NONE };
	struct torus_error why;
	int error = 0;

	if (rehearsal_has(request, TORUS_A_NODE))
		error = rehearsal_node(request, r, &fault.node);
	if (error)
		return error;
	if (rehearsal_has(request, TORUS_A_DIR))
		fault.dir = rehearsal_u32(request, TORUS_A_DIR);
	fault_read(request, &fault);
	if (rehearsal_has(request, TORUS_A_LINK_SENDER) && (fault.at || fault.lasts))
		return rehearsal_refuse(request, -EINVAL, "LINK_SENDER: takes effect immediately "
					"and permanently, so a tick or a duration is not "
					"accepted");
	if (fault.what)
		error = torus_fault_set(r->fabric, &fault, &why);
	if (!error && rehearsal_has(request, TORUS_A_LINK_SENDER))
		error = torus_senders_set(r->fabric, fault.node, fault.dir,
					  rehearsal_u32(request, TORUS_A_LINK_SENDER), &why);
	return error ? rehearsal_refuse(request, error, "%s", why.text) : 0;
}

/* ------------------------------------------------------------- routing tables */

static int route_begin(struct rehearsed *r, struct torus_nl_request *request)
{
	if (!r->config->arch->routes_make)
		return rehearsal_refuse(request, -EOPNOTSUPP, "fabric %s: %s has no routing tables",
					r->name, r->config->arch->name);
	r->bytes = torus_nl_u64(&request->attrs, TORUS_A_VALUE);
	r->have = 0;
	free(r->image);
	r->image = malloc(r->bytes ? r->bytes : 1);
	return r->image ? 0 : -ENOMEM;
}

static int route_commit(struct rehearsed *r, struct torus_nl_request *request)
{
	struct torus_error why;
	int error;

	if (!r->image || r->have != r->bytes)
		return rehearsal_refuse(request, -ENODATA, "the tables are incomplete");
	error = torus_fabric_routes_load(r->fabric, r->image, r->bytes,
					 rehearsal_has(request, TORUS_A_ROUTES_AT) ?
					 torus_nl_u64(&request->attrs, TORUS_A_ROUTES_AT) :
					 TORUS_ROUTES_NOW, &why);
	free(r->image);
	r->image = NULL;
	return error ? rehearsal_refuse(request, error, "%s", why.text) : 0;
}

/* Answer TORUS_CMD_ROUTE_LOAD: begin an upload, add a part to it, or load the tables. */
int rehearsal_route_load(struct rehearsed *r, struct torus_nl_request *request)
{
	const struct nlattr *part = request->attrs.attrs[TORUS_A_ROUTES];

	if (rehearsal_has(request, TORUS_A_VALUE))
		return route_begin(r, request);
	if (!part)
		return route_commit(r, request);
	if (!r->image || (u64)nla_len(part) > r->bytes - r->have)
		return rehearsal_refuse(request, -EINVAL, "too many bytes of tables");
	memcpy(r->image + r->have, nla_data(part), (size_t)nla_len(part));
	r->have += (u64)nla_len(part);
	return 0;
}
