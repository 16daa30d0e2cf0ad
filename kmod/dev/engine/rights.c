// SPDX-License-Identifier: GPL-2.0
/*
 * Who may have something of a fabric: what nodes' owners and the keys `attach` and `watch`
 * say.  What CAP_NET_ADMIN in the initial user namespace allows, the callers add: to ask for
 * it leaves a trace, so that is done where it matters.
 */
#include <linux/lockdep.h>

#include "core/run/fabric.h"
#include "engine.h"
#include "rights.h"

static enum torus_rights torus_rights_of(const struct torus_engine *e, u32 key)
{
	lockdep_assert_held(&e->lock.mutex);
	return torus_fabric_config(e->fabric)->params[key];
}

/* Has a node an owner? */
static bool torus_rights_owned(const struct torus_engine *e, u32 node)
{
	return e->nodes.owners && uid_valid(e->nodes.owners[node]);
}

/* Is it this one? */
bool torus_rights_owns(const struct torus_engine *e, u32 node, kuid_t uid)
{
	return torus_rights_owned(e, node) && uid_eq(e->nodes.owners[node], uid);
}

/* Has a user any node of the fabric? */
bool torus_rights_owns_any(const struct torus_engine *e, kuid_t uid)
{
	u32 node;

	for (node = 0; e->nodes.owners && node < e->geo.nodes; node++) {
		if (torus_rights_owns(e, node, uid))
			return true;
	}
	return false;
}

/**
 * torus_rights_attach() - may a user who is no administrator attach to a node?
 * @e: the engine, held
 * @node: index of the node
 * @uid: the user
 *
 * Return: true if so.
 */
bool torus_rights_attach(const struct torus_engine *e, u32 node, kuid_t uid)
{
	return torus_rights_owns(e, node, uid) ||
	       (!torus_rights_owned(e, node) &&
		torus_rights_of(e, TORUS_P_ATTACH) == TORUS_RIGHTS_ANY);
}

/* Whom the fabric may be watched by, with the engine held. */
enum torus_rights torus_rights_watched(const struct torus_engine *e)
{
	return torus_rights_of(e, TORUS_P_WATCH);
}

/**
 * torus_rights_watch() - may a user who is no administrator see what goes on at a node?
 * @e: the engine, held
 * @node: index of the node; TORUS_NONE: in the fabric as a whole, which is nobody's own
 * @uid: the user
 *
 * Return: true if so.
 */
bool torus_rights_watch(const struct torus_engine *e, u32 node, kuid_t uid)
{
	enum torus_rights watched = torus_rights_watched(e);

	return watched == TORUS_RIGHTS_ANY ||
	       (watched == TORUS_RIGHTS_OWNER && node != TORUS_NONE &&
		torus_rights_owns(e, node, uid));
}
