// SPDX-License-Identifier: GPL-2.0
/*
 * The k-ary n-cube of Liu et al. (2012). It has synthetic traffic only: programs cannot attach, and
 * do not build packet headers.
 */
#include "machine.h"

#define CHUNK_BYTES	32
#define PACKET_BYTES	256

const struct torus_machine torus_machine_kncube = {
	.name = "kncube",
	.title = "k-ary n-cube",
	.dims_max = TORUS_DIMS_MAX,
	.chunk_bytes = CHUNK_BYTES,
	.packet_bytes = PACKET_BYTES,
	.chunk_ticks = CHUNK_BYTES,
	.ordered = ~0u,		/* not used: programs cannot attach */
};
