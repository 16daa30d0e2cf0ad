/* SPDX-License-Identifier: GPL-2.0 */
/* Find nodes for a job that asks for a view of Tofu. */
#ifndef TORUS_CONFIG_JOB_PLACEMENT_H
#define TORUS_CONFIG_JOB_PLACEMENT_H

#include "../netlink/job.h"
#include "../parse/parse.h"
#include "target.h"

/**
 * struct job_view - a view to be placed
 * @view: lengths of the view's axes
 * @at: x, y and z of the view's first group
 * @has_at: true if only the position @at is allowed
 * @shorter: true if an axis of the view may be shorter, because dead nodes are left out
 */
struct job_view {
	struct parse_list view;
	struct parse_list at;
	bool has_at;
	bool shorter;
};

int job_place(struct ctl *ctl, struct target *target, const struct job_view *asked,
	      struct torus_nl_job *job);

#endif /* TORUS_CONFIG_JOB_PLACEMENT_H */
