// SPDX-License-Identifier: GPL-2.0
/* Blue Gene/L's router: two dynamic VCs, the bubble escape, high priority. */
#include "bgl.h"

#define R(name)		bgl_own_##name
#define R_VCS		4
#define R_MASK		u32
#define R_SLOTS_T	u32

#define BGL_DYNAMIC_VCS	2
#define BGL_ESCAPE	2
#define BGL_PAIR	0
#define BGL_WANT	narrow

#define bgl_own_machine bgl_machine

static const char *const bgl_own_vc_names[] = { "D0", "D1", "BN", "BP" };

#include "routing.h"
