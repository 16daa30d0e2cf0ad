/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fabrics in virtual time: their creation and state. Also processes that keep processors busy or
 * stop: results must not depend on them.
 */
#ifndef TORUS_SELFTESTS_VTIME_H
#define TORUS_SELFTESTS_VTIME_H

#include <signal.h>
#include <sys/wait.h>

#include "device.h"

/* Costs of packets on the fabrics that fabric_virtual_of() creates, in ticks. */
#define INJECT_TICKS	30
#define RECEIVE_TICKS	50

/*
 * Create a fabric whose virtual time depends on @programs programs. Return: 0 or a negative errno.
 */
static inline int fabric_virtual_of(const char *name, const char *arch, const __u32 dims[3],
				    __u32 programs, __u32 domains)
{
	struct torus_nl_param params[] = {
		{ .key = "time", .text = "virtual", .is_text = true },
		{ .key = "programs", .value = programs },
		{ .key = "inject_packet", .value = INJECT_TICKS },
		{ .key = "receive_packet", .value = RECEIVE_TICKS },
	};
	struct torus_nl_fabric_spec spec = {
		.name = name, .arch = arch, .ndims = 3, .dims = { dims[0], dims[1], dims[2] },
		.domains = domains, .has_domains = true, .params = params, .nparams = 4,
	};
	char words[256] = "";
	int ret;

	fabric_del(name);
	ret = nl_with(ask_add, &spec, words, sizeof(words));
	if (ret)
		fprintf(stderr, "# %s\n", words);
	return ret;
}

/* Create a Blue Gene/L fabric of 4x4x4 nodes in virtual time. */
static inline int fabric_virtual(const char *name, __u32 programs, __u32 domains)
{
	static const __u32 dims[3] = { 4, 4, 4 };

	return fabric_virtual_of(name, "bgl", dims, programs, domains);
}

static inline int ask_get(struct torus_nl *nl, const void *arg)
{
	struct torus_nl_fabric *fabric = (struct torus_nl_fabric *)arg;
	char name[TORUS_NAME_MAX];

	memcpy(name, fabric->name, sizeof(name));
	return torus_nl_fabric_get(nl, name, fabric);
}

/* Read a fabric's state into @fabric. Return: 0 or a negative errno. */
static inline int fabric_get(const char *name, struct torus_nl_fabric *fabric)
{
	snprintf(fabric->name, sizeof(fabric->name), "%s", name);
	return nl_with(ask_get, fabric, NULL, 0);
}

/* Return: true if a fabric has failed for lack of memory, or cannot be queried. */
static inline bool fabric_failed(const char *name)
{
	struct torus_nl_fabric fabric;

	return fabric_get(name, &fabric) || fabric.state == TORUS_FABRIC_FAILED;
}

#define BUSY	4

/* Start processes that keep the processors busy (@on), or kill them. @pid: [in, out] their pids */
static inline void busy(pid_t pid[BUSY], bool on)
{
	unsigned int i;

	for (i = 0; i < BUSY; i++) {
		if (!on) {
			kill(pid[i], SIGKILL);
			status_of(pid[i]);
			continue;
		}
		pid[i] = start();
		while (!pid[i])
			;
	}
}

/*
 * Wait until a process has stopped itself, and continue it a second later. Return: false if it did
 * not stop.
 */
static inline bool stopped_itself(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return false;
	sleep(1);
	return !kill(pid, SIGCONT);
}

/*
 * Wait for processes. @stopper: one of them that stops itself first, or 0. Return: true if all exit
 * with status 0.
 */
static inline bool end_well(const pid_t pid[], unsigned int programs, pid_t stopper)
{
	bool good = !stopper || stopped_itself(stopper);
	unsigned int i;

	for (i = 0; i < programs; i++)
		good &= !status_of(pid[i]);
	return good;
}

#endif /* TORUS_SELFTESTS_VTIME_H */
