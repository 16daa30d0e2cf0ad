// SPDX-License-Identifier: GPL-2.0
// Two ranks send each other 100000 bytes, and look at each that comes.
#include <cstdio>
#include <stdexcept>
#include <torus/message.h>
#include <vector>

static void must(int ret)
{
	if (ret)
		throw std::runtime_error(torus_error_text());
}

int main()
{
	torus_context *context;
	torus_job *job;
	must(torus_job_init(&job, &context, nullptr));
	const unsigned rank = torus_job_rank(job), peer = 1 - rank;
	std::vector<unsigned char> mine(100000), expected(mine.size()), heard(mine.size());
	for (unsigned i = 0; i < mine.size(); i++)
		mine[i] = i * 7 + rank, expected[i] = i * 7 + peer;
	must(torus_message_send(job, peer, 1, mine.data(), mine.size()));
	must(torus_message_receive(job, peer, 1, heard.data(), heard.size(), nullptr, 60000));
	must(torus_job_barrier(job, 60000) || torus_message_flush(job, 60000));
	const bool right = heard == expected;
	std::printf("rank %u: %zu bytes %s C++\n", rank, heard.size(), right ? "in" : "wrong in");
	return !right;
}
