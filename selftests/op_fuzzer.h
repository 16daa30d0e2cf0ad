/* SPDX-License-Identifier: GPL-2.0 */
/* Random calls on files of /dev/torus, for sequences.c. */
#ifndef TORUS_SELFTESTS_OP_FUZZER_H
#define TORUS_SELFTESTS_OP_FUZZER_H

#include <stdint.h>
#include "device.h"
#include "random.h"
#include "kselftest_harness.h"

#define FILES		4
#define MAPS		8
#define PAGE		4096u
#define AREA_BYTES	(8 * PAGE)
#define RINGS		128u	/* chunks per ring: one page if a chunk has 32 bytes */

/* The last name is for fabrics that random messages add. */
static const char *const fabrics[] = { "sq0", "sq1", "sq2", "sq3", "sq4", "sqx" };

/**
 * struct op_player - a process that makes random calls
 * @random: state of the random numbers
 * @files: open files, or -1
 * @maps: mappings
 * @writable: per mapping: it may be written to
 * @area: memory to register
 * @stadd: STADD of the last registration
 * @gates: gate IDs of the last allocation
 * @netlink: netlink socket
 * @family: ID of the module's netlink family
 */
struct op_player {
	__u64 random;
	int files[FILES];
	void *maps[MAPS];
	bool writable[MAPS];
	unsigned char *area;
	__u64 stadd;
	__u64 gates[4];
	int netlink;
	__u16 family;
};

static inline __u32 below(struct op_player *p, __u32 end)
{
	return chance_below(&p->random, end);
}

static inline __u64 number(struct op_player *p, __u32 end)
{
	return chance_number(&p->random, end);
}

static inline int a_file(struct op_player *p)
{
	return p->files[below(p, FILES)];
}

static inline const char *a_fabric(struct op_player *p)
{
	return fabrics[below(p, ARRAY_SIZE(fabrics))];
}

/* ------------------------------------------------------------------ files */

