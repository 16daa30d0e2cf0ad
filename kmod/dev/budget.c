// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory fabrics and rings may take, all together: the parameter
 * max_bytes.  Fabrics are made by administrators who mistype a shape, rings by
 * whoever may open the device; neither shall be able to exhaust the machine.
 */
#include <linux/mutex.h>

#include "budget.h"
#include "params.h"

static DEFINE_MUTEX(torus_budget_lock);
static u64 torus_budget_taken;

/**
 * torus_budget_take() - before memory is allocated
 * @bytes: how much
 * @err: why not
 *
 * Return: 0 or -ENOSPC.
 */
int torus_budget_take(u64 bytes, struct torus_error *err)
{
	u64 max = torus_param_max_bytes();
	int ret = 0;

	mutex_lock(&torus_budget_lock);
	if (bytes > max || torus_budget_taken > max - bytes)
		ret = torus_fail(err, ENOSPC,
				 "takes %llu bytes; %llu of max_bytes=%llu are taken",
				 bytes, torus_budget_taken, max);
	else
		torus_budget_taken += bytes;
	mutex_unlock(&torus_budget_lock);
	return ret;
}

/* When it is free again. */
void torus_budget_give(u64 bytes)
{
	mutex_lock(&torus_budget_lock);
	torus_budget_taken -= bytes;
	mutex_unlock(&torus_budget_lock);
}
