/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Play a scene: processes on a Tofu fabric FABRIC in virtual time, with variations that must not
 * change the outcome.
 */
#ifndef TORUS_SELFTESTS_VTIME_RIG_H
#define TORUS_SELFTESTS_VTIME_RIG_H

#include <sys/time.h>
#include <utofu.h>
#include "gates.h"
#include "vtime.h"

/*
 * Variations that must not change the outcome.
 * @domains: number of domains of the fabric
 * @first: member that is started first
 * @loaded: run next to processes that keep the processors busy
 * @stop: one member stops itself for a second
 * @signals: frequent signals interrupt the members' waits
 */
struct vtime_way {
	unsigned int domains;
	unsigned int first;
	bool loaded;
	bool stop;
	bool signals;
};

/* Results of the fabric; each outcome starts with them. */
struct played {
	uint64_t hash;
	uint64_t latency;
};

#define SCENE_MEMBERS_MAX	8

/*
 * @members: number of processes
 * @stopper: member that stops itself
 * @shared: bytes that the members share; initially zero, starting with the outcome
 * @outcome: bytes of the outcome
 * @member: function of a member; returns its exit status
 */
struct vtime_scene {
	unsigned int members;
	unsigned int stopper;
	size_t shared;
	size_t outcome;
	int (*member)(void *shared, unsigned int rank, bool stop);
};

/* Compute: poll @looks times for notices that never arrive, each time at a later clock. */
static inline int compute(utofu_vcq_hdl_t vcq, unsigned int looks)
{
	void *cbdata;
	int ret = UTOFU_ERR_NOT_FOUND;

	while (looks-- && ret == UTOFU_ERR_NOT_FOUND)
		ret = utofu_poll_tcq(vcq, 0, &cbdata);
	return ret != UTOFU_ERR_NOT_FOUND;
}

/* Post @posts operations, which advance the member's clock, without polling. */
static inline int post(utofu_vcq_hdl_t vcq, unsigned int posts)
{
	int ret = UTOFU_SUCCESS;

	while (posts-- && ret == UTOFU_SUCCESS)
		ret = utofu_nop(vcq, 0, NULL);
	return ret;
}

static inline void heed_none(int number)
{
}

/* Send this process frequent signals. Without SA_RESTART, so that they end waiting system calls. */
static inline void interrupt_often(void)
{
	const struct sigaction action = { .sa_handler = heed_none };
	const struct itimerval timer = {
		.it_value.tv_usec = 1000, .it_interval.tv_usec = 1000,
	};

	if (sigaction(SIGALRM, &action, NULL) || setitimer(ITIMER_REAL, &timer, NULL))
		_exit(1);
}

static inline bool play(const struct vtime_scene *scene, const struct vtime_way *way, void *outcome)
{
	static const __u32 dims[3] = { 2, 1, 1 };
	struct torus_fabric_counters counters;
	pid_t pid[SCENE_MEMBERS_MAX], others[BUSY];
	struct played *played = shared_alloc(scene->shared);
	unsigned int i;
	bool good;

	if (!played || fabric_virtual_of(FABRIC, "tofu", dims, scene->members, way->domains))
		return false;
	if (way->loaded)
		busy(others, true);
	for (i = 0; i < scene->members; i++) {
		unsigned int rank = (way->first + i) % scene->members;

		pid[rank] = start();
		if (!pid[rank] && way->signals)
			interrupt_often();
		if (!pid[rank])
			_exit(scene->member(played, rank, way->stop && rank == scene->stopper));
	}
	good = end_well(pid, scene->members, way->stop ? pid[scene->stopper] : 0);
	if (way->loaded)
		busy(others, false);
	good &= !fabric_counters(FABRIC, &counters);
	played->hash = counters.hash;
	played->latency = counters.latency_sum;
	memcpy(outcome, played, scene->outcome);
	munmap(played, scene->shared);
	return !fabric_del(FABRIC) && good;
}

#endif /* TORUS_SELFTESTS_VTIME_RIG_H */
