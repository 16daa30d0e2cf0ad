// SPDX-License-Identifier: GPL-2.0
/* torusd run: check the cables after each event and periodically, until a signal ends it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "../netlink/event.h"
#include "../config/restore.h"
#include "inject_hold.h"
#include "log.h"
#include "loop.h"
#include "torusd.h"
#include "cable_monitor.h"

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

/*
 * Block SIGHUP, SIGINT and SIGTERM. Return a descriptor from which these signals are read, or -1
 * with errno.
 */
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

/*
 * Open a session for requests and one for events, in place of the old ones. Return false after an
 * error message; then the old sessions are kept.
 */
static bool sessions_open(struct torusd *d)
{
	struct torus_nl *ask = torus_nl_new(), *events = torus_nl_new();
	bool open = false;

	if (!ask || !events)
		torusd_log(NULL, "out of memory");
	else if (torus_nl_connect(ask))
		torusd_log(NULL, "%s", torus_nl_error(ask));
	else if (torus_nl_connect(events) || torus_nl_listen(events) < 0)
		torusd_log(NULL, "%s", torus_nl_error(events));
	else
		open = true;
	torus_nl_free(open ? d->ctl->nl : ask);
	torus_nl_free(open ? d->events : events);
	if (open) {
		d->ctl->nl = ask;
		d->events = events;
	}
	return open;
}

/*
 * Poll the cables. After the module was unloaded and loaded again, its netlink family and multicast
 * group have new numbers, so open new sessions. torus_nl_loaded() does not load the module, because
 * an administrator has unloaded it on purpose.
 */
static uint64_t loop_poll(struct torusd *d)
{
	uint64_t wait = torusd_look(d);

	if (d->blind != -ENOENT || !torus_nl_loaded(d->ctl->nl) || !sessions_open(d))
		return wait;
	torusd_log(NULL, "the module was loaded again");
	torusd_forget(d);
	return torusd_look(d);
}

/* Handle pending signals. Return false if a signal ends torusd. */
static bool take_signal(struct torusd *d, int fd)
{
	struct signalfd_siginfo info;
	bool differ;

	while (read(fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGHUP)
			return false;
		torusd_log(NULL, "%s: reading the file again", d->file);
		loop_poll(d);
		if (restore_apply(d->ctl, d->file, torusd_log, &torusd_log_differences, &differ))
			torusd_log(NULL, "%s: could not be applied, so no fabric was created",
				   d->file);
	}
	return true;
}

static int watch(struct torusd *d, int signals)
{
	struct pollfd fds[2] = {
		{ .fd = signals, .events = POLLIN },
		{ .events = POLLIN },
	};
	uint64_t wait;
	int error;

	for (;;) {
		wait = loop_poll(d);
		fds[1].fd = torus_nl_listen_fd(d->events);
		if (poll(fds, 2, (int)wait) < 0 && errno != EINTR) {
			torusd_log(NULL, "cannot wait for events: %s", strerror(errno));
			return TORUSD_LOST;
		}
		if (!take_signal(d, signals))
			return CTL_OK;
		if (!(fds[1].revents & (POLLIN | POLLERR)))
			continue;
		error = torus_nl_receive(d->events, on_event, NULL);
		/* ENOBUFS: events were lost, so poll the cables as after an event */
		if (error && error != -ENOBUFS && error != -EAGAIN) {
			torusd_log(NULL, "%s", torus_nl_error(d->events));
			return TORUSD_LOST;
		}
	}
}

/**
 * torusd_run - create the fabrics that the configuration file describes, then monitor their cables
 * @d: the agent
 *
 * Return: CTL_OK after SIGTERM or SIGINT; TORUSD_LOST after an error while torusd ran, after which
 * a restart may help; otherwise the status of an error before torusd was ready.
 */
int torusd_run(struct torusd *d)
{
	bool differ;
	int status = restore_apply(d->ctl, d->file, torusd_log, &torusd_log_differences, &differ);
	int signals;

	if (status)
		return status;
	if (!sessions_open(d))
		return CTL_FAILED;
	signals = signals_open();
	if (signals < 0) {
		torusd_log(NULL, "signals: %s", strerror(errno));
		torus_nl_free(d->events);
		return CTL_FAILED;
	}
	torusd_inject_found(d);
	torusd_notify("READY=1");
	torusd_log(NULL, "ready: a cable that does not work for %llu ms is treated as dead",
		   (unsigned long long)d->hold_ms);
	status = watch(d, signals);
	torusd_notify("STOPPING=1");
	torusd_log(NULL, "ends");
	close(signals);
	torusd_forget(d);
	torus_nl_free(d->events);
	return status;
}
