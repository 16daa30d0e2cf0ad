/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fabric: one machine, whole.  What torusctl, the device and torus-sim see of
 * the core.
 *
 * Who may call what: a fabric is run by one leader and any number of workers.
 * Everything that is not torus_fabric_run() or torus_fabric_work() wants the
 * fabric held: no run in progress.  The device holds a mutex for that.
 */
#ifndef TORUS_CORE_RUN_FABRIC_H
#define TORUS_CORE_RUN_FABRIC_H

#include "core/state/config.h"
#include "core/state/domain.h"
#include "core/state/fabric.h"
#include "core/link/fault.h"
#include "core/nic/group.h"
#include "core/workload/traffic.h"
#include "core/run/config.h"
#include "core/run/measure.h"
#include "core/run/report.h"
#include "core/run/watchdog.h"

/* Why a run came back. */
enum torus_run {
	TORUS_RUN_TIME,		/* reached the tick asked for */
	TORUS_RUN_BUDGET,	/* not over: as many windows as asked for, or other tables */
	TORUS_RUN_IDLE,		/* no event is left, and packets wait for no tables */
	TORUS_RUN_FAILED,	/* out of memory */
};

/* -------------------------------------------------------------- life cycle */

/**
 * torus_fabric_create() - build a fabric
 * @cfg: copied
 * @out: the fabric
 * @err: why not
 *
 * Return: 0, -EINVAL, -ERANGE for what the core has no room for, -ENOMEM.
 */
int torus_fabric_create(const struct torus_config *cfg, struct torus_fabric **out,
			struct torus_error *err);

/* Take a fabric apart; every client must have detached. */
void torus_fabric_destroy(struct torus_fabric *f);

/**
 * torus_fabric_reset() - everything but attachments back to the start
 * @f: the fabric, held
 * @seed: new seed
 * @err: why not
 *
 * Packets in flight are dropped, registers, faults, counters and the clock
 * return to their first values.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_fabric_reset(struct torus_fabric *f, u64 seed, struct torus_error *err);

/* Bytes of memory that the fabric takes now. */
u64 torus_fabric_memory(const struct torus_fabric *f);

#define TORUS_ROUTES_NOW	(~0ull)

/* ----------------------------------------------------------------- running */

/**
 * torus_config_bytes() - memory a fabric will take at rest
 * @cfg: a configuration with its shape
 *
 * Return: bytes.
 */
u64 torus_config_bytes(const struct torus_config *cfg);

#endif /* TORUS_CORE_RUN_FABRIC_H */
