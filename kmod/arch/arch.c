// SPDX-License-Identifier: GPL-2.0
/* The machines that are compiled in. */
#include "arch/arch.h"
#include "arch/bgl/bgl.h"
#include "arch/kncube/kncube.h"
#include "core/base/parse.h"

/* Bytes of the list of machines within a refusal. */
#define ARCH_LIST	96

const struct torus_arch *const torus_archs[] = {
	&torus_arch_bgl,
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

static const char *arch_list(char *buf, size_t size)
{
	size_t used = 0;
	u32 i;

	buf[0] = '\0';
	for (i = 0; torus_archs[i]; i++)
		used += (size_t)scnprintf(buf + used, size - used, i ? " %s" : "%s",
					  torus_archs[i]->name);
	return buf;
}

int torus_arch_config(struct torus_config *cfg, const char *name, struct torus_error *err)
{
	const struct torus_arch *arch = torus_arch_find(name);
	char word[TORUS_WORD], list[ARCH_LIST];

	if (!arch)
		return torus_fail(err, EINVAL, "unknown arch '%s': not one of %s",
				  torus_word(name, word), arch_list(list, sizeof(list)));
	torus_config_init(cfg, arch);
	return 0;
}
