// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshot of a fabric with its workload, in the format of torus-sim's checkpoint files
 * (core/run/snapshot.h).
 *
 * A saved snapshot is kept whole for the socket that requested it, which then reads it piece by
 * piece. A loaded snapshot is uploaded whole before any of it is used (upload.c). The bytes of both
 * count against max_bytes.
 *
 * A snapshot is loaded into a new fabric. The new fabric replaces the old one only if all of the
 * snapshot is valid. If not, the old fabric is unchanged.
 */
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "core/workload/traffic.h"
#include "core/run/snapshot.h"
#include "dev/base/memory_limit.h"
#include "engine.h"
#include "engine_lifecycle.h"
#include "pair_upload.h"
#include "snapshot.h"

const struct torus_upload_kind torus_snapshot_upload_kind = {
	.name = "a state",
	.has = "the state has",
	.unit = "bytes",
	.item_bytes = 1,
	.most = 1u << 30,
	.copies = 1,
};

/*
 * Reject a snapshot while contexts, drivers, gates or captures exist, or in virtual time: no file
 * can hold their state.
 */
static int snapshot_check_unused(struct torus_engine *e, struct torus_error *err)
{
	if (e->ports.bound)
		return torus_fail(err, EBUSY,
				  "state: requires that no driver is bound to a node, but drivers "
				  "have %u FIFO groups of fabric %s", e->ports.bound, e->name);
	if (!list_empty(&e->clients.list))
		return torus_fail(err, EBUSY,
				  "state: requires that no program is attached, but %u contexts "
				  "are attached to fabric %s", e->clients.attached, e->name);
	if (e->gates.files)
		return torus_fail(err, EBUSY,
				  "state: requires that no program has barrier gates, but %u "
				  "programs have gates of fabric %s", e->gates.files, e->name);
	if (!list_empty(&e->trace.clients))
		return torus_fail(err, EBUSY,
				  "state: requires that no program captures packets of fabric %s",
				  e->name);
	if (e->vtime.enabled)
		return torus_fail(err, EBUSY,
				  "state: fabric %s has time=virtual, must be time=free", e->name);
	return 0;
}

/* ----------------------------------------------------------------------- save */

/**
 * struct snapshot_sink - destination of a snapshot
 * @to: upload with space for all bytes; NULL: only count the bytes
 * @bytes: number of bytes written
 */
struct snapshot_sink {
	struct torus_upload *to;
	u64 bytes;
};

static int snapshot_write(void *file, const void *bytes, u32 n)
{
	struct snapshot_sink *sink = file;

	if (sink->to) {
		if (n > sink->to->count - sink->to->have)
			return -ENOSPC;
		memcpy((u8 *)sink->to->items + sink->to->have, bytes, n);
		sink->to->have += n;
	}
	sink->bytes += n;
	return 0;
}

static const struct torus_snapshot_ops snapshot_writer = { .write = snapshot_write };

static int snapshot_serialize(struct torus_engine *e, struct snapshot_sink *sink,
			      const char *options, u32 bytes, struct torus_error *err)
{
	struct torus_snapshot snap;

	torus_snapshot_init(&snap, &snapshot_writer, sink, err);
	torus_fabric_snapshot_file(&snap, e->fabric, options, bytes);
	torus_snapshot_free(&snap);
	return snap.status;
}

/**
 * torus_engine_save_state() - save a snapshot, in place of an earlier one
 * @e: the engine, locked
 * @portid: port of the requesting socket
 * @options: options of the run, for torus-sim
 * @bytes: size of @options
 * @err: [out] reason of a failure
 *
 * The state is serialized twice: first to learn its length, then into a buffer of that length. It
 * does not change between, because the engine is locked.
 *
 * Return: 0; -EBUSY or -EOPNOTSUPP if a file cannot hold the state; or the error of
 * torus_upload_begin().
 */
int torus_engine_save_state(struct torus_engine *e, u32 portid, const char *options, u32 bytes,
			    struct torus_error *err)
{
	struct snapshot_sink sink = { .bytes = 0 };
	int ret = snapshot_check_unused(e, err);

