/* SPDX-License-Identifier: GPL-2.0 */
/* Access to the registers of your node, and the answers. Do not change this file. */
#ifndef LAB_H
#define LAB_H

#include <stdint.h>

#define LAB_REGISTERS	0x7f	/* registers have the numbers 0x00 .. 0x7e; some do not exist */

/* Directions, as in LAB_NEIGHBOUR and in the registers that exist once for each direction. */
enum lab_direction { LAB_XP, LAB_XM, LAB_YP, LAB_YM, LAB_ZP, LAB_ZM, LAB_DIRECTIONS };

/* Questions for lab_answer(). Coordinates are X << 16 | Y << 8 | Z. */
enum lab_question {
	LAB_NODE = 0,			/* coordinates of your node */
	LAB_NEIGHBOUR = 1,		/* + direction: coordinates of the neighbour */
	LAB_ERRORS = 7,			/* + direction: packets received with a wrong CRC */
	LAB_CLEARED = 13,		/* a register that your read has cleared; repeat */
	LAB_QUESTIONS
};

/* Read a register. Returns 0, or -1 if the register does not exist. */
int lab_read(uint32_t reg, uint32_t *value);

/* Write a register. Returns 0, or -1 if the register does not exist or rejects the value. */
int lab_write(uint32_t reg, uint32_t value);

/* Answer a question. The last answer counts; each answer of LAB_CLEARED adds a register. */
void lab_answer(enum lab_question question, uint32_t value);

/* Your part. Returns when all questions are answered. */
void lab_main(void);

/* Messages between your program and the device. */
enum lab_operation { LAB_OP_READ, LAB_OP_WRITE, LAB_OP_ANSWER };

#define LAB_DEVICE	3	/* file descriptor of the device */

struct lab_request {
	uint32_t operation;
	uint32_t at;
	uint32_t value;
};

struct lab_reply {
	int32_t error;
	uint32_t value;
};

#endif
