/* SPDX-License-Identifier: GPL-2.0 */
/* Helpers for all tests of the device: fabrics, raw contexts, child processes, packets. */
#ifndef TORUS_SELFTESTS_DEVICE_H
#define TORUS_SELFTESTS_DEVICE_H

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <torus/bgl.h>
#include "../user/netlink/counter.h"
#include "../user/netlink/fabric.h"
#include "../user/netlink/node.h"
#include "../user/netlink/session.h"
#include "says.h"

#define DEVICE		"/dev/torus"
#define WAIT_MS		240000

/* Return: the last number before the first @key in a message, or ~0 if there is none. */
static inline unsigned long long number_before(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	while (at && at > text && !isdigit((unsigned char)at[-1]))
		at--;
	while (at && at > text && isdigit((unsigned char)at[-1]))
		at--;
	return at && isdigit((unsigned char)*at) ? strtoull(at, NULL, 10) : ~0ull;
}

/* Set a module parameter. @from: [out] the previous value, may be NULL. */
static inline bool module_parameter(const char *name, const char *to, char *from, size_t size)
{
	char path[80];
	FILE *file;
	bool good;

	snprintf(path, sizeof(path), "/sys/module/torus/parameters/%s", name);
	file = fopen(path, "r+");
	good = file && (!from || fgets(from, (int)size, file));
	if (good) {
		rewind(file);
		good = fputs(to, file) >= 0;
	}
	return (!file || !fclose(file)) && good;
}

/* Unload the module. Return: 0 or a positive errno, EAGAIN if the module is in use. */
static inline int module_unload(void)
{
	return syscall(SYS_delete_module, "torus", O_NONBLOCK) ? errno : 0;
}

/* Load the module from $TORUS_KO. Return: 0 or a negative errno. */
static inline int module_load(void)
{
	const char *file = getenv("TORUS_KO");
	int fd = file ? open(file, O_RDONLY) : -1;
	int ret;

	if (fd < 0)
		return -ENOENT;
	ret = syscall(SYS_finit_module, fd, "", 0) ? -errno : 0;
	close(fd);
	return ret;
}

/*
 * Run @ask in a netlink session of its own. @words: [out] error message of the module, may be NULL.
 * Return: the result of @ask, or a negative errno if there is no session.
 */
static inline int nl_with(int (*ask)(struct torus_nl *nl, const void *arg), const void *arg,
			  char *words, size_t size)
{
	struct torus_nl *nl = torus_nl_new();
	int ret = nl ? torus_nl_connect(nl) : -ENOMEM;

	if (!ret)
		ret = ask(nl, arg);
	if (ret && nl && words)
		snprintf(words, size, "%s", torus_nl_error(nl));
	torus_nl_free(nl);
	return ret;
}

static inline int ask_add(struct torus_nl *nl, const void *arg)
{
	return torus_nl_fabric_add(nl, arg);
}

static inline int ask_del(struct torus_nl *nl, const void *arg)
{
	return torus_nl_fabric_del(nl, arg);
}

/* Create a Blue Gene/L fabric. @key: one parameter to set to @value, or NULL. */
static inline int fabric_add(const char *name, const __u32 dims[3], const char *key,
			     __u64 value)
{
	struct torus_nl_param param = { .value = value };
	struct torus_nl_fabric_spec spec = {
		.name = name,
		.arch = "bgl",
		.ndims = 3,
		.dims = { dims[0], dims[1], dims[2] },
	};
	char words[256] = "";
	int ret;

	if (key) {
		snprintf(param.key, sizeof(param.key), "%s", key);
		spec.params = &param;
		spec.nparams = 1;
	}
	ret = nl_with(ask_add, &spec, words, sizeof(words));
	if (ret)
		fprintf(stderr, "# fabric %s: %s\n", name, words);
	return ret;
}

static inline int fabric_del(const char *name)
{
	return nl_with(ask_del, name, NULL, 0);
}

/* Set parameter @key of a fabric to @word. */
static inline int fabric_key(struct torus_nl *nl, const char *name, const char *key,
			     const char *word)
{
	struct torus_nl_param param = { .is_text = true };

	snprintf(param.key, sizeof(param.key), "%s", key);
	snprintf(param.text, sizeof(param.text), "%s", word);
	return torus_nl_fabric_set(nl, name, &param, 1);
}

/* Attach with a plain ioctl. Return: 0 or a positive errno. */
static inline int raw_attach(int fd, const char *fabric, __u32 node, __u32 group, __u32 flags)
{
	struct torus_ioc_attach ask = { .node = node, .group = group, .flags = flags };

	snprintf(ask.fabric, sizeof(ask.fabric), "%s", fabric);
	return ioctl(fd, TORUS_IOC_ATTACH, &ask) ? errno : 0;
}

/* Start a child that is killed when its parent ends. */
static inline pid_t start(void)
{
	pid_t pid = fork();

	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return pid;
}

/* Return: a child's exit status, or 256 + the signal that killed it; -1 without such a child. */
static inline int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static inline double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec / 1e9;
}

/* Allocate memory that child processes share. */
static inline void *shared_alloc(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

/* Build a packet to the node at @dest whose payload depends on @id. */
static inline int packet_make(unsigned char *packet, size_t bytes, const __u32 dest[3],
			      enum torus_route route, __u32 id)
{
	struct torus_bgl_header header;
	size_t i;

	torus_bgl_header_init(&header, route, dest, 0, bytes);
	for (i = 8; i < bytes; i++)
		packet[i] = (unsigned char)(id * 7 + i);
	memcpy(packet + 8, &id, sizeof(id));
	return torus_bgl_header_build(packet, &header);
}

static inline bool packet_right(const unsigned char *packet, size_t bytes)
{
	size_t i;
	__u32 id;

	memcpy(&id, packet + 8, sizeof(id));
	for (i = 12; i < bytes; i++)
		if (packet[i] != (unsigned char)(id * 7 + i))
			return false;
	return true;
}

/* Return: the number of pages that are pinned at the moment, in the whole system. */
static inline __u64 pinned_pages(void)
{
	unsigned long long value, acquired = 0, released = 0;
	FILE *file = fopen("/proc/sys/vm/stat_refresh", "w");
	char name[80];

	/* add the per-CPU counts first */
	if (file) {
		fputs("1", file);
		fclose(file);
	}
	file = fopen("/proc/vmstat", "r");
	while (file && fscanf(file, "%79s %llu", name, &value) == 2) {
		if (!strcmp(name, "nr_foll_pin_acquired"))
			acquired = value;
		if (!strcmp(name, "nr_foll_pin_released"))
			released = value;
	}
	if (file)
		fclose(file);
	return acquired - released;
}

static inline int fabric_counters(const char *name, struct torus_fabric_counters *counters)
{
	struct torus_nl *nl = torus_nl_new();
	int ret = nl ? torus_nl_connect(nl) : -ENOMEM;

	if (!ret)
		ret = torus_nl_counter_get(nl, name, counters);
	torus_nl_free(nl);
	return ret;
}

#endif /* TORUS_SELFTESTS_DEVICE_H */
