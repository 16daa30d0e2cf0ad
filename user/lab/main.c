// SPDX-License-Identifier: GPL-2.0
/* The device of lab 1: the registers of one node of a Blue Gene/L. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arch/arch.h"
#include "core/base/geometry.h"
#include "core/run/config.h"
#include "core/run/fabric.h"
#include "../common/escape.h"
#include "../parse/shape.h"
#include "sandbox.h"
#include "serve.h"

#define FAILED	1
#define USAGE	2

static const char usage[] = "registers SHAPE NODE RECORD PROGRAM [NUMBER=VALUE]..\n";

static int fail(const char *what, const char *why)
{
	torus_escape_message(stderr, "registers: %s: %s\n", what, why);
	return FAILED;
}

/* Create the machine. Returns NULL after an error message. */
static struct torus_fabric *make_fabric(const char *shape_word, const char *node_word, u32 *node)
{
	struct torus_fabric *fabric;
	struct torus_config config;
	struct parse_list shape, at;
	struct parse_error why;
	struct torus_error err;
	u32 dim;

	if (!parse_shape("shape", shape_word, &shape, &why) ||
	    !parse_coords("node", node_word, &at, &why)) {
		fail("arguments", why.text);
		return NULL;
	}
	if (torus_arch_config(&config, "bgl", &err) ||
	    torus_config_shape(&config, shape.count, shape.numbers, 0, &err)) {
		fail(shape_word, err.text);
		return NULL;
	}
	for (dim = 0; dim < config.geo.ndims; dim++)
		if (at.count != config.geo.ndims || at.numbers[dim] >= config.geo.dims[dim]) {
			fail(node_word, "must be coordinates inside the shape");
			return NULL;
		}
	*node = torus_geometry_node(&config.geo, at.numbers);
	if (torus_fabric_create(&config, &fabric, &err)) {
		fail(shape_word, err.text);
		return NULL;
	}
	return fabric;
}

/* Write the initial value of a register: 0x6c=5. */
static bool set_register(struct torus_fabric *fabric, u32 node, const char *word)
{
	struct torus_error err;
	u32 reg, value;
	int end = 0;

	if (sscanf(word, "%" SCNi32 "=%" SCNi32 "%n", (int32_t *)&reg, (int32_t *)&value,
		   &end) != 2 || word[end])
		fail(word, "must be NUMBER=VALUE");
	else if (fabric->arch->reg_write(fabric, node, reg, value, &err))
		fail(word, err.text);
	else
		return true;
	return false;
}

static void on_alarm(int signal)
{
	(void)signal;
}

/* Run the program with the device. Returns the exit status. */
static int run(struct torus_fabric *fabric, u32 node, FILE *record, const char *program)
{
	const struct sigaction alarm_action = { .sa_handler = on_alarm };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	const struct timeval timeout = { .tv_sec = LAB_SECONDS };
	int ends[2], status = 0;
	bool late = false;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) ||
	    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout)) ||
	    setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout)) ||
	    sigaction(SIGALRM, &alarm_action, NULL) || sigaction(SIGPIPE, &ignore, NULL))
		return fail("device", strerror(errno));
	lab_truth(record, fabric, node);
	fflush(record);
	child = lab_start(program, ends[1]);
	close(ends[1]);
	if (child < 0)
		return fail(program, strerror(errno));
	lab_serve(ends[0], record, fabric, node);
	close(ends[0]);
	alarm(LAB_SECONDS);
	while (waitpid(child, &status, 0) != child)
		if (!late) {
			late = true;
			kill(child, SIGKILL);
		}
	alarm(0);
	fprintf(record, "{\"event\":\"end\",\"late\":%s,\"signal\":%d,\"status\":%d}\n",
		late ? "true" : "false", WIFSIGNALED(status) ? WTERMSIG(status) : 0,
		WIFEXITED(status) ? WEXITSTATUS(status) : 0);
	return 0;
}

int main(int argc, char **argv)
{
	struct torus_fabric *fabric;
	FILE *record;
	int i, status;
	u32 node;

	if (argc < 5) {
		fputs(usage, stderr);
		return USAGE;
	}
	fabric = make_fabric(argv[1], argv[2], &node);
	if (!fabric)
		return FAILED;
	for (i = 5; i < argc; i++)
		if (!set_register(fabric, node, argv[i])) {
			torus_fabric_destroy(fabric);
			return FAILED;
		}
	record = fopen(argv[3], "we");
	status = record ? run(fabric, node, record, argv[4]) : fail(argv[3], strerror(errno));
	if (record && fclose(record))
		status = fail(argv[3], strerror(errno));
	torus_fabric_destroy(fabric);
	return status;
}
