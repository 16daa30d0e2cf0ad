/* SPDX-License-Identifier: GPL-2.0 */
/* Rights of users: attach to the nodes of a fabric, and observe them. */
#ifndef TORUS_DEV_ENGINE_RIGHTS_H
#define TORUS_DEV_ENGINE_RIGHTS_H

#include <linux/types.h>
#include <linux/uidgid.h>

#include "core/state/param.h"

struct torus_engine;

bool torus_rights_owns(const struct torus_engine *e, u32 node, kuid_t uid);
bool torus_rights_owns_any(const struct torus_engine *e, kuid_t uid);
bool torus_rights_attach(const struct torus_engine *e, u32 node, kuid_t uid);
bool torus_rights_watch(const struct torus_engine *e, u32 node, kuid_t uid);
enum torus_rights torus_rights_watched(const struct torus_engine *e);

#endif
