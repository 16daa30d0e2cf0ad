// SPDX-License-Identifier: GPL-2.0
/* torusctl health: report the faults of fabrics that keep packets or notices from programs. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "../config/args.h"
#include "../config/diag.h"
#include "../config/fabric_args.h"
#include "../config/node_addr.h"
#include "../netlink/context.h"
#include "../netlink/fabric.h"
#include "../netlink/link.h"
#include "../parse/parse.h"
#include "../parse/shape.h"
#include "../report/json.h"
#include "objects.h"
#include "print/group_owner.h"
#include "print/output.h"

#define FINDING_MAX	256	/* maximum bytes of the text of a finding, with NUL */

/**
 * struct health - the findings of a call
 * @ctl: the call
 * @fabric: the fabric that is being checked
 * @contexts: programs of this fabric
 * @ncontexts: number of entries in @contexts
 * @count: number of findings, of all fabrics
 * @list: findings as JSON; NULL: print them as text
 * @checked: the only fabric was checked without an error, or all fabrics were listed and checked
 */
struct health {
	struct ctl *ctl;
	const struct torus_nl_fabric *fabric;
	struct torus_nl_context *contexts;
	size_t ncontexts;
	size_t count;
	struct json_object *list;
	bool checked;
};

/*
 * Report a finding about the fabric. @kind: a word for programs. @node: number of the node, or
 * NULL. Return: the record, to which members may be added; NULL: the finding was printed as text.
 */
