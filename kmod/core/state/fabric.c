// SPDX-License-Identifier: GPL-2.0
/* Accessors of a fabric. */
#include "core/state/fabric.h"
#include "core/state/domain.h"

const struct torus_config *torus_fabric_config(const struct torus_fabric *f)
{
	return &f->cfg;
}

u32 torus_fabric_dirs(const struct torus_fabric *f)
{
	return f->dirs;
}

int torus_fabric_partition_set(struct torus_fabric *f, u32 node, u32 partition,
			       struct torus_error *err)
{
	if (node >= f->nodes)
		return torus_fail(err, EINVAL, "node %u: the fabric has %u nodes", node, f->nodes);
	if (!f->partition)
		f->partition = torus_alloc((size_t)f->nodes * sizeof(*f->partition));
	if (!f->partition)
		return torus_fail(err, ENOMEM, "no memory for partitions of %u nodes", f->nodes);
	f->partition[node] = partition;
	return 0;
}
