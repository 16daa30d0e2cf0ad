// SPDX-License-Identifier: GPL-2.0
/*
 * Fabrics by name, in each network namespace. The exit of a namespace, or of the module, deletes
 * its fabrics.
 */
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rtnetlink.h>
#include <linux/string.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "core/run/fabric.h"
#include "dev/base/memory_limit.h"
#include "engine.h"
#include "engine_lifecycle.h"
#include "registry.h"

/**
 * struct torus_net - fabrics of a network namespace
 * @fabrics: engines, oldest first
 * @generation: changes when a fabric is added or deleted; never 0
 */
struct torus_net {
	struct list_head fabrics;
	u32 generation;
};

static unsigned int torus_net_id;

/* Protects every struct torus_net and torus_registry_closed. */
static DEFINE_MUTEX(torus_registry_lock);
static bool torus_registry_closed;	/* the module is being unloaded */

static struct torus_net *torus_net(struct net *net)
{
	return net_generic(net, torus_net_id);
}

static void torus_registry_changed(struct torus_net *tn)
{
	if (!++tn->generation)
		tn->generation = 1;
}

/* Remove an engine from the list; the caller gets the reference of the list. */
static void torus_registry_unlist(struct torus_net *tn, struct torus_engine *e)
{
	lockdep_assert_held(&torus_registry_lock);
	list_del_init(&e->registry.link);
	torus_registry_changed(tn);
}

static struct torus_engine *torus_registry_look(struct net *net, const char *name)
{
	struct torus_engine *e;

	lockdep_assert_held(&torus_registry_lock);
	list_for_each_entry(e, &torus_net(net)->fabrics, registry.link) {
		if (!strcmp(e->name, name))
			return e;
	}
	return NULL;
}

static int torus_registry_insert(struct net *net, struct torus_engine *e, struct torus_error *err)
{
	struct torus_net *tn = torus_net(net);
	int ret = 0;

	mutex_lock(&torus_registry_lock);
	if (torus_registry_closed) {
		ret = torus_fail(err, ENODEV, "the module is being unloaded");
	} else if (torus_registry_look(net, e->name)) {
		ret = torus_fail(err, EEXIST, "fabric %s exists already", e->name);
	} else {
		/* Take a reference for the list; the first one is the caller's. */
		torus_engine_get(e);
		list_add_tail(&e->registry.link, &tn->fabrics);
		torus_registry_changed(tn);
	}
	mutex_unlock(&torus_registry_lock);
	return ret;
}

/* Delete the fabric of an engine that was removed from the list. */
static void torus_registry_remove(struct torus_engine *e)
{
	torus_engine_remove(e);
	torus_budget_give(e->registry.bytes);
}

/**
 * torus_registry_add() - create a fabric
 * @net: network namespace of the fabric
 * @name: name of the fabric
 * @cfg: its configuration
 * @tied: port of the socket to whose life the fabric is tied; 0: none
 * @out: [out] its engine; the caller owns a reference
 * @err: [out] reason of a failure
 *
 * Return: 0; -EEXIST; -ENOSPC if max_bytes does not permit the fabric's memory; -ENODEV if the
 * module is being unloaded; or the error of torus_engine_create().
 */
int torus_registry_add(struct net *net, const char *name, const struct torus_config *cfg,
		       u32 tied, struct torus_engine **out, struct torus_error *err)
{
	u64 bytes = torus_config_bytes(cfg);
	struct torus_engine *e;
	int ret;

	/* Check the name early: creating a large fabric takes a long time. */
	e = torus_registry_find(net, name);
	if (e) {
		torus_engine_put(e);
		return torus_fail(err, EEXIST, "fabric %s exists already", name);
	}
	ret = torus_budget_take(bytes, err);
	if (ret)
		return ret;
	ret = torus_engine_create(net, name, cfg, &e, err);
	if (ret)
		goto err_give;
	e->registry.bytes = bytes;
	/* Before other requests find the engine: a tied fabric is in use from the beginning. */
	e->registry.tied = tied;
	ret = torus_registry_insert(net, e, err);
	if (ret)
		goto err_remove;
	*out = e;
	return 0;

err_remove:
	torus_engine_remove(e);
	torus_engine_put(e);
err_give:
	torus_budget_give(bytes);
	return ret;
}

/**
 * torus_registry_del() - delete a fabric, even while programs use it
 * @net: network namespace of the fabric
 * @name: name of the fabric
 *
 * Return: its engine, without a fabric, with a reference for the caller; NULL if no fabric has that
 * name.
 */
struct torus_engine *torus_registry_del(struct net *net, const char *name)
{
	struct torus_engine *e;

	mutex_lock(&torus_registry_lock);
	e = torus_registry_look(net, name);
	if (e)
		torus_registry_unlist(torus_net(net), e);
	mutex_unlock(&torus_registry_lock);
	if (e)
		torus_registry_remove(e);
	return e;
}

/**
 * torus_registry_del_unused() - delete a fabric, unless it is in use
 * @net: network namespace of the fabric
 * @name: name of the fabric
 * @out: [out] its engine, without a fabric, with a reference for the caller
 * @err: [out] reason of a failure
 *
 * The engine is locked from the check to the deletion, so no program can attach in between.
 *
 * Return: 0; -EBUSY; -ENOENT if no fabric has that name; -EINTR if the task was killed.
 */