static struct json_object *found(struct health *h, const char *kind, const uint32_t *node,
				 const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static struct json_object *found(struct health *h, const char *kind, const uint32_t *node,
				 const char *format, ...)
{
	struct json_object *object = json_object_new_object();
	char text[FINDING_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	h->count++;
	report_add_text(object, "fabric", h->fabric->name);
	report_add_text(object, "finding", kind);
	if (node)
		output_node(object, h->fabric, *node);
	report_add_text(object, "text", text);
	report_item(h->list, object, "{fabric}: {text%m}\n");
	return h->list ? object : NULL;
}

/* ---------------------------------------------------------------------- links */

static const char *link_fault(const struct torus_nl_link *link)
{
	if (link->control & TORUS_LINK_DEAD)
		return "dead";
	if (link->control & TORUS_LINK_PARKED)
		return "parked, because it has stopped retransmitting";
	return !link->state ? "down" : "switched off";
}

static int check_links(struct health *h)
{
	struct torus_nl_link *links;
	struct json_object *object;
	char place[PLACE_TEXT_MAX];
	char dir[PARSE_DIR_MAX];
	size_t count, i;

	if (torus_nl_link_dump_changed(h->ctl->nl, h->fabric->name, &links, &count))
		return ctl_failed(h->ctl);
	for (i = 0; i < count; i++) {
		const struct torus_nl_link *link = &links[i];

		if (!torus_nl_link_dead(link))
			continue;
		parse_dir_name(link->dir, dir, sizeof(dir));
		object = found(h, "link", &link->node, "link %s %s: %s",
			       place_text(h->fabric, link->node, place, sizeof(place)), dir,
			       link_fault(link));
		if (object)
			report_add_text(object, "dir", dir);
	}
	free(links);
	return CTL_OK;
}

/* --------------------------------------------------------------------- readers */

static const struct torus_nl_context *owner_of(const struct health *h, uint32_t node,
					       uint32_t group)
{
	size_t i;

	for (i = 0; i < h->ncontexts; i++)
		if (h->contexts[i].node == node && h->contexts[i].group == group)
			return &h->contexts[i];
	return NULL;
}

/* Report the reception FIFOs of a node in which packets wait for their reader. */
static int check_readers_of(struct health *h, uint32_t node)
{
	const struct torus_nl_context *owner;
	struct torus_fifo_counters *fifos;
	char reader[HOLDER_TEXT_MAX];
	struct json_object *object;
	char place[PLACE_TEXT_MAX];
	size_t count, i;

	if (torus_nl_node_fifos(h->ctl->nl, h->fabric->name, node, &fifos, &count))
		return ctl_failed(h->ctl);
	for (i = 0; i < count; i++) {
		if (!fifos[i].receive || !fifos[i].chunks)
			continue;
		owner = owner_of(h, node, fifos[i].group);
		object = found(h, "reader", &node, "node %s group %" PRIu32 ": %" PRIu32
			       " chunks in reception FIFO %" PRIu32 " wait for %s",
			       place_text(h->fabric, node, place, sizeof(place)), fifos[i].group,
			       fifos[i].chunks, fifos[i].fifo,
			       owner ? holder_text(owner, reader) : "a program to attach");
		if (object)
			report_add_u64(object, "group", fifos[i].group);
	}
	free(fifos);
	return CTL_OK;
}

static int check_readers(struct health *h)
{
	struct torus_nl_node *nodes;
	int status = CTL_OK;
	size_t count, i;

	if (torus_nl_node_dump(h->ctl->nl, h->fabric->name, &nodes, &count))
		return ctl_failed(h->ctl);
	for (i = 0; i < count && !status; i++)
		status = check_readers_of(h, nodes[i].node);
	free(nodes);
	return status;
}

static void check_notices(struct health *h)
{
	const struct torus_nl_context *context;
	char place[PLACE_TEXT_MAX], who[HOLDER_TEXT_MAX];
	struct json_object *object;

	for (context = h->contexts; context < h->contexts + h->ncontexts; context++) {
		if (!context->lost)
			continue;
		object = found(h, "notices", &context->node, "node %s group %" PRIu32 ": %s has "
			       "lost %" PRIu64 " notices",
			       place_text(h->fabric, context->node, place, sizeof(place)),
			       context->group, holder_text(context, who), context->lost);
		if (object)
			report_add_u64(object, "group", context->group);
	}
}

/* --------------------------------------------------------------------- fabrics */

static void check_state(struct health *h)
{
	const struct torus_nl_fabric *fabric = h->fabric;

	if (fabric->state == TORUS_FABRIC_DEADLOCKED)
		found(h, "deadlocked", NULL, "deadlocked at tick %" PRIu64 " with %" PRIu64
		      " packets in flight", fabric->clock, fabric->in_flight);
	else if (fabric->state == TORUS_FABRIC_FAILED)
		found(h, "failed", NULL, "failed at tick %" PRIu64 ": memory was not sufficient; "
		      "torusctl fabric reset starts it again", fabric->clock);
}

static int check_fabric(struct health *h, const struct torus_nl_fabric *fabric)
{
	size_t before = h->count;
	int status;

	h->fabric = fabric;
	if (!fabric->watched) {
		ctl_error(h->ctl, "fabric %s: this user may not see its state (key watch)",
			  fabric->name);
		return CTL_FAILED;
	}
	if (torus_nl_context_dump(h->ctl->nl, fabric->name, NULL, &h->contexts, &h->ncontexts))
		return ctl_failed(h->ctl);
	check_state(h);
	status = check_links(h);
	if (!status && fabric->state == TORUS_FABRIC_WAITING)
		status = check_readers(h);
	check_notices(h);
	if (!status && fabric->state == TORUS_FABRIC_WAITING && h->count == before)
		found(h, "reader", NULL, "%" PRIu64 " packets wait for programs that do not read "
		      "them", fabric->in_flight);
	free(h->contexts);
	return status;
}

/*
 * Check one fabric, or, if @name is NULL, all of them, also after an error. If no fabric could be
 * checked, there is no list of findings: an empty one would mean that there are none.
 */
static int check_fabrics(struct health *h, const char *name)
{
	struct torus_nl_fabric *fabrics, one;
	int status = CTL_OK;
	size_t count, i;

	if (name) {
		status = torus_nl_fabric_get(h->ctl->nl, name, &one) ? ctl_failed(h->ctl) :
									check_fabric(h, &one);
		h->checked = !status;
		return status;
	}
	if (torus_nl_fabric_dump(h->ctl->nl, &fabrics, &count))
		return ctl_failed(h->ctl);
	h->checked = true;
	for (i = 0; i < count; i++)
		if (check_fabric(h, &fabrics[i]))
			status = CTL_FAILED;
	free(fabrics);
	return status;
}

static int health(struct ctl *ctl, struct ctl_args *args)
{
	struct health h = { .ctl = ctl };
	const char *name = NULL;
	int status = CTL_OK;

	if (args->at < args->count)
		status = fabric_args_name(ctl, args, &name);
	if (!status)
		status = ctl_end(ctl, args);
	if (!status)
		status = ctl_connect(ctl);
	if (status)
		return status;
	if (ctl->json)
		h.list = json_object_new_array();
	status = check_fabrics(&h, name);
	if (h.list && h.checked)
		output_json(ctl, h.list);
	else
		json_object_put(h.list);
	return status || !h.count ? status : CTL_FAILED;
}

static const struct ctl_command commands[] = {
	{ "", "[FABRIC]", health },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_health = {
	.name = "health",
	.help = "faults that keep packets or notices from programs",
	.details = "One line per finding: a deadlock, packets that wait for their reader, links\n"
		   "that are down, off, parked or dead, lost notices, a fabric that has stopped\n"
		   "because memory was not sufficient.\n"
		   "The exit status is 0 without findings, otherwise 1.\n",
	.commands = commands,
};
