/* SPDX-License-Identifier: GPL-2.0 */
/* What a fabric is made from. */
#ifndef TORUS_CORE_CONFIG_H
#define TORUS_CORE_CONFIG_H

#include "core/state/arch.h"
#include "core/state/procs.h"

#define TORUS_DOMAINS_MAX	64

/**
 * struct torus_config - what a fabric is made from
 * @arch: the machine
 * @geo: its shape
 * @seed: of every random stream
 * @domains: blocks of the torus that may be simulated side by side; results do not depend
 *           on it
 * @threads: most threads of a run, 0: nobody knows; see torus_config_parts()
 * @procs: processes that simulate it together, with @threads each; NULL: this one alone
 * @params: values of the parameters, by place, see core/state/param.h
 */
struct torus_config {
	const struct torus_arch *arch;
	struct torus_geometry geo;
	u64 seed;
	u32 domains;
	u32 threads;
	struct torus_procs *procs;
	u64 params[TORUS_PARAMS_MAX];
};

/*
 * What is simulated as one: the blocks that a thread is dealt.  Each for itself they would
 * cost it twice the time, for it came to each anew in every window.
 */
torus_inline u32 torus_config_parts(const struct torus_config *cfg)
{
	u32 threads = cfg->procs ? cfg->threads * cfg->procs->count : cfg->threads;

	return threads && threads < cfg->domains ? threads : cfg->domains;
}

#endif /* TORUS_CORE_CONFIG_H */
