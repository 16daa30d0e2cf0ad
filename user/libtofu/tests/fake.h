/* SPDX-License-Identifier: GPL-2.0 */
/* A device without a kernel: one fabric of Tofu, 2x3x4 groups, and answers as told. */
#ifndef TOFU_TESTS_FAKE_H
#define TOFU_TESTS_FAKE_H

#include <linux/torus.h>

/**
 * struct fake - the device
 * @answer: what calls about gates answer
 * @opens: files open
 * @arch: the fabric's machine
 * @setting: the first gate that was set
 * @gate: the operation that was started last, and what is polled
 * @polled: how often gates were polled
 * @room: records that the ring has room for
 * @port: what taking the FIFO group answers
 * @group: the FIFO group that was taken last
 * @posted: records posted
 * @record: the last one
 * @told: notices that come
 * @notice: of these, what each is
 * @registered: pieces of memory that are
 * @clocks: how often the fabric came to the process's clock
 * @vain: of those, behind a look in vain
 * @clock: what that answers
 * @foreign: they are packets of another program, as long as notices
 */
struct fake {
	int answer;
	int opens;
	const char *arch;
	struct torus_gate_setting setting;
	struct torus_ioc_gate gate;
	unsigned int polled;
	unsigned int room;
	int port;
	unsigned int group;
	unsigned int posted;
	unsigned char record[96];
	unsigned int told;
	struct torus_tofu_notice notice;
	int registered;
	unsigned int clocks;
	unsigned int vain;
	unsigned int refused;
	unsigned int tells;
	int clock;
	int foreign;
};

extern struct fake fake;

#endif
