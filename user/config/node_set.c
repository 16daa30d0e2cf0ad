// SPDX-License-Identifier: GPL-2.0
/*
 * The command node set: change the owner, the partition and the state of nodes, and make their FIFO
 * groups devices.
 */
#include <errno.h>
#include <pwd.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../netlink/node.h"
#include "../parse/fault.h"
#include "../parse/integer.h"
#include "args.h"
#include "node_set.h"
#include "diag.h"
#include "target.h"

/* Value of a group: all groups of a node. */
#define NODE_GROUP_ALL	UINT32_MAX

/**
 * node_owned - check whether a node has an owner
 *
 * Return: false if every user may attach to the node.
 */
bool node_owned(const struct torus_nl_node *node)
{
	return (node->present & TORUS_NL_HAS(TORUS_A_UID)) && node->uid != UINT32_MAX;
}

static int node_uid(struct ctl *ctl, const char *word, uint32_t *uid)
{
	const struct passwd *user;
	struct parse_error why;

	if (!strcmp(word, "any")) {
		*uid = UINT32_MAX;
		return CTL_OK;
	}
	if (*word >= '0' && *word <= '9')
		return parse_u32("uid", word, 0, UINT32_MAX - 1, uid, &why) ?
		       CTL_OK : ctl_reject(ctl, "%s", why.text);
	user = getpwnam(word);
	if (!user)
		return ctl_reject(ctl, "uid %s: must be a number, any, or the name of a user",
				  word);
	*uid = user->pw_uid;
	return CTL_OK;
}

/* Change one node, and save its old description in @kept for target_change(). */
static int node_set_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	struct torus_nl_node *node = arg;

	if (torus_nl_node_get(ctl->nl, target->name, target->node, kept))
		return ctl_failed(ctl);
	node->node = target->node;
	return torus_nl_node_set(ctl->nl, target->name, node) ? ctl_failed(ctl) : ctl_done(ctl);
}

static int node_restore_one(struct ctl *ctl, struct target *target, void *arg, void *kept)
{
	const struct torus_nl_node *node = arg;
	struct torus_nl_node *before = kept;

	if (!node_owned(before))
		before->uid = UINT32_MAX;
	if (!(before->present & TORUS_NL_HAS(TORUS_A_NODE_STATE)))
		before->state = TORUS_NODE_ALIVE;
	before->present = node->present;
	before->driver = 0;
	before->group = node->group;
	/* A device that was taken away is still being removed, and cannot be made again. */
	if (node->present & TORUS_NL_HAS(TORUS_A_DRIVER) && !node->driver)
		return CTL_OK;
	return torus_nl_node_set(ctl->nl, target->name, before) ? CTL_FAILED : CTL_OK;
}

/* Evict programs from a node. An eviction cannot be undone, so it follows all other changes. */
static int node_evict(struct ctl *ctl, struct target *target, void *arg)
{
	struct torus_nl_node node = {
		.node = target->node, .present = TORUS_NL_HAS(TORUS_A_EVICT),
	};

	(void)arg;
	return torus_nl_node_set(ctl->nl, target->name, &node) ? ctl_failed(ctl) : ctl_done(ctl);
}

static int node_driver(struct ctl *ctl, const char *word, uint32_t *driver)
{
	*driver = !strcmp(word, "on");
	return *driver || !strcmp(word, "off") ?
	       CTL_OK : ctl_reject(ctl, "driver %s: must be on or off", word);
}

/* Parse a FIFO group of the key driver. */
static int node_group(struct ctl *ctl, const char *word, uint32_t *group)
{
	struct parse_error why;

	if (!strcmp(word, "all")) {
		*group = NODE_GROUP_ALL;
		return CTL_OK;
	}
	return parse_u32("group", word, 0, UINT32_MAX - 1, group, &why) ?
	       CTL_OK : ctl_reject(ctl, "%s, or all", why.text);
}

/*
 * Load the module that puts nodes on the bus, unless it is loaded. A failure is no error here: the
 * kernel rejects the request, and names the module.
 */
static void node_load_host(void)
{
	char *const argv[] = { "modprobe", "-q", "torus_host", NULL };
	char *const env[] = { "PATH=/usr/sbin:/usr/bin:/sbin:/bin", NULL };
	pid_t child;

	if (access("/sys/module/torus_host", F_OK) &&
	    !posix_spawnp(&child, argv[0], NULL, NULL, argv, env))
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
}

