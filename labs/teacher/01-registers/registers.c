// SPDX-License-Identifier: GPL-2.0
/* Solution of lab 1. */
#include "lab.h"

#define NODE		0x02
#define PLUS		0x03
#define MINUS		0x04
#define INPUT_ERRORS	0x6c

static void answer_neighbours(uint32_t node)
{
	uint32_t next, mask;
	int dim, minus;

	for (dim = 0; dim < 3; dim++)
		for (minus = 0; minus < 2; minus++) {
			lab_read(minus ? MINUS : PLUS, &next);
			mask = 0xffu << (16 - 8 * dim);
			lab_answer(LAB_NEIGHBOUR + 2 * dim + minus, (node & ~mask) | (next & mask));
		}
}

/* The numbers that exist, without 00 and 1E, which are only written. */
static int exists(uint32_t reg)
{
	return (reg >= 0x01 && reg <= 0x0e) || (reg >= 0x32 && reg <= 0x54) ||
	       (reg >= 0x5c && reg <= 0x68) || reg >= 0x6c;
}

void lab_main(void)
{
	uint32_t first[LAB_REGISTERS], second, reg;

	for (reg = 0; reg < LAB_REGISTERS; reg++)
		if (exists(reg))
			lab_read(reg, &first[reg]);
	for (reg = 0; reg < LAB_REGISTERS; reg++)
		if (exists(reg) && !lab_read(reg, &second) && second != first[reg])
			lab_answer(LAB_CLEARED, reg);
	for (reg = 0; reg < LAB_DIRECTIONS; reg++)
		lab_answer(LAB_ERRORS + reg, first[INPUT_ERRORS + reg]);
	lab_answer(LAB_NODE, first[NODE]);
	answer_neighbours(first[NODE]);
}
