// SPDX-License-Identifier: GPL-2.0
/* Table of the machines that are compiled in. */
#include "arch/arch.h"
#include "arch/bgl/arch.h"
#include "arch/kncube/arch.h"
#include "arch/tofu/arch.h"
#include "arch/xt/arch.h"

const struct torus_arch *const torus_archs[] = {
	&torus_arch_bgl,
	&torus_arch_xt,
	&torus_arch_tofu,
	&torus_arch_kncube,
	NULL,
};

const struct torus_arch *torus_arch_find(const char *name)
{
	u32 i;

	for (i = 0; torus_archs[i]; i++)
		if (!strcmp(torus_archs[i]->name, name))
			return torus_archs[i];
	return NULL;
}
