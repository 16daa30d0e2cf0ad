// SPDX-License-Identifier: GPL-2.0
/*
 * Log of torusd, with one line per event. Also notifications to the service manager, and the clock.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../common/escape.h"
#include "log.h"
#include "torusd.h"

#define LINE_BYTES	4096

/**
 * torusd_log - write a line of the log to standard output, which a service manager sends to the
 * journal
 * @fabric: name of the fabric to which the line refers, or NULL
 * @format: text of the line
 */
void torusd_log(const char *fabric, const char *format, ...)
{
	char text[LINE_BYTES];
	va_list args;

	va_start(args, format);
	torus_escape_vformat(text, sizeof(text), format, args);
	va_end(args);
	printf("%s%s%s\n", fabric ? fabric : "", fabric ? ": " : "", text);
	fflush(stdout);
}

static void log_difference(void *arg, bool in_file, const char *text)
{
	(void)arg;
	torus_escape_message(stdout, "%c%s\n", in_file ? '+' : '-', text);
	fflush(stdout);
}

/* Receiver of the differences between a file and the fabrics: + for a line of the file, or -. */
const struct config_report torusd_log_differences = { log_difference, NULL };

/**
 * torusd_notify - notify the service manager, if NOTIFY_SOCKET is set (sd_notify(3))
 * @state: the notification, as NAME=VALUE
 */
void torusd_notify(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd;

	if (!path || !*path || strlen(path) >= sizeof(to.sun_path))
		return;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	strcpy(to.sun_path, path);
	/* the kernel expects a NUL at the start of an abstract socket's name, in place of @ */
	if (*path == '@')
		to.sun_path[0] = '\0';
	sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&to,
	       offsetof(struct sockaddr_un, sun_path) + strlen(path));
	close(fd);
}

/**
 * torusd_now_ms - read the monotonic clock, in ms
 */
uint64_t torusd_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
