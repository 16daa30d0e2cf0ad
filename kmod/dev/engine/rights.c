// SPDX-License-Identifier: GPL-2.0
/*
 * Rights of users to nodes and fabrics, by the owners of nodes and the keys `attach` and `watch`.
 * CAP_NET_ADMIN in the initial user namespace permits everything; callers check it themselves, only
 * where it matters, because each check leaves a trace in the process and in the audit log.
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

/* Check whether a node has an owner. */
static bool torus_rights_owned(const struct torus_engine *e, u32 node)
{
	return e->nodes.owners && uid_valid(e->nodes.owners[node]);
}

/* Check whether a node has this owner. */
bool torus_rights_owns(const struct torus_engine *e, u32 node, kuid_t uid)
{
	return torus_rights_owned(e, node) && uid_eq(e->nodes.owners[node], uid);
}

/* Check whether a user owns any node of the fabric. */
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
 * torus_rights_attach() - check whether a user who is no administrator may attach to a node
 * @e: the engine, locked
 * @node: index of the node
 * @uid: the user
 *
 * Return: true if the user owns the node, or if it has no owner and key `attach` admits any user.
 */
bool torus_rights_attach(const struct torus_engine *e, u32 node, kuid_t uid)
{
	return torus_rights_owns(e, node, uid) ||
	       (!torus_rights_owned(e, node) &&
		torus_rights_of(e, TORUS_P_ATTACH) == TORUS_RIGHTS_ANY);
}

/* Return the key `watch`: the users who may observe the fabric. The engine must be locked. */
enum torus_rights torus_rights_watched(const struct torus_engine *e)
{
	return torus_rights_of(e, TORUS_P_WATCH);
}

/**
 * torus_rights_watch() - check whether a user who is no administrator may observe a node
 * @e: the engine, locked
 * @node: index of the node; TORUS_NONE: the fabric as a whole, which has no owner
 * @uid: the user
 *
 * Return: true if key `watch` admits any user, or admits owners and the user owns the node.
 */
bool torus_rights_watch(const struct torus_engine *e, u32 node, kuid_t uid)
{
	enum torus_rights watched = torus_rights_watched(e);

	return watched == TORUS_RIGHTS_ANY ||
	       (watched == TORUS_RIGHTS_OWNER && node != TORUS_NONE &&
		torus_rights_owns(e, node, uid));
}
