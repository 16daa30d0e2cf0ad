/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fabric: one machine, whole.  What torusctl, the device and torus-sim see of
 * the core.
 *
 * Who may call what: a fabric is run by one leader and any number of workers.
 * Everything that is not torus_fabric_run() or torus_fabric_work() wants the
 * fabric held: no run in progress.  The device holds a mutex for that.
 */
#ifndef TORUS_CORE_FABRIC_H
#define TORUS_CORE_FABRIC_H

#include "core/state/arch.h"
#include "core/state/counters.h"
#include "core/env.h"
#include "core/error.h"
#include "core/link/fault.h"
#include "core/nic/group.h"
#include "core/load/traffic.h"
#include "core/run/watchdog.h"

#define TORUS_DOMAINS_MAX	64

/**
 * struct torus_config - what a fabric is made from
 * @arch: the machine
 * @geo: its shape
 * @seed: of every random stream
 * @domains: parts that may be simulated side by side; results do not depend on it
 * @params: values of the parameters, by place, see core/state/param.h
 */
struct torus_config {
	const struct torus_arch *arch;
	struct torus_geometry geo;
	u64 seed;
	u32 domains;
	u64 params[TORUS_PARAMS_MAX];
};

/* Why a run came back. */
enum torus_run {
	TORUS_RUN_TIME,		/* reached the tick asked for */
	TORUS_RUN_BUDGET,	/* simulated the number of windows asked for */
	TORUS_RUN_IDLE,		/* no event is left */
	TORUS_RUN_FAILED,	/* out of memory */
};

/* ------------------------------------------------------------ configuring */

/**
 * torus_config_init() - defaults of a machine
 * @cfg: to be filled in
 * @arch: name of the machine
 * @err: why not
 *
 * Return: 0 or -EINVAL for an unknown machine.
 */
int torus_config_init(struct torus_config *cfg, const char *arch, struct torus_error *err);

/**
 * torus_config_shape() - set the shape from numbers
 * @cfg: the configuration
 * @ndims: number of dimensions
 * @dims: their lengths
 * @mesh: bit i: dimension i is a mesh
 * @err: why not
 *
 * Return: 0, -EINVAL for a shape the machine cannot have.
 */
int torus_config_shape(struct torus_config *cfg, u32 ndims, const u32 *dims, u32 mesh,
		       struct torus_error *err);

/**
 * torus_config_set() - set one KEY=VALUE
 * @cfg: the configuration
 * @key: a parameter
 * @value: number, or name of an enumeration's value
 * @err: why not
 *
 * Return: 0, -ENOENT for an unknown key, -EOPNOTSUPP for one that the machine
 * lacks, -EINVAL or -ERANGE for a bad value.
 */
int torus_config_set(struct torus_config *cfg, const char *key, const char *value,
		     struct torus_error *err);

/* The same with a number. */
int torus_config_set_number(struct torus_config *cfg, const char *key, u64 value,
			    struct torus_error *err);

/* The number that parameter @key has; false if there is no such key. */
bool torus_config_number(const struct torus_config *cfg, const char *key, u64 *value);

/* Text of the value of the parameter at place @i into @buf; returns @buf. */
const char *torus_config_text(const struct torus_config *cfg, u32 i, char *buf, size_t size);

/**
 * torus_config_bytes() - memory a fabric will take at rest
 * @cfg: a configuration with its shape
 *
 * Return: bytes.
 */
u64 torus_config_bytes(const struct torus_config *cfg);

/* -------------------------------------------------------------- life cycle */

/**
 * torus_fabric_create() - build a fabric
 * @cfg: copied
 * @out: the fabric
 * @err: why not
 *
 * Return: 0, -EINVAL, -ENOMEM.
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

/**
 * torus_fabric_set() - change one parameter of a living fabric
 *
 * Return: 0, -ENOENT, -EINVAL, -ERANGE, or -EBUSY for a parameter that only a
 * new fabric can take.
 */
int torus_fabric_set(struct torus_fabric *f, const char *key, const char *value,
		     struct torus_error *err);

const struct torus_config *torus_fabric_config(const struct torus_fabric *f);

