/* SPDX-License-Identifier: GPL-2.0 */
/* Number of packets on each pair of VCs of each link, from which `route heat` draws its maps. */
#ifndef TORUSCTL_ROUTEHEAT_H
#define TORUSCTL_ROUTEHEAT_H

#include "xt_spec.h"

/**
 * struct heat - the data of a heat map
 * @map: map of the machine
 * @load: by node and direction: number of packets on VCs 0 and 2, and on VCs 1 and 3
 */
struct heat {
	const struct xt_map *map;
	uint64_t (*load)[XT_DIRS][XT_VCS];
};

#endif /* TORUSCTL_ROUTEHEAT_H */
