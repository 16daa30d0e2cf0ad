/* SPDX-License-Identifier: GPL-2.0 */
/* Save a fabric with its workload as a snapshot, and load one. */
#ifndef TORUS_DEV_ENGINE_SNAPSHOT_H
#define TORUS_DEV_ENGINE_SNAPSHOT_H

#include "upload.h"

struct torus_engine;
struct torus_traffic;

extern const struct torus_upload_kind torus_snapshot_upload_kind;

int torus_engine_save_state(struct torus_engine *e, u32 portid, const char *options, u32 bytes,
			    struct torus_error *err);
int torus_engine_load_state(struct torus_engine *e, u32 portid, const struct torus_traffic *traffic,
			    struct torus_error *err);

#endif