	lockdep_assert_held(&e->lock.mutex);
	if (!ret)
		ret = snapshot_serialize(e, &sink, options, bytes, err);
	if (!ret)
		ret = torus_upload_begin(e, &e->uploads.saved, portid, sink.bytes, err);
	if (ret)
		return ret;
	sink.to = &e->uploads.saved;
	ret = snapshot_serialize(e, &sink, options, bytes, err);
	if (ret)
		torus_upload_drop(&e->uploads.saved);
	return ret;
}

/* ----------------------------------------------------------------------- load */

/**
 * struct snapshot_source - uploaded snapshot that is being read
 * @from: the complete upload
 * @at: number of bytes read
 */
struct snapshot_source {
	const struct torus_upload *from;
	u32 at;
};

static int snapshot_read(void *file, void *bytes, u32 n)
{
	struct snapshot_source *source = file;

	n = min(n, source->from->count - source->at);
	memcpy(bytes, (const u8 *)source->from->items + source->at, n);
	source->at += n;
	return n;
}

static const struct torus_snapshot_ops snapshot_reader = { .read = snapshot_read };

/*
 * Create a fabric from the uploaded snapshot. Its workload gets the uploaded pair list, if it uses
 * one.
 */
static int snapshot_restore(struct torus_engine *e, const struct torus_traffic *traffic,
			    struct torus_fabric **out, struct torus_error *err)
{
	struct snapshot_source source = { .from = &e->uploads.loaded };
	bool table = traffic->pattern == TORUS_PATTERN_TABLE;
	struct torus_snapshot snap;

	torus_snapshot_init(&snap, &snapshot_reader, &source, err);
	torus_fabric_restore(&snap, e->fabric, traffic, table ? e->uploads.pairs.items : NULL,
			     table ? e->uploads.pairs.count : 0, out);
	torus_snapshot_free(&snap);
	return snap.status;
}

/*
 * Charge a second fabric against max_bytes while the new one is created: for a moment both exist.
 */
static int snapshot_restore_within(struct torus_engine *e, const struct torus_traffic *traffic,
				   struct torus_fabric **out, struct torus_error *err)
{
	u64 bytes = e->registry.bytes + e->uploads.routes_bytes;
	int ret = torus_budget_take(bytes, err);

	if (ret)
		return ret;
	ret = snapshot_restore(e, traffic, out, err);
	torus_budget_give(bytes);
	return ret;
}

/**
 * torus_engine_load_state() - replace the fabric and its workload by the uploaded snapshot
 * @e: the engine, locked, with an unused fabric
 * @portid: port of the requesting socket
 * @traffic: the workload
 * @err: [out] reason of a failure
 *
 * The upload ends, unless the socket has no upload of a snapshot. On failure the fabric is
 * unchanged.
 *
 * Return: 0; -EBUSY; -ENOSPC; -ENOMEM; -EINVAL if the snapshot is damaged, inconsistent or from a
 * different fabric; or the error of torus_upload_check().
 */
int torus_engine_load_state(struct torus_engine *e, u32 portid, const struct torus_traffic *traffic,
			    struct torus_error *err)
{
	struct torus_fabric *f;
	int ret = torus_upload_check(e, &e->uploads.loaded, portid, err);

	lockdep_assert_held(&e->lock.mutex);
	if (ret == -ENOENT)
		return ret;
	if (!ret)
		ret = snapshot_check_unused(e, err);
	if (!ret && traffic->pattern == TORUS_PATTERN_TABLE)
		ret = torus_upload_check(e, &e->uploads.pairs, portid, err);
	if (!ret)
		ret = snapshot_restore_within(e, traffic, &f, err);
	torus_upload_drop(&e->uploads.loaded);
	if (ret)
		return ret;
	torus_upload_drop(&e->uploads.pairs);
	torus_engine_exchange(e, f);
	e->workload.state = TORUS_TRAFFIC_RUNNING;
	e->state = TORUS_FABRIC_RUNNING;
	return 0;
}
