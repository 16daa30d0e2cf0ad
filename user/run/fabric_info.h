/* SPDX-License-Identifier: GPL-2.0 */
/* Query the fabric on which a job runs from the module. */
#ifndef TORUS_RUN_FABRIC_INFO_H
#define TORUS_RUN_FABRIC_INFO_H

#include <stdint.h>

#include "../netlink/session.h"
#include "../devquery/query.h"

/**
 * struct run_fabric_info - the fabric on which a job runs
 * @nl: session with the module; a temporary fabric exists as long as this session. NULL for other
 *    fabrics
 * @device: descriptor of /dev/torus
 * @fabric: description of the fabric by the module
 */
struct run_fabric_info {
	struct torus_nl *nl;
	int device;
	struct torus_ioc_fabric fabric;
};

bool run_fabric_info_find(struct run_fabric_info *machine, const char *name);

#endif /* TORUS_RUN_FABRIC_INFO_H */
