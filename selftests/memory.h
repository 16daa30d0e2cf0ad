/* SPDX-License-Identifier: GPL-2.0 */
/* Register memory, post commands and receive notices through /dev/torus, without libtofucom. */
#ifndef TORUS_SELFTESTS_MEMORY_H
#define TORUS_SELFTESTS_MEMORY_H

#include "device.h"

/* Register memory. Return: 0 or a positive errno. */
static inline int registered(struct torus_context *context, struct torus_ioc_register *ask)
{
	return ioctl(torus_context_fd(context), TORUS_IOC_REGISTER, ask) ? errno : 0;
}

/* Register memory for the engine of FIFO @fifo. Return: the STADD, or ~0 on error. */
static inline __u64 stadd_by(struct torus_context *context, __u32 fifo, void *at, size_t length,
			     __u32 flags, __u32 stag)
{
	struct torus_ioc_register ask = {
		.address = (unsigned long)at, .length = length, .flags = flags, .stag = stag,
		.fifo = fifo,
	};

	return registered(context, &ask) ? ~0ull : ask.stadd;
}

static inline __u64 stadd_of(struct torus_context *context, void *at, size_t length, __u32 flags,
			     __u32 stag)
{
	return stadd_by(context, 0, at, length, flags, stag);
}

static inline int unregistered(struct torus_context *context, __u64 stadd)
{
	const struct torus_ioc_unregister ask = { .stadd = stadd };

	return ioctl(torus_context_fd(context), TORUS_IOC_UNREGISTER, &ask) ? errno : 0;
}

static inline void store_be32(unsigned char *to, __u32 word)
{
	int i;

	for (i = 0; i < 4; i++)
		to[i] = (unsigned char)(word >> (24 - 8 * i));
}

static inline __u32 load_be32(const unsigned char *from)
{
	return (__u32)from[0] << 24 | from[1] << 16 | from[2] << 8 | from[3];
}

/* Post a command to the engine of FIFO @fifo. Return: 0 or -1. */
static inline int post_by(struct torus_context *context, __u32 fifo, __u32 node,
			  const struct torus_tofu_command *command)
{
	unsigned char bytes[96];
	__u32 word;

	if (torus_packet_begin(context, bytes, sizeof(bytes), node, 0, TORUS_ROUTE_ORDERED) < 0)
		return -1;
	word = load_be32(bytes) & ~(TORUS_TOFU_FIFO_MASK << TORUS_TOFU_FIFO_SHIFT);
	store_be32(bytes, word | TORUS_TOFU_FIFO_GATE << TORUS_TOFU_FIFO_SHIFT);
	word = load_be32(bytes + 4) & ~TORUS_TOFU_SW_MASK;
	store_be32(bytes + 4, word | TORUS_TOFU_KIND_COMMAND << TORUS_TOFU_KIND_SHIFT);
	memcpy(bytes + TORUS_TOFU_HEADER_BYTES, command, sizeof(*command));
	if (!torus_inject_packet(context, fifo, bytes, sizeof(bytes), WAIT_MS))
		return 0;
	fprintf(stderr, "# a command: %s\n", torus_error_text());
	return -1;
}

static inline int post(struct torus_context *context, __u32 node,
		       const struct torus_tofu_command *command)
{
	return post_by(context, 0, node, command);
}

/* Receive the next notice of @type and skip others. Return: the code of the notice, or -1. */
static inline int next_notice(struct torus_context *context, __u32 type,
			      struct torus_tofu_notice *notice)
{
	unsigned char bytes[64];
	int ret;

	do {
		ret = torus_receive_packet(context, TORUS_FIFO_ANY, bytes, sizeof(bytes), WAIT_MS);
		if (ret != sizeof(bytes))
			return -1;
		memcpy(notice, bytes + TORUS_TOFU_HEADER_BYTES, sizeof(*notice));
	} while (notice->type != type);
	return notice->code;
}

#endif /* TORUS_SELFTESTS_MEMORY_H */
