// SPDX-License-Identifier: GPL-2.0
// Two processes on two nodes: the second one says something, the first one checks it.
#include <cstdlib>
#include <iostream>
#include <string>
#include <sys/wait.h>
#include <torus/message.h>
#include <unistd.h>

static void check(int ret)
{
	if (ret) {
		std::cerr << torus_error_text() << std::endl;
		std::exit(1);
	}
}

int main()
{
	const torus_member members[] = { { 0, 0 }, { 3, 0 } };
	const std::string text = "hello from C++";
	torus_job_config config = {};
	torus_context *context;
	torus_job *job;
	pid_t child = fork();

	config.key = 0xc0ffee;
	config.members = members;
	config.count = 2;
	check(torus_context_attach(&context, "t", members[child ? 0 : 1].node, nullptr));
	check(torus_job_open(&job, context, &config));
	std::string heard(text.size(), ' ');
	if (child)
		check(torus_message_receive(job, 1, 7, &heard[0], heard.size(), nullptr, 60000));
	else
		check(torus_message_send(job, 0, 7, text.data(), text.size()));
	check(torus_job_barrier(job, 60000));
	check(torus_message_flush(job, 60000));
	if (child)
		wait(nullptr), std::cout << heard << std::endl;
	return child && heard != text;
}
