// SPDX-License-Identifier: GPL-2.0
/* Two processes on two nodes: the second one says something, the first one checks it. */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <torus/message.h>
#include <unistd.h>

static void check(int ret)
{
	if (ret)
		errx(1, "%s", torus_error_text());
}

int main(void)
{
	const struct torus_member members[] = { { 0, 0 }, { 3, 0 } };
	const struct torus_job_config config = { .key = 0xc0ffee, .members = members, .count = 2 };
	char text[] = "hello from C", heard[sizeof(text)] = "";
	struct torus_context *context;
	struct torus_job *job;
	pid_t child = fork();

	check(torus_context_attach(&context, "t", members[!child].node, NULL));
	check(torus_job_open(&job, context, &config));
	if (child)
		check(torus_message_receive(job, 1, 7, heard, sizeof(heard), NULL, 60000));
	else
		check(torus_message_send(job, 0, 7, text, sizeof(text)));
	check(torus_job_barrier(job, 60000));
	check(torus_message_flush(job, 60000));
	return child ? wait(NULL) < 0 || puts(heard) < 0 || strcmp(heard, text) : 0;
}
