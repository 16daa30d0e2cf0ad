// SPDX-License-Identifier: GPL-2.0
/*
 * torus-demo: run a process at every node of a fabric, and send messages between the processes.
 *
 * There are three phases: a ring, in which a token passes all nodes; a halo exchange between
 * neighbours; and an all-to-all of messages of mixed lengths. The bytes of a message are a function
 * of its phase, source, destination and number, and the receiver compares every byte.
 *
 * The processes count in memory shared with their parent. The parent prints the totals, and ends
 * all processes as soon as one fails.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>
#include "../common/answer.h"
#include "../common/escape.h"
#include "content.h"
#include "demo.h"
#include "options.h"
#include "report.h"
#include "team.h"
#include "torus-demo.h"

#define PROCESSES_MAX	4096

struct demo_shared *shared;

static int demo_run(int argc, char **argv)
{
	struct torus_fabric_info fabric;
	struct totals expected;
	sigset_t signals, mask;
	uint32_t *nodes;
	size_t bytes;

	options_parse(argc, argv);
	if (torus_fabric_find(options.fabric, &fabric)) {
		torus_escape_message(stderr, "torus-demo: %s\n", torus_error_text());
		return 1;
	}
	if (fabric.nodes < 2 || fabric.nodes > PROCESSES_MAX) {
		fprintf(stderr, "torus-demo: fabric %s has %u nodes: 2 to %u will do\n",
			fabric.name, fabric.nodes, PROCESSES_MAX);
		return 1;
	}
	bytes = sizeof(*shared) + fabric.nodes * sizeof(shared->tally[0]);
	shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	nodes = calloc(fabric.nodes, sizeof(*nodes));
	if (shared == MAP_FAILED || !nodes) {
		perror("torus-demo");
		return 1;
	}
	torus_fabric_nodes(&fabric, nodes);
	if (getrandom(&shared->key, sizeof(shared->key), 0) != sizeof(shared->key))
		shared->key = demo_mix(demo_now_ns() ^ getpid());

	/* Block the signals and wait for them, so that no child survives an interrupted parent. */
	sigemptyset(&signals);
	sigaddset(&signals, SIGCHLD);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &mask);
	totals_expect(&fabric, &expected);
	if (team_start(nodes, fabric.nodes, &mask))
		return 1;
	return report_end(&fabric, &expected, team_watch(fabric.nodes, &signals, &expected));
}

int main(int argc, char **argv)
{
	torus_answer_begin();
	return torus_answer_end("torus-demo", demo_run(argc, argv), 1);
}
