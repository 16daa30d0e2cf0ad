/* SPDX-License-Identifier: GPL-2.0 */
/* Fabrics in virtual time, what is heard of them, and what must make no difference to them. */
#ifndef TORUS_SELFTESTS_PROGRAMS_H
#define TORUS_SELFTESTS_PROGRAMS_H

#include <signal.h>
#include <sys/wait.h>

#include "device.h"

/* Costs of the fabrics that fabric_virtual() makes, in ticks. */
#define INJECT_TICKS	30
#define RECEIVE_TICKS	50

/* A machine whose time is that of so many programs. */
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

/* A Blue Gene/L of 4x4x4. */
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

/* What the module says of a fabric. */
static inline int fabric_get(const char *name, struct torus_nl_fabric *fabric)
{
	snprintf(fabric->name, sizeof(fabric->name), "%s", name);
	return nl_with(ask_get, fabric, NULL, 0);
}

/* Has a fabric stopped for want of memory, or is it not there? */
static inline bool fabric_failed(const char *name)
{
	struct torus_nl_fabric fabric;

	return fabric_get(name, &fabric) || fabric.state == TORUS_FABRIC_FAILED;
}

#define BUSY	4

/* Programs that do nothing but keep the processors from the others, or their end. */
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

/* A program has stopped itself: for a second nobody lets it go on. */
static inline bool stopped_itself(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return false;
	sleep(1);
	return !kill(pid, SIGCONT);
}

/* So many programs end well; @stopper: the one that stops itself before, 0: none does. */
static inline bool end_well(const pid_t pid[], unsigned int programs, pid_t stopper)
{
	bool good = !stopper || stopped_itself(stopper);
	unsigned int i;

	for (i = 0; i < programs; i++)
		good &= !status_of(pid[i]);
	return good;
}

#endif /* TORUS_SELFTESTS_PROGRAMS_H */
