// SPDX-License-Identifier: GPL-2.0
/*
 * The router of the papers' design studies, for dynamic_vcs=4 or escape=dateline (Response
 * time in light traffic: "increasing the number of dynamic VCs"; Virtual channel architecture:
 * "two escape VCs per direction").
 */
#include "bgl.h"

#define ROUTER_VCS	7
#define ROUTER_WAYS	16
#define ROUTER_WAY_END	BGL_WAYS_WIDE
#define machine_run	bgl_study_run

#define BGL_ROUTER	bgl_study_router
#define BGL_DYNAMIC_VCS	4
#define BGL_ESCAPE	4
#define BGL_PAIR	1
#define BGL_WANT	wide

static const char *const bgl_vc_names[] = { "D0", "D1", "D2", "D3", "E0", "E1", "BP" };

#include "routing.h"