static inline void step_open(struct op_player *p)
{
	int *file = &p->files[below(p, FILES)];

	if (*file >= 0)
		close(*file);
	*file = open(DEVICE, (below(p, 8) ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK);
}

static inline void step_close(struct op_player *p)
{
	int *file = &p->files[below(p, FILES)];

	close(*file);
	*file = -1;
}

static inline void step_attach(struct op_player *p)
{
	struct torus_ioc_attach ask = {
		.node = number(p, 8), .group = number(p, 2), .flags = !below(p, 8),
		.inject_chunks = RINGS, .receive_chunks = RINGS, .notices = RINGS,
	};

	snprintf(ask.fabric, sizeof(ask.fabric), "%s", a_fabric(p));
	if (!below(p, 8))
		ask.inject_chunks = number(p, 4096);
	if (!below(p, 8))
		ask.receive_chunks = number(p, 4096);
	if (!below(p, 16))
		chance_fill(&p->random, &ask, sizeof(ask));
	ioctl(a_file(p), TORUS_IOC_ATTACH, &ask);
}

/* Call an ioctl that returns information, with random words after the name of a fabric. */
static inline void step_ask(struct op_player *p)
{
	static const unsigned long asks[] = {
		TORUS_IOC_INFO, TORUS_IOC_LOCATE, TORUS_IOC_FABRIC, TORUS_IOC_GROUPS,
		TORUS_IOC_GATES_OPEN, TORUS_IOC_CAPTURE,
	};
	unsigned long ask = asks[below(p, ARRAY_SIZE(asks))];
	unsigned char bytes[1 << 12];
	__u32 *words = (__u32 *)(bytes + TORUS_NAME_MAX), i;
	struct torus_ioc_groups *groups = (struct torus_ioc_groups *)bytes;

	memset(bytes, 0, sizeof(bytes));
	snprintf((char *)bytes, TORUS_NAME_MAX, "%s", a_fabric(p));
	for (i = 0; i < 6 && below(p, 2); i++)
		words[i] = (__u32)number(p, 8);
	if (ask == TORUS_IOC_GROUPS) {
		groups->count = number(p, 64);
		groups->groups = below(p, 8) ? (uintptr_t)p->area : number(p, 8);
		/* the kernel must not write more groups than the area holds */
		groups->count = groups->count > 64 && groups->groups == (uintptr_t)p->area ? 64 :
				groups->count;
	}
	if (!ioctl(a_file(p), ask, bytes) && ask == TORUS_IOC_CAPTURE) {
		int fd = ((struct torus_ioc_capture *)bytes)->fd;
		int *file = &p->files[below(p, FILES)];

		fcntl(fd, F_SETFL, O_NONBLOCK);
		close(*file);
		*file = fd;
	}
}

static inline void step_register(struct op_player *p)
{
	struct torus_ioc_register ask = {
		.address = (uintptr_t)p->area + number(p, 2 * PAGE), .length = 1 + number(p, PAGE),
		.flags = number(p, 4), .fifo = number(p, 6), .vcq = number(p, 8),
		.stag = number(p, 4),
	};

	/* make the address invalid if engines would write to memory after the area */
	if (ask.address + ask.length > (uintptr_t)p->area + AREA_BYTES)
		ask.address |= 1ull << 63;
	if (!ioctl(a_file(p), TORUS_IOC_REGISTER, &ask))
		p->stadd = ask.stadd;
}

static inline void step_unregister(struct op_player *p)
{
	struct torus_ioc_unregister ask = {
		.stadd = below(p, 4) ? p->stadd : number(p, 8), .fifo = number(p, 6),
		.vcq = number(p, 8),
	};

	ioctl(a_file(p), TORUS_IOC_UNREGISTER, &ask);
}

static inline void step_clock(struct op_player *p)
{
	struct torus_ioc_clock ask = {
		.op = number(p, 2), .wants = number(p, 8), .clock = number(p, 1000),
		.until = number(p, 2000),
	};

	ioctl(a_file(p), TORUS_IOC_CLOCK, &ask);
}

static inline void step_gates(struct op_player *p)
{
	struct torus_gate_setting setting = {
		.gate = p->gates[below(p, 4)], .local_source = p->gates[below(p, 4)],
		.remote_source = below(p, 2) ? TORUS_GATE_NONE : p->gates[below(p, 4)],
		.local_dest = p->gates[below(p, 4)],
		.remote_dest = below(p, 2) ? TORUS_GATE_NONE : p->gates[below(p, 4)],
		.path = below(p, 2) ? TORUS_GATE_PATH_DEFAULT : number(p, 16),
	};
	struct torus_ioc_gates ask = {
		.engine = number(p, 4), .count = number(p, 5), .ids = (uintptr_t)p->gates,
	};
	struct torus_ioc_gates_set set = { .settings = (uintptr_t)&setting, .count = number(p, 2) };
	struct torus_ioc_gate gate = {
		.gate = p->gates[below(p, 4)], .op = number(p, 10), .count = number(p, 7),
	};
	int file = a_file(p);

	/* limit the counts that the module accepts to the length of the arrays */
	if (ask.count > 4 && ask.count <= TORUS_GATES_NODE)
		ask.count = 4;
	if (set.count > 1 && set.count <= TORUS_GATES_NODE)
		set.count = 1;
	switch (below(p, 5)) {
	case 0:
		ioctl(file, TORUS_IOC_GATES_ALLOC, &ask);
		break;
	case 1:
		ask.engine = 0;
		ioctl(file, TORUS_IOC_GATES_FREE, &ask);
		break;
	case 2:
		ioctl(file, TORUS_IOC_GATES_SET, &set);
		break;
	case 3:
		ioctl(file, TORUS_IOC_GATE_START, &gate);
		break;
	default:
		ioctl(file, TORUS_IOC_GATE_POLL, &gate);
	}
}

/* Call a random ioctl number with a random argument. */
static inline void step_ioctl(struct op_player *p)
{
	__u64 r = chance_draw(&p->random);
	__u64 at[128];

	chance_fill(&p->random, at, sizeof(at));
	ioctl(a_file(p), _IOC(r & 3, TORUS_IOC_MAGIC, r >> 2 & 31, r >> 7 & 0x3ff),
	      r >> 20 & 1 ? (void *)(uintptr_t)(r >> 32) : at);
}

static inline void step_doorbell(struct op_player *p)
{
	ioctl(a_file(p), TORUS_IOC_DOORBELL);
}

static inline void step_poll(struct op_player *p)
{
	struct pollfd at = { .fd = a_file(p), .events = POLLIN | POLLOUT | POLLPRI };

	poll(&at, 1, below(p, 4) ? 0 : 2);
}

/* Read from a random file: a capture, or a file that cannot be read. */
static inline void step_read(struct op_player *p)
{
	char bytes[PAGE];

	if (read(a_file(p), bytes, number(p, sizeof(bytes)) % sizeof(bytes)) < 0)
		return;
}

/* Fork a child that rings the doorbell of an inherited file and ends. */
static inline void step_fork(struct op_player *p)
{
	pid_t pid = below(p, 4) ? -1 : fork();

	if (!pid) {
		step_doorbell(p);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

#endif /* TORUS_SELFTESTS_OP_FUZZER_H */