/*
 * Check the keys driver and group. Group 0 is the default; for all groups, the request has none.
 */
static int node_check_driver(struct ctl *ctl, struct torus_nl_node *node)
{
	const torus_nl_set driver = TORUS_NL_HAS(TORUS_A_DRIVER);
	const torus_nl_set group = TORUS_NL_HAS(TORUS_A_GROUP);

	if (!(node->present & driver))
		return node->present & group ?
		       ctl_reject(ctl, "group requires the key driver") : CTL_OK;
	if (node->present & ~(driver | group))
		return ctl_reject(ctl, "driver: must not be combined with other keys but group");
	node->present |= group;
	if (node->group == NODE_GROUP_ALL)
		node->present &= ~group;
	return CTL_OK;
}

/*
 * Parse a key of node set, and the value if the key has one. @attr: [out] netlink attribute of the
 * key.
 */
static int node_key(struct ctl *ctl, struct ctl_args *args, const char *key,
		    struct torus_nl_node *node, int *attr)
{
	struct parse_error why;
	const char *word;

	*attr = TORUS_A_EVICT;
	if (!strcmp(key, "evict"))
		return CTL_OK;
	word = ctl_next(args);
	if (!word)
		return ctl_usage(ctl, "%s: its value is missing", key);
	if (!strcmp(key, "uid")) {
		*attr = TORUS_A_UID;
		return node_uid(ctl, word, &node->uid);
	}
	if (!strcmp(key, "partition")) {
		*attr = TORUS_A_PARTITION;
		return parse_u32("partition", word, 0, UINT32_MAX, &node->partition, &why) ?
		       CTL_OK : ctl_reject(ctl, "%s", why.text);
	}
	if (!strcmp(key, "state")) {
		*attr = TORUS_A_NODE_STATE;
		return parse_node_state(word, &node->state, &why) ?
		       CTL_OK : ctl_reject(ctl, "%s", why.text);
	}
	if (!strcmp(key, "driver")) {
		*attr = TORUS_A_DRIVER;
		return node_driver(ctl, word, &node->driver);
	}
	if (!strcmp(key, "group")) {
		*attr = TORUS_A_GROUP;
		return node_group(ctl, word, &node->group);
	}
	return ctl_usage(ctl, "unknown key of a node: %s", key);
}

/**
 * node_set - set the owner, partition or state of nodes, evict programs from nodes, or make FIFO
 * groups devices
 * @ctl: the call
 * @args: FABRIC NODES KEY [VALUE]..
 *
 * Return: CTL_OK; CTL_USAGE or CTL_FAILED after an error message; or CTL_WORDS, see ctl_connect().
 */
int node_set(struct ctl *ctl, struct ctl_args *args)
{
	static const struct target_change change = {
		.one = node_set_one, .undo = node_restore_one,
		.size = sizeof(struct torus_nl_node),
	};
	struct torus_nl_node node = { .present = 0 };
	struct target target;
	const char *key;
	int status;
	bool evict;
	int attr;

	status = target_parse(ctl, args, TARGET_NODE | TARGET_RANGE, &target);
	if (status)
		return status;
	while ((key = ctl_next(args))) {
		status = node_key(ctl, args, key, &node, &attr);
		if (status)
			return status;
		if (node.present & TORUS_NL_HAS(attr))
			return ctl_reject(ctl, "%s: must not be given twice", key);
		node.present |= TORUS_NL_HAS(attr);
	}
	if (!node.present)
		return ctl_usage(ctl, "uid, partition, state, driver or evict is missing");
	status = node_check_driver(ctl, &node);
	if (status)
		return status;
	status = target_find(ctl, &target);
	if (status)
		return status;
	if (node.present & TORUS_NL_HAS(TORUS_A_DRIVER)) {
		/* The module makes devices only in the initial network namespace. */
		if (ctl->apart) {
			target_free(&target);
			return CTL_OK;
		}
		if (node.driver && !ctl->dry)
			node_load_host();
	}
	evict = node.present & TORUS_NL_HAS(TORUS_A_EVICT);
	node.present &= ~TORUS_NL_HAS(TORUS_A_EVICT);
	if (node.present)
		status = target_change(ctl, &target, &change, &node);
	if (evict && !status)
		return target_each(ctl, &target, node_evict, NULL);
	target_free(&target);
	return status;
}
