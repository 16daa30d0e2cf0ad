// SPDX-License-Identifier: GPL-2.0
/*
 * The router of the papers' design studies (Response time in light traffic:
 * "increasing the number of dynamic VCs"; Virtual channel architecture: "two
 * escape VCs per direction"), for dynamic_vcs=4 and escape=dateline.
 */
#include "bgl.h"

#define R(name)		bgl_study_##name
#define R_VCS		7
#define R_MASK		u64
#define R_SLOTS_T	u64

#define BGL_DYNAMIC_VCS	4
#define BGL_ESCAPE	4
#define BGL_PAIR	1
#define BGL_WANT	wide

#define bgl_study_machine bgl_machine

static const char *const bgl_study_vc_names[] = { "D0", "D1", "D2", "D3", "E0", "E1", "BP" };

#include "routing.h"
