/* SPDX-License-Identifier: GPL-2.0 */
/* A fabric's state with its workload: out of the kernel, and into it. */
#ifndef TORUS_DEV_ENGINE_STATE_H
#define TORUS_DEV_ENGINE_STATE_H

#include "upload.h"

struct torus_engine;
struct torus_traffic;

extern const struct torus_upload_kind torus_state_kind;

int torus_state_save(struct torus_engine *e, u32 portid, const char *options, u32 bytes,
		     struct torus_error *err);
int torus_state_load(struct torus_engine *e, u32 portid, const struct torus_traffic *traffic,
		     struct torus_error *err);

#endif
