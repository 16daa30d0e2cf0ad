// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>
#include <torus/match.h>
#include <unistd.h>

static void check(int ret)
{
	if (ret < 0)
		errx(1, "%s", torus_error_text());
}

/* Move packets, and sleep while there are none, until an operation has ended. */
static void finish(struct torus_match *match, struct torus_match_event *event)
{
	struct pollfd wait = { .fd = torus_match_fd(match), .events = POLLIN };

	while (!torus_match_events(match, event, 1)) {
		int ret = torus_match_trywait(match);

		if (!ret)
			poll(&wait, 1, -1);
		else if (ret != -EAGAIN)
			check(ret);
	}
	if (event->error)
		errx(1, "error %d", event->error);
}

static void receive(struct torus_match *match)
{
	char text[16];
	const struct iovec part = { .iov_base = text, .iov_len = sizeof(text) };
	const struct torus_match_receive receive = {
		.parts = &part, .count = 1, .source = TORUS_MATCH_ANY,
		.tag = 0x700, .ignore = 0xff, .flags = TORUS_MATCH_TAGGED,
	};
	struct torus_match_event event;

	check(torus_match_receive(match, &receive));
	finish(match, &event);
	printf("tag %#llx from rank %u: %s\n", (unsigned long long)event.tag, event.source, text);
}

static void send(struct torus_match *match)
{
	char text[] = "hello";
	const struct iovec part = { .iov_base = text, .iov_len = sizeof(text) };
	const struct torus_match_send send = {
		.parts = &part, .count = 1, .dest = 0, .tag = 0x7ab, .flags = TORUS_MATCH_TAGGED,
	};
	struct torus_match_event event;

	check(torus_match_send(match, &send));
	finish(match, &event);
}

int main(int argc, char **argv)
{
	const struct torus_member members[] = { { .node = 0 }, { .node = 3 } };
	const struct torus_job_config config = {
		.key = 0x6d617463, .members = members, .count = 2,
	};
	const char *fabric = argc > 1 ? argv[1] : "demo";
	struct torus_context *context;
	struct torus_match *match;
	struct torus_job *job;
	pid_t child = fork();

	check(torus_context_attach(&context, fabric, members[child ? 0 : 1].node, NULL));
	check(torus_job_open(&job, context, &config));
	check(torus_match_open(&match, job, NULL));
	check(torus_job_barrier(job, 60000));
	if (child)
		receive(match);
	else
		send(match);
	check(torus_job_barrier(job, 60000));
	torus_match_close(match);
	torus_job_close(job);
	torus_context_detach(context);
	return child && wait(NULL) < 0;
}
