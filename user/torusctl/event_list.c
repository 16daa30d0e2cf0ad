// SPDX-License-Identifier: GPL-2.0
/* Events of packets that the module has recorded: collect, sort and print them. */
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "core/base/node_number.h"
#include "core/base/packet.h"
#include "core/run/params.h"
#include "../common/array.h"
#include "../config/config.h"
#include "../config/diag.h"
#include "event_list.h"

/**
 * event_list_begin - get the configuration of a fabric, on which the format of its events depends
 * @ctl: the call
 * @fabric: the fabric, described by the module
 * @list: [out] an empty list
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int event_list_begin(struct ctl *ctl, const struct torus_nl_fabric *fabric, struct event_list *list)
{
	struct torus_error why;
	size_t i;
	int error;

	*list = (struct event_list){ .count = 0 };
	error = torus_arch_config(&list->config, fabric->arch, &why);
	if (!error)
		error = torus_config_shape(&list->config,
					   fabric->nshape ? fabric->nshape : fabric->ndims,
					   fabric->nshape ? fabric->shape : fabric->dims,
					   fabric->mesh, &why);
	for (i = 0; !error && i < fabric->nparams; i++)
		if (config_changed(&fabric->params[i]) && *fabric->params[i].text)
			error = torus_config_set(&list->config, fabric->params[i].key,
						 fabric->params[i].text, &why);
	if (!error)
		return CTL_OK;
	ctl_error(ctl, "fabric %s: %s", fabric->name, why.text);
	return CTL_FAILED;
}

/**
 * event_list_add - add an event of the module
 * @ctl: the call
 * @list: [in, out] the list
 * @from: the event, with numbers of nodes
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int event_list_add(struct ctl *ctl, struct event_list *list, const struct torus_packet_event *from)
{
	const struct torus_geometry *geo = &list->config.geo;
	struct packet_event *event = torus_array_add(&list->events, &list->count);

	if (!event || from->event > TORUS_PACKET_EVENT_DROP) {
		ctl_error(ctl, "%s", event ? "the module reports an unknown event" :
					     "out of memory");
		return CTL_FAILED;
	}
	*event = (struct packet_event){
		.at = from->tick, .about = from->about,
		.node = torus_node_index(geo, from->node),
		.src = torus_node_index(geo, from->src), .seq = from->seq,
		.dst = torus_node_index(geo, from->dst), .hops = from->hops,
		.what = from->event, .dir = from->dir, .vc = from->vc,
		.flags = from->invalid ? TORUS_PACKET_INVALID : 0, .chunks = from->chunks,
	};
	return CTL_OK;
}

/**
 * event_list_print - print the events of a list, sorted, and make the list empty
 * @out: output stream
 * @json: print lines of JSON
 * @list: [in, out] the list
 */
void event_list_print(FILE *out, bool json, struct event_list *list)
{
	size_t i;

	if (list->count)
		qsort(list->events, list->count, sizeof(*list->events), packet_event_order);
	for (i = 0; i < list->count; i++)
		(json ? packet_event_json : packet_event_text)(out, &list->config,
							       &list->events[i]);
	list->count = 0;
}

/* Free the events of a list. */
void event_list_free(struct event_list *list)
{
	free(list->events);
}
