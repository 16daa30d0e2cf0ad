// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz logs of applications and of a machine's jobs (SWF), selected by the first byte. A log is
 * parsed or rejected with an error message. If the log has no loop, which might be very long, the
 * operations of its ranks are generated, too.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "../jobs/views.h"
#include "../jobs/generator.h"
#include "../jobs/swf.h"
#include "arch/arch.h"
#include "arch/tofu/geometry.h"
#include "../jobs/jobs.h"
#include "../replay/op_list.h"
#include "../sim/base/message.h"
#include "take.h"

#define JOBS_MAX_	64

static unsigned int reasons;

int sim_reject(const char *format, ...)
{
	reasons++;
	return SIM_USAGE;
}

int sim_error(const char *format, ...)
{
	reasons++;
	return SIM_FAILED;
}

void sim_command_set(const char *name)
{
}

static void application(const char *text)
{
	static const u32 dims[] = { 2, 2, 2 };
	struct torus_config config;
	struct replay_job job;
	struct replay_log log;
	struct torus_error err;
	bool good = replay_log_parse(&log, "log", text);

	fuzz_demand(good || reasons);
	if (good && !strstr(text, "repeat")) {
		fuzz_demand(!torus_arch_config(&config, "bgl", &err));
		fuzz_demand(!torus_config_shape(&config, 3, dims, 0, &err));
		good = replay_job_make(&job, &log, &config);
		fuzz_demand(good || reasons);
		replay_job_free(&job);
	}
	replay_log_free(&log);
}

static void jobs(const void *text, size_t size)
{
	static const u32 shape[TOFU_GROUP_AXES] = { 2, 2, 1 };
	static struct torus_geometry g;
	static struct jobs_kinds kinds;
	struct jobs_stream stream = { 0 };
	struct jobs_law law = { .count = JOBS_MAX_ };
	char path[64];
	u32 i;
	int fd;

	if (!kinds.count) {
		tofu_geometry_init(&g, shape, 7, ~0u);
		fuzz_demand(!jobs_kinds_make(&kinds, &g, 0));
	}
	fd = memfd_create("log", 0);
	fuzz_demand(fd >= 0 && write(fd, text, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	law.most = kinds.kind[kinds.count - 1].nodes;
	if (jobs_swf_read(&stream, &kinds, path, &law, NULL))
		fuzz_demand(reasons);
	else
		for (i = 1; i < stream.count; i++)
			fuzz_demand(stream.job[i].arrival >= stream.job[i - 1].arrival &&
				    stream.job[i].kind < kinds.count);
	fuzz_demand(stream.count <= JOBS_MAX_);
	jobs_stream_free(&stream);
	close(fd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	reasons = 0;
	if (data[0] == ';') {
		jobs(data, size);
		return 0;
	}
	text = strndup((const char *)data, size);
	fuzz_demand(text);
	application(text);
	free(text);
	return 0;
}
