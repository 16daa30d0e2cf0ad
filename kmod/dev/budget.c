// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory fabrics and rings may take, all together: the parameter
 * max_bytes.  Fabrics are made by administrators who mistype a shape, rings by
 * whoever may open the device; neither shall be able to exhaust the machine.
 * Nor shall one user's rings keep all others out: max_user_bytes.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "budget.h"
#include "params.h"

/**
 * struct torus_budget_user - who has rings
 * @link: in the list of those
 * @uid: the real user
 * @bytes: what these rings take
 */
struct torus_budget_user {
	struct list_head link;
	kuid_t uid;
	u64 bytes;
};

static DEFINE_MUTEX(torus_budget_lock);
static u64 torus_budget_taken;
static LIST_HEAD(torus_budget_users);

static int torus_budget_add(u64 bytes, struct torus_error *err)
{
	u64 max = torus_param_max_bytes();

	lockdep_assert_held(&torus_budget_lock);
	if (bytes > max || torus_budget_taken > max - bytes)
		return torus_fail(err, ENOSPC,
				  "takes %llu bytes; %llu of max_bytes=%llu are taken",
				  bytes, torus_budget_taken, max);
	torus_budget_taken += bytes;
	return 0;
}

/**
 * torus_budget_take() - before memory is allocated
 * @bytes: how much
 * @err: why not
 *
 * Return: 0 or -ENOSPC.
 */
int torus_budget_take(u64 bytes, struct torus_error *err)
{
	int ret;

	mutex_lock(&torus_budget_lock);
	ret = torus_budget_add(bytes, err);
	mutex_unlock(&torus_budget_lock);
	return ret;
}

/* When it is free again. */
void torus_budget_give(u64 bytes)
{
	mutex_lock(&torus_budget_lock);
	torus_budget_taken -= bytes;
	mutex_unlock(&torus_budget_lock);
}

static struct torus_budget_user *torus_budget_user(kuid_t uid)
{
	struct torus_budget_user *user;

	list_for_each_entry(user, &torus_budget_users, link) {
		if (uid_eq(user->uid, uid))
			return user;
	}
	user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);
	if (user) {
		user->uid = uid;
		list_add_tail(&user->link, &torus_budget_users);
	}
	return user;
}

static void torus_budget_user_done(struct torus_budget_user *user)
{
	if (user->bytes)
		return;
	list_del(&user->link);
	kfree(user);
}

/**
 * torus_budget_take_rings() - before the current user's rings are allocated
 * @bytes: how much
 * @user: out: whose they are
 *
 * CAP_SYS_RESOURCE is bound by max_bytes alone.
 *
 * Return: 0, -EDQUOT beyond max_user_bytes, -ENOSPC beyond max_bytes, -ENOMEM.
 */
int torus_budget_take_rings(u64 bytes, struct torus_budget_user **user)
{
	u64 max = capable(CAP_SYS_RESOURCE) ? U64_MAX : torus_param_max_user_bytes();
	struct torus_budget_user *who;
	int ret;

	mutex_lock(&torus_budget_lock);
	who = torus_budget_user(current_uid());
	ret = who ? torus_budget_add(bytes, NULL) : -ENOMEM;
	if (!ret && (bytes > max || who->bytes > max - bytes)) {
		torus_budget_taken -= bytes;
		ret = -EDQUOT;
	}
	if (!ret)
		who->bytes += bytes;
	else if (who)
		torus_budget_user_done(who);
	mutex_unlock(&torus_budget_lock);
	*user = ret ? NULL : who;
	return ret;
}

/**
 * torus_budget_give_rings() - when they are free again
 * @bytes: as they were taken
 * @user: whose they were
 */
void torus_budget_give_rings(u64 bytes, struct torus_budget_user *user)
{
	mutex_lock(&torus_budget_lock);
	torus_budget_taken -= bytes;
	user->bytes -= bytes;
	torus_budget_user_done(user);
	mutex_unlock(&torus_budget_lock);
}