/* Ticks now. */
u64 torus_fabric_clock(const struct torus_fabric *f);

/* Bytes of memory that the fabric takes now. */
u64 torus_fabric_memory(const struct torus_fabric *f);

/* Packets in the network: injected and neither delivered nor dropped. */
u64 torus_fabric_in_flight(const struct torus_fabric *f);

/**
 * torus_fabric_idle_advance() - let an idle fabric's clock pass
 * @f: the fabric, held, with no event left before the clock + @ticks
 * @ticks: how much
 *
 * For limits that a reader must feel although nothing moves (rx_stall).
 */
void torus_fabric_idle_advance(struct torus_fabric *f, u64 ticks);

/* ----------------------------------------------------------------- running */

/**
 * torus_fabric_run() - simulate, as the leader
 * @f: the fabric, held by the caller
 * @until: stop before this tick
 * @budget: stop after this many windows (0: no limit)
 * @threads: threads that take part, the leader included; each worker must be
 *           in torus_fabric_work(f, 1..threads-1) or on its way there
 *
 * Return: enum torus_run.
 */
enum torus_run torus_fabric_run(struct torus_fabric *f, u64 until, u64 budget, u32 threads);

/**
 * torus_fabric_work() - take part in the leader's run as thread @thread
 * @f: the fabric
 * @thread: 1 .. threads - 1
 *
 * Comes back when the run ends.  The caller sees to it that it is called once,
 * by each worker, for each run with more than one thread.
 */
void torus_fabric_work(struct torus_fabric *f, u32 thread);

/* True if some event is pending. */
bool torus_fabric_pending(const struct torus_fabric *f);

/* ---------------------------------------------------------------- reporting */

/* Counters of the whole fabric (held). */
void torus_fabric_counters(struct torus_fabric *f, struct torus_fabric_counters *out);

/**
 * torus_drop_name() - a reason why packets are dropped, by name
 * @arch: the machine
 * @reason: TORUS_DROP_*, below TORUS_DROP_MAX
 *
 * Return: "hop_limit" and so on, NULL where the machine has no such reason.
 */
const char *torus_drop_name(const struct torus_arch *arch, u32 reason);

/* Counters to zero (held); the clock and what is in flight stay. */
void torus_fabric_counters_reset(struct torus_fabric *f);

/* Counters of one link (held). */
void torus_link_counters(struct torus_fabric *f, u32 node, u32 dir,
			 struct torus_link_counters *out);

/**
 * struct torus_link_view - a link as it stands
 * @peer: node at the other end, TORUS_NONE when there is no link
 * @up: state
 * @ber: bit-error rate, units of 2^-64
 * @delay: extra ticks
 * @corrupt: packets still to be corrupted, likewise the others
 * @disabled: the sender starts no packet
 * @no_resend: nor sends one again
 * @deaf: the receiver takes nothing
 * @loopback: the sender feeds its own node
 * @ecc_single: packets still to be read with such an error, likewise the others
 * @tx_crc: sender's link CRC
 * @rx_crc: receiver's
 * @rest: no packet is between the two
 */
struct torus_link_view {
	u32 peer;
	bool up;
	bool parked;
	u64 ber;
	u64 delay;
	u32 corrupt;
	u32 escape;
	u32 drop_ack;
	u32 corrupt_ack;
	u32 ecc_single;
	u32 ecc_double;
	u32 parity;
	bool disabled;
	bool no_resend;
	bool deaf;
	bool loopback;
	u32 tx_crc;
	u32 rx_crc;
	bool rest;
};

void torus_link_view(struct torus_fabric *f, u32 node, u32 dir, struct torus_link_view *out);

/* Directions of a node: 2 a dimension. */
u32 torus_fabric_dirs(const struct torus_fabric *f);

/* ------------------------------------------------------------ permissions */

/**
 * torus_fabric_partition() - which partition a node is in
 *
 * Nodes reach only nodes of their own partition.
 */
u32 torus_fabric_partition(const struct torus_fabric *f, u32 node);
int torus_fabric_partition_set(struct torus_fabric *f, u32 node, u32 partition,
			       struct torus_error *err);

#endif /* TORUS_CORE_FABRIC_H */
