// SPDX-License-Identifier: GPL-2.0
/* torusctl node: print the position, the owner and the state of nodes. */
#include <stdlib.h>

#include "../netlink/node.h"
#include "../netlink/tni.h"
#include "../config/ctl.h"
#include "print/group_owner.h"
#include "../config/node_set.h"
#include "node_inject.h"
#include "objects.h"
#include "print/output.h"
#include "../config/diag.h"
#include "../config/target.h"
#include "target_list.h"
#include "../report/json.h"
#include "../report/tni.h"
#include "../parse/fault.h"

static const char *node_state(const struct torus_nl_node *node)
{
	bool has_state = node->present & TORUS_NL_HAS(TORUS_A_NODE_STATE);

	return parse_node_state_name(has_state ? node->state : TORUS_NODE_ALIVE);
}

static const char brief_form[] =
	"{node} " OUTPUT_PLACE " {state} {+contexts}{contexts}{:}0{/}\n";

static const char node_form[] =
	"{node}: " OUTPUT_PLACE " uid {+uid}{uid}{:}any{/}{+partition} partition {partition}{/}"
	"{+contexts} contexts {contexts}{/}{!state=alive} {state}{/}\n"
	"{#holders}  " HOLDER_FORM "{/}"
	"{#fifos}  group {group} {kind} {fifo}: packets {packets} chunks {chunks} "
	"high-water {high_water}{?watermark} watermark {watermark}{/}"
	"{?interrupts} interrupts {interrupts}{/}{+checksum} checksum {checksum%08x}{/}\n{/}"
	REPORT_TNIS;

static struct json_object *node_json(const struct torus_nl_fabric *fabric,
				     const struct torus_nl_node *node)
{
	struct json_object *object = json_object_new_object();
	struct json_object *coords;
	unsigned int d;

	output_node(object, fabric, node->node);
	if (node->ndims) {
		coords = json_object_new_array();
		for (d = 0; d < node->ndims; d++)
			json_object_array_add(coords, json_object_new_uint64(node->coords[d]));
		json_object_object_add(object, "coords", coords);
	}
	/* null: the node has no owner, so every user may attach */
	json_object_object_add(object, "uid", node_owned(node) ?
			       json_object_new_uint64(node->uid) : NULL);
	if (node->present & TORUS_NL_HAS(TORUS_A_PARTITION))
		report_add_u64(object, "partition", node->partition);
	if (node->present & TORUS_NL_HAS(TORUS_A_CONTEXTS))
		report_add_u64(object, "contexts", node->contexts);
	report_add_text(object, "state", node_state(node));
	return object;
}

/* Check that a FIFO is empty and was never used. */
static bool fifo_idle(const struct torus_fifo_counters *fifo)
{
	return !fifo->packets && !fifo->chunks && !fifo->high_water && !fifo->watermark &&
	       !fifo->interrupts && !fifo->checksum;
}

static struct json_object *fifos_json(const struct ctl *ctl,
				      const struct torus_fifo_counters *fifos, size_t count)
{
	struct json_object *list = json_object_new_array();
	const struct torus_fifo_counters *fifo;
	struct json_object *object;

	for (fifo = fifos; fifo < fifos + count; fifo++) {
		if (!ctl->json && fifo_idle(fifo))
			continue;
		object = json_object_new_object();
		report_add_u64(object, "group", fifo->group);
		report_add_text(object, "kind", fifo->receive ? "reception" : "injection");
		report_add_u64(object, "fifo", fifo->fifo);
		report_add_u64(object, "packets", fifo->packets);
		report_add_u64(object, "chunks", fifo->chunks);
		report_add_u64(object, "high_water", fifo->high_water);
		report_add_u64(object, "watermark", fifo->watermark);
		report_add_u64(object, "interrupts", fifo->interrupts);
		if (!fifo->receive)
			report_add_u64(object, "checksum", fifo->checksum);
		json_object_array_add(list, object);
	}
	return list;
}

/* Return a node and the programs that are attached to it. */
static struct json_object *node_record(const struct torus_nl_fabric *fabric,
				       const struct torus_nl_node *node,
				       const struct torus_nl_context *contexts, size_t count)
{
	struct json_object *object = node_json(fabric, node);

	json_object_object_add(object, "holders",
			       holders_json(fabric, contexts, count, &node->node));
	return object;
}

/* Print a node with its FIFOs and network interfaces. */
static int node_print(struct ctl *ctl, struct target *target, void *arg)
{
	struct torus_fifo_counters *fifos = NULL;
	struct json_object *object;
	struct torus_nl_context *contexts;
	struct torus_nl_node node;
	struct torus_nl_tnis tnis;
	size_t count, holders;

	if (torus_nl_node_get(ctl->nl, target->name, target->node, &node) ||
	    torus_nl_tnis_get(ctl->nl, target->name, &target->node, &tnis) ||
	    torus_nl_node_fifos(ctl->nl, target->name, target->node, &fifos, &count))
		return ctl_failed(ctl);
	if (torus_nl_context_dump(ctl->nl, target->name, &target->node, &contexts, &holders)) {
		free(fifos);
		return ctl_failed(ctl);
	}
	object = node_record(&target->fabric, &node, contexts, holders);
	json_object_object_add(object, "fifos", fifos_json(ctl, fifos, count));
	if (tnis.count)
		json_object_object_add(object, "tnis", report_tnis_json(tnis.tni, tnis.count));
	report_item(arg, object, ctl->brief ? brief_form : node_form);
	free(contexts);
	free(fifos);
	return ctl_done(ctl);
}

static int nodes_print(struct ctl *ctl, struct target *target, void *arg)
{
	struct torus_nl_context *contexts;
	struct torus_nl_node *nodes;
	size_t count, holders;
	size_t i;

	if (torus_nl_node_dump(ctl->nl, target->name, &nodes, &count))
		return ctl_failed(ctl);
	if (torus_nl_context_dump(ctl->nl, target->name, NULL, &contexts, &holders)) {
		free(nodes);
		return ctl_failed(ctl);
	}
	for (i = 0; i < count; i++)
		report_item(arg, node_record(&target->fabric, &nodes[i], contexts, holders),
			    ctl->brief ? brief_form : node_form);
	free(contexts);
	free(nodes);
	return ctl_done(ctl);
}

static int node_show(struct ctl *ctl, struct ctl_args *args)
{
	return target_list(ctl, args, TARGET_MAY_NODE | TARGET_RANGE, node_print, nodes_print);
}

static const struct ctl_command commands[] = {
	{ "show", "FABRIC [NODES]", node_show },
	{ "set", "FABRIC NODES [uid N|USER|any] [partition N] [state dead|alive|failed] [evict]"
	  " [driver on|off [group N|all]]", node_set },
	{ "inject", "FABRIC NODE irq-lost N|irq-spurious N|dma-fault N|fifo-stuck on|off|unplug"
	  " [group N]", node_inject },
	{ NULL, NULL, NULL },
};

const struct ctl_object ctl_node = {
	.name = "node",
	.help = "nodes of a fabric: coordinates, owner, partition, state",
	.details = "NODES = coordinates like 1,2,3 or a number; each may be a range like 0-3,\n"
		   "        or all\n",
	.commands = commands,
};
