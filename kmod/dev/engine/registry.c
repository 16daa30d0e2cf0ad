// SPDX-License-Identifier: GPL-2.0
/*
 * Fabrics by name, in each network namespace.  A fabric dies with its namespace,
 * and with the module.
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
 * struct torus_net - what a namespace has
 * @fabrics: its engines, oldest first
 * @generation: changes when a fabric comes or goes; never 0
 */
struct torus_net {
	struct list_head fabrics;
	u32 generation;
};

static unsigned int torus_net_id;

/* Protects every struct torus_net, and: */
static DEFINE_MUTEX(torus_registry_lock);
static bool torus_registry_closed;	/* the module is going */

static struct torus_net *torus_net(struct net *net)
{
	return net_generic(net, torus_net_id);
}

static void torus_registry_changed(struct torus_net *tn)
{
	if (!++tn->generation)
		tn->generation = 1;
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
		/* One reference for the list, one for the caller. */
		torus_engine_get(e);
		list_add_tail(&e->registry.link, &tn->fabrics);
		torus_registry_changed(tn);
	}
	mutex_unlock(&torus_registry_lock);
	return ret;
}

/* An engine that is in no list any more. */
static void torus_registry_remove(struct torus_engine *e)
{
	torus_engine_remove(e);
	torus_budget_give(e->registry.bytes);
}

/**
 * torus_registry_add() - make a fabric
 * @net: its namespace
 * @name: its name
 * @cfg: what it is made from
 * @out: its engine; the caller owns a reference
 * @err: why not
 *
 * Return: 0; -EEXIST; -ENOSPC when fabrics would take more memory than the
 * parameter max_bytes allows; or what torus_engine_create() says.
 */
int torus_registry_add(struct net *net, const char *name, const struct torus_config *cfg,
		       struct torus_engine **out, struct torus_error *err)
{
	u64 bytes = torus_config_bytes(cfg);
	struct torus_engine *e;
	int ret;

	/* Told early: to make a large fabric for nothing takes its time. */
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
 * torus_registry_del() - delete a fabric, whoever uses it
 * @net: its namespace
 * @name: its name
 *
 * Return: what is left of its engine, with a reference for the caller, or NULL
 * when there is none of that name.
 */
struct torus_engine *torus_registry_del(struct net *net, const char *name)
{
	struct torus_engine *e;

	mutex_lock(&torus_registry_lock);
	e = torus_registry_look(net, name);
	if (e) {
		list_del_init(&e->registry.link);
		torus_registry_changed(torus_net(net));
	}
	mutex_unlock(&torus_registry_lock);
	if (e)
		torus_registry_remove(e);
	return e;
}

/**
 * torus_registry_untie() - delete a fabric that dies with a socket
 * @net: the socket's namespace
 * @portid: its port
 *
 * Return: what is left of the engine of one, with a reference for the caller, or NULL
 * when there is none any more.
 */
struct torus_engine *torus_registry_untie(struct net *net, u32 portid)
{
	struct torus_engine *e, *found = NULL;

	mutex_lock(&torus_registry_lock);
	list_for_each_entry(e, &torus_net(net)->fabrics, registry.link) {
		if (READ_ONCE(e->registry.tied) != portid)
			continue;
		found = e;
		list_del_init(&e->registry.link);
		torus_registry_changed(torus_net(net));
		break;
	}
	mutex_unlock(&torus_registry_lock);
	if (found)
		torus_registry_remove(found);
	return found;
}

/**
 * torus_registry_find() - a fabric by name
 * @net: its namespace
 * @name: its name
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
 * torus_registry_nth() - a fabric by its place in the list
 * @net: the namespace
 * @n: place, from 0
 *
 * Return: its engine, with a reference for the caller, or NULL behind the last.
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

/* A number that changes when a fabric of the namespace comes or goes; never 0. */
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
		if (e) {
			list_del_init(&e->registry.link);
			torus_registry_changed(tn);
		}
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

/* First: nothing else works without it. */
int __init torus_registry_init(void)
{
	return register_pernet_subsys(&torus_net_ops);
}

/**
 * torus_registry_close() - delete every fabric, and let no new one in
 *
 * While netlink still works, so that no engine is left to speak on it later.
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
