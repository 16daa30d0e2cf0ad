/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fake device without a kernel: one fabric of Tofu with 2x3x4 groups, and results that the test
 * sets.
 */
#ifndef TOFU_TESTS_FAKE_H
#define TOFU_TESTS_FAKE_H

#include <linux/torus.h>

/**
 * struct fake - the fake device
 * @answer: result of calls about gates and about memory
 * @opens: number of open files
 * @arch: machine of the fabric
 * @setting: first gate that the last call has set
 * @gate: last operation started, and its result
 * @polled: number of polls of gates
 * @free_records: records for which the ring has free space
 * @attach_result: result of attaching to the FIFO group
 * @group: FIFO group of the last attach
 * @posted: number of records posted
 * @record: last record posted
 * @pending: number of notices that tofu_fifo_take() can take
 * @notice: content of each notice
 * @registered: number of memory regions that are registered
 * @clocks: number of waits for the process's clock
 * @vain: number of waits for the clock that followed a poll without result
 * @refused: number of rejected records to report
 * @clock_reports: number of reports of the process's clock
 * @clock: result of a wait for the process's clock
 * @foreign: the notices are packets of another program, of the same length
 */
struct tofu_fake {
	int answer;
	int opens;
	const char *arch;
	struct torus_gate_setting setting;
	struct torus_ioc_gate gate;
	unsigned int polled;
	unsigned int free_records;
	int attach_result;
	unsigned int group;
	unsigned int posted;
	unsigned char record[96];
	unsigned int pending;
	struct torus_tofu_notice notice;
	int registered;
	unsigned int clocks;
	unsigned int vain;
	unsigned int refused;
	unsigned int clock_reports;
	int clock;
	int foreign;
};

extern struct tofu_fake fake;

#endif
