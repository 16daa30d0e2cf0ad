/* SPDX-License-Identifier: GPL-2.0 */
/* Drivers in virtual time: their modules and devices, the trace of their accesses, a program. */
#ifndef TORUS_SELFTESTS_LOCKSTEP_H
#define TORUS_SELFTESTS_LOCKSTEP_H

#include <dirent.h>

#include "vtime.h"
#include "../user/lib/context/context.h"

#define BUS		"/sys/bus/torus"
#define TRACING		"/sys/kernel/tracing"
#define LINES		(1u << 20)	/* bytes of a trace */

/* Write a text to a file. Return: 0 or a positive errno. */
static inline int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC), err = 0;

	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

/* Load a module from the directory of $TORUS_KO, with options. */
static inline bool module_insert(const char *name, const char *options)
{
	const char *ko = getenv("TORUS_KO"), *slash = ko ? strrchr(ko, '/') : NULL;
	char path[256];
	int fd, ret;

	if (!slash)
		return false;
	snprintf(path, sizeof(path), "%.*s/%s.ko", (int)(slash - ko), ko, name);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return false;
	ret = syscall(SYS_finit_module, fd, options, 0);
	close(fd);
	return !ret || errno == EEXIST;
}

/* Unload the modules of the bus with a driver; their devices are being removed. */
static inline void modules_remove(const char *driver)
{
	syscall(SYS_delete_module, driver, 0);
	syscall(SYS_delete_module, "torus_host", 0);
	syscall(SYS_delete_module, "torus_bus", 0);
}

/* Bind the device of a node x,0,0 of a fabric to a driver. Return: 0 or a positive errno. */
static inline int device_bind(const char *fabric, unsigned int x, const char *driver)
{
	char path[128], name[64];
	int err;

	snprintf(name, sizeof(name), "%s:%u.0.0", fabric, x);
	snprintf(path, sizeof(path), BUS "/devices/%s/driver_override", name);
	err = file_write(path, driver);
	snprintf(path, sizeof(path), BUS "/drivers/%s/bind", driver);
	return err ? err : file_write(path, name);
}

static inline int device_unbind(const char *fabric, unsigned int x, const char *driver)
{
	char path[128], name[64];

	snprintf(name, sizeof(name), "%s:%u.0.0", fabric, x);
	snprintf(path, sizeof(path), BUS "/drivers/%s/unbind", driver);
	return file_write(path, name);
}

/* Wait until the devices of an earlier fabric are removed. */
static inline bool devices_gone(void)
{
	double until = now_s() + WAIT_MS / 1000;
	struct dirent *entry;
	unsigned int left;
	DIR *dir;

	do {
		left = 0;
		dir = opendir(BUS "/devices");
		while (dir && (entry = readdir(dir)))
			left += entry->d_name[0] != '.';
		if (dir)
			closedir(dir);
		if (left)
			usleep(10000);
	} while (left && now_s() < until);
	return !left;
}

/* Create a Blue Gene/L fabric of 4x1x1 nodes in virtual time. @devices: nodes for drivers */
static inline bool lockstep_fabric(const char *name, __u32 programs, __u32 domains,
				   const char *devices)
{
	static const __u32 dims[3] = { 4, 1, 1 };
	char command[128];

	snprintf(command, sizeof(command), "torusctl node set %s %s driver on", name, devices);
	return devices_gone() && !fabric_virtual_of(name, "bgl", dims, programs, domains) &&
	       !system(command);
}

/* Start or end the trace of accesses and interrupts. */
static inline bool trace_switch(const char *on)
{
	return !file_write(TRACING "/events/torus/torus_port_access/enable", on) &&
	       !file_write(TRACING "/events/torus/torus_port_interrupt/enable", on);
}

/* Read the lines of the trace, without task, processor and time. @lines: [out] LINES bytes */
static inline unsigned int trace_read(char *lines)
{
	FILE *file = fopen(TRACING "/trace", "r");
	unsigned int count = 0;
	char line[512], *event;
	size_t at = 0;

	*lines = 0;
	while (file && fgets(line, sizeof(line), file)) {
		event = strstr(line, ": torus_port_");
		if (!event || at + strlen(event) >= LINES)
			continue;
		strcpy(lines + at, event + 2);
		at += strlen(event) - 2;
		count++;
	}
	if (file)
		fclose(file);
	return count;
}

/*
 * Wait until the fabric rests: no driver has an episode, and no packet moves. Return: false if it
 * does not.
 */
static inline bool fabric_rests(const char *name)
{
	double until = now_s() + WAIT_MS / 1000;
	struct torus_nl_fabric fabric;
	unsigned int rests = 0;

	do {
		usleep(10000);
		if (fabric_get(name, &fabric))
			return false;
		rests = fabric.state == TORUS_FABRIC_IDLE && !fabric.time_held ? rests + 1 : 0;
	} while (rests < 3 && now_s() < until);
	return rests == 3;
}

#endif
