// SPDX-License-Identifier: GPL-2.0
/*
 * Limits of the memory that fabrics, rings, gates, uploads, captures and devices take: parameters
 * max_bytes and max_user_bytes.
 *
 * max_bytes limits all of them together. An administrator may mistype a shape, and any user who may
 * open the device can create rings: neither can exhaust the memory of the machine.
 * max_user_bytes limits the rings, gates and reserves of one user, so that no user can keep all
 * others out.
 *
 * The memory that runs take for packets in flight, and for their later events, is charged like the
 * fabric's own. A load above the capacity of the links, with unlimited queues, takes more and more
 * memory. With the limit, only the fabric stops, not the machine.
 *
 * A program's requests have a reserve, charged from its ATTACH on. Only runs may use it, for
 * packets in flight. Packets that have not started wait earlier: they leave an eighth of max_bytes
 * to packets that move.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "core/platform.h"
#include "memory_limit.h"
#include "params.h"

/**
 * struct torus_budget_user - a user who has rings, gates or reserves
 * @link: in the list of these users
 * @uid: real user ID
 * @bytes: memory of the user's rings, gates and reserves
 */
struct torus_budget_user {
	struct list_head link;
	kuid_t uid;
	u64 bytes;
};

static DEFINE_SPINLOCK(torus_budget_lock);
static u64 torus_budget_taken;
static u64 torus_budget_kept;	/* part of torus_budget_taken that only runs may use */
static LIST_HEAD(torus_budget_users);

static bool torus_budget_fits(u64 bytes)
{
	u64 max = torus_param_max_bytes();

	lockdep_assert_held(&torus_budget_lock);
	return bytes <= max && torus_budget_taken <= max - bytes;
}

/**
 * torus_budget_take() - charge memory before it is allocated
 * @bytes: size of the memory
 * @err: [out] reason of a failure
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
				 "needs %llu bytes, but %llu of max_bytes=%llu are already in use",
				 bytes, torus_budget_taken, torus_param_max_bytes());
	spin_unlock(&torus_budget_lock);
	return ret;
}

/* Uncharge memory that was freed. */
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

/*
 * Check whether runs may start more packets. Called for each packet if few free ones are left, so
 * without the lock: a stale value does no harm.
 */
static bool torus_budget_spare(u64 bytes)
{
	u64 max = torus_param_max_bytes();

	max -= max / 8;
	return bytes <= max && READ_ONCE(torus_budget_taken) <= max - bytes;
}

/**
 * torus_budget_keep() - reserve charged memory for the packets of a program's requests
 * @bytes: size of the reserve
 */
void torus_budget_keep(u64 bytes)
{
	spin_lock(&torus_budget_lock);
	torus_budget_kept += bytes;
	spin_unlock(&torus_budget_lock);
}

/**
 * torus_budget_unkeep() - end a reserve, before its memory is uncharged
 * @bytes: size, as passed to torus_budget_keep()
 */
void torus_budget_unkeep(u64 bytes)
{
	spin_lock(&torus_budget_lock);
	torus_budget_kept -= bytes;
	spin_unlock(&torus_budget_lock);
}

/* Make the core charge the memory that runs take. Called before the first fabric is created. */
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
 * Return the limit for a user's rings, gates and reserves. By default it is half of the memory that
 * fabrics and other users leave: so some is left for the next user, whatever the number of users.
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
 * torus_budget_take_rings() - charge rings or gates to the current user, before they are allocated
 * @bytes: size of the rings and of their reserve, or of the gates
 * @user: [out] the user, to be passed to torus_budget_give_rings(); NULL on failure
 *
 * A task with CAP_SYS_RESOURCE is limited by max_bytes only. The capability is checked only if the
 * user's limit is exceeded: each check leaves a trace in the process or in the audit log.
 *
 * Return: 0, -EDQUOT if the user's limit is exceeded, -ENOSPC if max_bytes is exceeded, -ENOMEM.
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
 * torus_budget_give_rings() - uncharge rings or gates that were freed
 * @bytes: size, as passed to torus_budget_take_rings()
 * @user: user that the rings were charged to; may be freed
 */
void torus_budget_give_rings(u64 bytes, struct torus_budget_user *user)
{
	spin_lock(&torus_budget_lock);
	torus_budget_taken -= bytes;
	user->bytes -= bytes;
	torus_budget_user_done(user);
	spin_unlock(&torus_budget_lock);
}
