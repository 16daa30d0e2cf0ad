/* SPDX-License-Identifier: GPL-2.0 */
/* Upload of a list of pairs for a workload. */
#ifndef TORUS_DEV_ENGINE_PAIR_UPLOAD_H
#define TORUS_DEV_ENGINE_PAIR_UPLOAD_H

#include "upload.h"

extern const struct torus_upload_kind torus_pairs_upload_kind;

int torus_pairs_upload_add(struct torus_engine *e, u32 portid, const void *pairs, u32 n,
			   struct torus_error *err);
int torus_pairs_upload_commit(struct torus_engine *e, u32 portid, struct torus_error *err);

#endif
