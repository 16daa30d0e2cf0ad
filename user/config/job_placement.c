// SPDX-License-Identifier: GPL-2.0
/*
 * Find a position for a job's view: a box of groups in which all nodes of the view are alive and in
 * no partition.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../netlink/node.h"
#include "../route/tofu/view_shapes.h"
#include "../route/tofu/view.h"
#include "../parse/shape.h"
#include "core/base/node_number.h"
#include "job_placement.h"
#include "diag.h"

/**
 * struct site - state of a fabric's nodes, among which a job is placed
 * @g: geometry of the fabric
 * @dead: indices of the dead nodes
 * @ndead: number of dead nodes
 * @taken: by node index: true if the node is in a partition
 */
struct site {
	struct torus_geometry g;
	u32 *dead;
	u32 ndead;
	bool *taken;
};

static int no_memory(struct ctl *ctl)
{
	ctl_error(ctl, "out of memory");
	return CTL_FAILED;
}

static void site_free(struct site *site)
{
	free(site->dead);
	free(site->taken);
}

/* Read from the module which nodes are dead and which are in a partition. */
static int site_look(struct ctl *ctl, const struct torus_nl_fabric *fabric, struct site *site)
{
	struct torus_nl_node *nodes;
	size_t count, i;

	if (!tofu_geometry_init(&site->g, fabric->shape, fabric->mesh & 7, fabric->nodes))
		return ctl_reject(ctl, "fabric %s: must have a shape of Tofu", fabric->name);
	if (torus_nl_node_dump_changed(ctl->nl, fabric->name, &nodes, &count))
		return ctl_failed(ctl);
	site->dead = calloc(count + 1, sizeof(*site->dead));
	site->taken = calloc(site->g.nodes, sizeof(*site->taken));
	for (i = 0; i < count && site->dead && site->taken; i++) {
		u32 index = torus_node_index(&site->g, nodes[i].node);

		if (index == TORUS_NONE)
			continue;
		if (nodes[i].state != TORUS_NODE_ALIVE)
			site->dead[site->ndead++] = index;
		site->taken[index] = nodes[i].partition;
	}
	free(nodes);
	return site->dead && site->taken ? CTL_OK : no_memory(ctl);
}

/* Look up the nodes of a view's ranks. Return false if one of these nodes is in a partition. */
static bool view_nodes(const struct site *site, const struct tofu_view *view,
		       struct torus_nl_job *job)
{
	u32 rank;

	job->count = view->ranks;
	job->axes = TOFU_VIEW_AXES;
	memcpy(job->view, view->length, sizeof(view->length));
	for (rank = 0; rank < view->ranks; rank++) {
		u32 index = tofu_view_node(view, &site->g, rank);

		if (site->taken[index])
			return false;
		job->nodes[rank] = torus_node_number(&site->g, index);
	}
	return true;
}

/*
 * Try to place a job with a given shape at position @at. Return 1 if the job fits, 0 if it does not
 * fit, or a negative errno.
 */
static int try_place(const struct site *site, const struct tofu_shape *shape, const u32 *at,
		     const struct job_view *asked, struct torus_nl_job *job)
{
	struct tofu_view view;
	int error = tofu_view_place(&view, &site->g, shape, site->dead, site->ndead, at);
	bool found;

	if (error)
		return error == -ENOMEM ? error : 0;
	found = (asked->shorter || !view.removed) && view_nodes(site, &view, job);
	tofu_view_free(&view);
	return found;
}

static int try_shape(const struct site *site, const struct tofu_shape *shape,
		     const struct job_view *asked, struct torus_nl_job *job)
{
	u32 at[TOFU_GROUP_AXES], last[TOFU_GROUP_AXES], axis;
	int found;

	for (axis = 0; axis < TOFU_GROUP_AXES; axis++) {
		last[axis] = tofu_shape_origins(&site->g, shape, axis);
		if (asked->has_at && asked->at.numbers[axis] >= last[axis])
			return 0;
	}
	if (asked->has_at)
		return try_place(site, shape, asked->at.numbers, asked, job);
	for (at[2] = 0; at[2] < last[2]; at[2]++)
		for (at[1] = 0; at[1] < last[1]; at[1]++)
			for (at[0] = 0; at[0] < last[0]; at[0]++) {
				found = try_place(site, shape, at, asked, job);
				if (found)
					return found;
			}
	return 0;
}

/**
 * job_place - find nodes for a view
 * @target: a fabric of Tofu, from target_find()
 * @asked: the requested view
 * @job: [out] view and nodes of the job; the caller frees the nodes
 *
 * Selects the first shape of the view that fits, at the first free position. When the job is added,
 * the module checks again that the nodes are free.
 *
 * Return: CTL_OK; CTL_FAILED or CTL_USAGE after an error message.
 */
int job_place(struct ctl *ctl, struct target *target, const struct job_view *asked,
	      struct torus_nl_job *job)
{
	const struct torus_nl_fabric *fabric = &target->fabric;
	struct tofu_shape shapes[TOFU_SHAPES_MAX];
	struct site site = { .ndead = 0 };
	char why[TOFU_WHY_MAX], text[PARSE_SHAPE_MAX];
	u32 count = tofu_shapes_find(asked->view.numbers, shapes, why), i;
	int status, found = 0;

	parse_shape_text(asked->view.count, asked->view.numbers, text, sizeof(text));
	if (!count)
		return ctl_reject(ctl, "view %s: no shape of groups provides it: %s", text, why);
	status = site_look(ctl, fabric, &site);
	job->nodes = status ? NULL : calloc(site.g.nodes, sizeof(*job->nodes));
	if (!status && !job->nodes)
		status = no_memory(ctl);
	for (i = 0; i < count && !status && !found; i++)
		if (tofu_shape_fits(&site.g, &shapes[i]))
			found = try_shape(&site, &shapes[i], asked, job);
	site_free(&site);
	if (status)
		return status;
	if (found < 0)
		return no_memory(ctl);
	if (found)
		return CTL_OK;
	ctl_error(ctl,
		  "view %s: fabric %s has no suitable box%s whose nodes are all free and alive",
		  text,
		  fabric->name, asked->has_at ? " there" : "");
	return CTL_FAILED;
}
