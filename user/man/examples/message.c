// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <torus/message.h>
#include <unistd.h>

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

static void receive(struct torus_job *job)
{
	struct torus_message_info info;
	void *text;

	check(torus_message_take(job, TORUS_MESSAGE_ANY, 7, &text, &info, 60000));
	printf("%u bytes from rank %u: %s\n", info.length, info.source, (char *)text);
	free(text);
}

int main(int argc, char **argv)
{
	const struct torus_member members[] = { { .node = 0 }, { .node = 3 } };
	const struct torus_job_config config = {
		.key = 0x6d657373, .members = members, .count = 2,
	};
	const char *fabric = argc > 1 ? argv[1] : "demo";
	struct torus_context *context;
	struct torus_job *job;
	pid_t child = fork();

	check(torus_context_attach(&context, fabric, members[child ? 0 : 1].node, NULL));
	check(torus_job_open(&job, context, &config));
	if (child)
		receive(job);
	else
		check(torus_message_send(job, 0, 7, "hello", sizeof("hello")));
	check(torus_job_barrier(job, 60000));
	check(torus_message_flush(job, -1));
	torus_job_close(job);
	torus_context_detach(context);
	return child && wait(NULL) < 0;
}