int torus_registry_del_unused(struct net *net, const char *name, struct torus_engine **out,
			      struct torus_error *err)
{
	struct torus_engine *e = torus_registry_find(net, name);
	bool listed;
	int ret;

	if (!e)
		return torus_fail(err, ENOENT, "fabric %s does not exist in this network namespace",
				  name);
	ret = torus_engine_lock_killable(e);
	if (ret)
		goto err_put;
	ret = torus_engine_unused(e, err);
	if (ret)
		goto err_unlock;
	mutex_lock(&torus_registry_lock);
	listed = !list_empty(&e->registry.link);
	if (listed)
		torus_registry_unlist(torus_net(net), e);
	mutex_unlock(&torus_registry_lock);
	if (!listed) {
		/* Another task has removed it from the list, and waits for the lock. */
		ret = -ENODEV;
		goto err_unlock;
	}
	torus_engine_remove_locked(e);
	torus_budget_give(e->registry.bytes);
	/* Drop the reference of this function: the caller gets that of the list. */
	torus_engine_put(e);
	*out = e;
	return 0;

err_unlock:
	torus_engine_unlock(e);
err_put:
	torus_engine_put(e);
	if (ret == -ENODEV)
		ret = torus_fail(err, ENOENT, "fabric %s has been deleted meanwhile", name);
	return ret;
}

/**
 * torus_registry_untie() - delete a fabric whose life is tied to a socket that was closed
 * @net: network namespace of the socket
 * @portid: port of the socket
 *
 * Return: the engine of a fabric that was deleted, with a reference for the caller; NULL if none is
 * left.
 */
struct torus_engine *torus_registry_untie(struct net *net, u32 portid)
{
	struct torus_engine *e, *found = NULL;

	mutex_lock(&torus_registry_lock);
	list_for_each_entry(e, &torus_net(net)->fabrics, registry.link) {
		if (e->registry.tied != portid)
			continue;
		found = e;
		torus_registry_unlist(torus_net(net), e);
		break;
	}
	mutex_unlock(&torus_registry_lock);
	if (found)
		torus_registry_remove(found);
	return found;
}

/**
 * torus_registry_find() - find a fabric by its name
 * @net: network namespace of the fabric
 * @name: name of the fabric
 *
 * Return: its engine, with a reference for the caller, or NULL.
 */
struct torus_engine *torus_registry_find(struct net *net, const char *name)
{
	struct torus_engine *e;

	mutex_lock(&torus_registry_lock);
	e = torus_registry_look(net, name);
	if (e)
		torus_engine_get(e);
	mutex_unlock(&torus_registry_lock);
	return e;
}

/**
 * torus_registry_nth() - find a fabric by its position in the list
 * @net: network namespace of the fabric
 * @n: position, from 0
 *
 * Return: its engine, with a reference for the caller; NULL if the list is shorter.
 */
struct torus_engine *torus_registry_nth(struct net *net, unsigned long n)
{
	struct torus_engine *e, *found = NULL;

	mutex_lock(&torus_registry_lock);
	list_for_each_entry(e, &torus_net(net)->fabrics, registry.link) {
		if (!n--) {
			torus_engine_get(e);
			found = e;
			break;
		}
	}
	mutex_unlock(&torus_registry_lock);
	return found;
}

/* Return a number that changes when a fabric of the namespace is added or deleted; never 0. */
u32 torus_registry_generation(struct net *net)
{
	u32 generation;

	mutex_lock(&torus_registry_lock);
	generation = torus_net(net)->generation;
	mutex_unlock(&torus_registry_lock);
	return generation;
}

static void torus_registry_empty(struct torus_net *tn)
{
	struct torus_engine *e;

	for (;;) {
		mutex_lock(&torus_registry_lock);
		e = list_first_entry_or_null(&tn->fabrics, struct torus_engine, registry.link);
		if (e)
			torus_registry_unlist(tn, e);
		mutex_unlock(&torus_registry_lock);
		if (!e)
			return;
		torus_registry_remove(e);
		torus_engine_put(e);
	}
}

static int __net_init torus_net_init(struct net *net)
{
	INIT_LIST_HEAD(&torus_net(net)->fabrics);
	torus_net(net)->generation = 1;
	return 0;
}

static void __net_exit torus_net_exit(struct net *net)
{
	torus_registry_empty(torus_net(net));
}

static struct pernet_operations torus_net_ops = {
	.init = torus_net_init,
	.exit = torus_net_exit,
	.id = &torus_net_id,
	.size = sizeof(struct torus_net),
};

/* Register the namespace operations. Must run before netlink and the device, which use them. */
int __init torus_registry_init(void)
{
	return register_pernet_subsys(&torus_net_ops);
}

/**
 * torus_registry_close() - delete all fabrics, and reject new ones
 *
 * Must run while netlink still works: an engine that was left could send events later.
 */
void torus_registry_close(void)
{
	struct net *net;

	mutex_lock(&torus_registry_lock);
	torus_registry_closed = true;
	mutex_unlock(&torus_registry_lock);

	down_read(&net_rwsem);
	for_each_net(net)
		torus_registry_empty(torus_net(net));
	up_read(&net_rwsem);
}

void torus_registry_exit(void)
{
	unregister_pernet_subsys(&torus_net_ops);
}
