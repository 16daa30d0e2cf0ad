// SPDX-License-Identifier: GPL-2.0
/* torusd run: until it is told to end, it looks at the cables after every event, and in time. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "../netlink/event.h"
#include "../torusctl/restore.h"
#include "torusd.h"

static int on_event(const struct torus_nl_reply *reply, void *arg)
{
	struct torus_nl_event event;

	(void)arg;
	if (torus_nl_event_parse(reply, &event))
		return 0;
	if (event.event == TORUS_EVENT_WATCHDOG)
		torusd_log(event.fabric, "%s", event.text);
	return 0;
}

/* SIGHUP, SIGINT and SIGTERM arrive as reads. */
static int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	if (sigprocmask(SIG_BLOCK, &set, NULL))
		return -1;
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Return: false when it is to end. */
static bool take_signal(struct torusd *d, int fd)
{
	struct signalfd_siginfo info;

	while (read(fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGHUP)
			return false;
		torusd_log(NULL, "%s is read anew", d->file);
		if (restore_apply(d->ctl, d->file, torusd_log))
			torusd_log(NULL, "%s: nothing was made of it", d->file);
	}
	return true;
}

static int watch(struct torusd *d, struct torus_nl *events, int signals)
{
	struct pollfd fds[2] = {
		{ .fd = signals, .events = POLLIN },
		{ .fd = torus_nl_listen_fd(events), .events = POLLIN },
	};
	uint64_t wait;
	int error;

	for (;;) {
		wait = torusd_look(d);
		if (poll(fds, 2, (int)wait) < 0 && errno != EINTR)
			return CTL_FAILED;
		if (!take_signal(d, signals))
			return CTL_OK;
		if (!(fds[1].revents & (POLLIN | POLLERR)))
			continue;
		error = torus_nl_receive(events, on_event, NULL);
		/* lost events say as much as any: look */
		if (error && error != -ENOBUFS && error != -EAGAIN) {
			torusd_log(NULL, "%s", torus_nl_error(events));
			return CTL_FAILED;
		}
	}
}

/**
 * torusd_run - make the fabrics of the file, then follow their cables
 * @d: the agent
 *
 * Return: CTL_OK after SIGTERM or SIGINT, else what it failed with.
 */
int torusd_run(struct torusd *d)
{
	struct torus_nl *events;
	int status = restore_apply(d->ctl, d->file, torusd_log), signals;

	if (status)
		return status;
	events = torus_nl_new();
	if (!events || torus_nl_connect(events) || torus_nl_listen(events)) {
		torusd_log(NULL, "%s", events ? torus_nl_error(events) : "no memory");
		torus_nl_free(events);
		return CTL_FAILED;
	}
	signals = signals_open();
	if (signals < 0) {
		torusd_log(NULL, "signals: %s", strerror(errno));
		torus_nl_free(events);
		return CTL_FAILED;
	}
	torusd_inject_found(d);
	torusd_notify("READY=1");
	torusd_log(NULL, "ready: a cable that is out for %llu ms is dead",
		   (unsigned long long)d->hold_ms);
	status = watch(d, events, signals);
	torusd_notify("STOPPING=1");
	torusd_log(NULL, "ends");
	close(signals);
	torusd_forget(d);
	torus_nl_free(events);
	return status;
}
