// SPDX-License-Identifier: GPL-2.0
/*
 * How much memory fabrics and rings may take, all together: the parameter
 * max_bytes.  Fabrics are made by administrators who mistype a shape, rings by
 * whoever may open the device; neither shall be able to exhaust the machine.
 * Nor shall one user's rings keep all others out: max_user_bytes.
 *
 * What a run takes for packets in flight, and for what is to become of them, counts as the fabric
 * does.  A load that the links cannot carry, with queues that have no end, takes more and more:
 * then the fabric stops, and not the computer.
 *
 * Requests of a program have a part that is kept for them from its ATTACH on.  It is counted as
 * taken, so only what runs take for packets in flight may come out of it.  Packets that have not
 * begun wait before that, while an eighth of max_bytes is left for those that move.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "core/env.h"
#include "memory_limit.h"
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

static DEFINE_SPINLOCK(torus_budget_lock);
static u64 torus_budget_taken;
static u64 torus_budget_kept;	/* part of it for what runs take */
static LIST_HEAD(torus_budget_users);

static bool torus_budget_fits(u64 bytes)
{
	u64 max = torus_param_max_bytes();

	lockdep_assert_held(&torus_budget_lock);
	return bytes <= max && torus_budget_taken <= max - bytes;
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
	int ret = 0;

	spin_lock(&torus_budget_lock);
	if (torus_budget_fits(bytes))
		torus_budget_taken += bytes;
	else
		ret = torus_fail(err, ENOSPC,
				 "takes %llu bytes; %llu of max_bytes=%llu are taken", bytes,
				 torus_budget_taken, torus_param_max_bytes());
	spin_unlock(&torus_budget_lock);
	return ret;
}

/* When it is free again. */
void torus_budget_give(u64 bytes)
{
	spin_lock(&torus_budget_lock);
	torus_budget_taken -= bytes;
	spin_unlock(&torus_budget_lock);
}

static bool torus_budget_take_growth(u64 bytes)
{
	u64 max = torus_param_max_bytes();
	bool fits;

	spin_lock(&torus_budget_lock);
	fits = bytes <= max && torus_budget_taken - torus_budget_kept <= max - bytes;
	if (fits)
		torus_budget_taken += bytes;
	spin_unlock(&torus_budget_lock);
	return fits;
}

/* Asked for each packet where few are free: without the lock, for it is a matter of chance. */
static bool torus_budget_spare(u64 bytes)
{
	u64 max = torus_param_max_bytes();

	max -= max / 8;
	return bytes <= max && READ_ONCE(torus_budget_taken) <= max - bytes;
}

/**
 * torus_budget_keep() - what has been taken is for the growth that a program's requests need
 * @bytes: how much of it
 */
void torus_budget_keep(u64 bytes)
{
	spin_lock(&torus_budget_lock);
	torus_budget_kept += bytes;
	spin_unlock(&torus_budget_lock);
}

/**
 * torus_budget_unkeep() - before it is given back
 * @bytes: as of torus_budget_keep()
 */
void torus_budget_unkeep(u64 bytes)
{
	spin_lock(&torus_budget_lock);
	torus_budget_kept -= bytes;
	spin_unlock(&torus_budget_lock);
}

/* What runs take is limited from here on: before there is a fabric. */
void torus_budget_init(void)
{
	static const struct torus_growth_ops ops = {
		.take = torus_budget_take_growth,
		.give = torus_budget_give,
		.spare = torus_budget_spare,
	};

	torus_growth_limit(&ops);
}

static struct torus_budget_user *torus_budget_user(kuid_t uid)
{
	struct torus_budget_user *user;

	list_for_each_entry(user, &torus_budget_users, link) {
		if (uid_eq(user->uid, uid))
			return user;
	}
	user = kzalloc(sizeof(*user), GFP_ATOMIC | __GFP_ACCOUNT);
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

/*
 * What a user's rings may take: by default half of what fabrics and other users' rings leave.  So
 * something is left to the next user, however many there are, and however much fabrics take.
 */
static u64 torus_budget_user_max(const struct torus_budget_user *user)
{
	u64 max = torus_param_max_bytes(), others = torus_budget_taken - user->bytes;

	return torus_param_max_user_bytes() ?: others < max ? (max - others) / 2 : 0;
}

static bool torus_budget_user_over(const struct torus_budget_user *user, u64 bytes)
{
	u64 max = torus_budget_user_max(user);

	return bytes > max || user->bytes > max - bytes;
}

/**
 * torus_budget_take_rings() - before the current user's rings are allocated
 * @bytes: how much
 * @user: out: whose they are
 *
 * CAP_SYS_RESOURCE is bound by max_bytes alone.  It is asked for only where it matters: to have
 * used it is noted in the process, and to lack it in the audit log.
 *
 * Return: 0, -EDQUOT beyond what a user's rings may take, -ENOSPC beyond max_bytes, -ENOMEM.
 */
int torus_budget_take_rings(u64 bytes, struct torus_budget_user **user)
{
	struct torus_budget_user *who;
	int ret = 0;

	spin_lock(&torus_budget_lock);
	who = torus_budget_user(current_uid());
	if (!who)
		ret = -ENOMEM;
	else if (!torus_budget_fits(bytes))
		ret = -ENOSPC;
	else if (torus_budget_user_over(who, bytes) && !capable(CAP_SYS_RESOURCE))
		ret = -EDQUOT;
	if (!ret) {
		torus_budget_taken += bytes;
		who->bytes += bytes;
	} else if (who) {
		torus_budget_user_done(who);
	}
	spin_unlock(&torus_budget_lock);
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
	spin_lock(&torus_budget_lock);
	torus_budget_taken -= bytes;
	user->bytes -= bytes;
	torus_budget_user_done(user);
	spin_unlock(&torus_budget_lock);
}
