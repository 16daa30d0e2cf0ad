/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of the core to the device, torus-sim and other programs of user/: create, reset and
 * free a fabric.
 *
 * One leader and any number of workers run a fabric. All functions except torus_fabric_run() and
 * torus_fabric_work() require that no run is in progress. The device locks a mutex for that.
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

/* Reason why a run returned. */
enum torus_run {
	TORUS_RUN_TIME,		/* reached the requested tick */
	/*
	 * not finished: completed the requested windows, met its stop condition, woke a program, or
	 * must switch routing tables
	 */
	TORUS_RUN_BUDGET,
	TORUS_RUN_IDLE,		/* nothing is left to simulate until the state changes */
	TORUS_RUN_FAILED,	/* out of memory */
};

/**
 * torus_fabric_create() - create a fabric
 * @cfg: configuration, copied
 * @out: [out] the fabric
 * @err: [out] error message
 *
 * Return: 0, -EINVAL, -ERANGE for a value out of its range, or -ENOMEM.
 */
int torus_fabric_create(const struct torus_config *cfg, struct torus_fabric **out,
			struct torus_error *err);

/* Free a fabric. All clients must have detached. */
void torus_fabric_destroy(struct torus_fabric *f);

/**
 * torus_fabric_reset() - reset a fabric, but keep its attachments
 * @f: the fabric; no run may be in progress
 * @seed: new seed
 * @err: [out] error message
 *
 * Packets in flight are dropped. Registers, faults, counters and the clock return to their initial
 * values.
 *
 * Return: 0 or -ENOMEM.
 */
int torus_fabric_reset(struct torus_fabric *f, u64 seed, struct torus_error *err);

/*
 * Estimate the bytes of memory that the fabric uses now. Some small arrays and the operations in
 * progress of the machine's own NIC are not included.
 */
u64 torus_fabric_memory(const struct torus_fabric *f);

#define TORUS_ROUTES_NOW	(~0ull)

/**
 * torus_config_bytes() - estimate the memory of a fabric without packets
 * @cfg: a configuration with its shape
 *
 * Return: bytes.
 */
u64 torus_config_bytes(const struct torus_config *cfg);

#endif /* TORUS_CORE_RUN_FABRIC_H */
