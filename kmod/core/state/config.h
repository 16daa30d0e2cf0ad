/* SPDX-License-Identifier: GPL-2.0 */
/* Configuration from which a fabric is created. */
#ifndef TORUS_CORE_CONFIG_H
#define TORUS_CORE_CONFIG_H

#include "core/state/arch.h"
#include "core/state/procs.h"

#define TORUS_DOMAINS_MAX	64

/**
 * struct torus_config - configuration of a fabric
 * @arch: the machine
 * @geo: shape of the machine
 * @seed: seed of all random streams
 * @domains: number of blocks of the torus that can be simulated in parallel; results do not depend
 *   on it
 * @threads: maximum number of threads of a run, 0: unknown; see torus_config_parts()
 * @procs: processes that simulate the fabric together, @threads threads each; NULL: only this
 *   process
 * @params: values of the parameters, by index, see core/state/param.h
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
 * Number of parts into which the fabric is divided. All blocks of a thread form one part: simulated
 * one by one, blocks take about twice as long, because each window reloads every block into the
 * cache.
 */
torus_inline u32 torus_config_parts(const struct torus_config *cfg)
{
	u32 threads = cfg->procs ? cfg->threads * cfg->procs->count : cfg->threads;

	return threads && threads < cfg->domains ? threads : cfg->domains;
}

#endif /* TORUS_CORE_CONFIG_H */
