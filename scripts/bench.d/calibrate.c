// SPDX-License-Identifier: GPL-2.0
/*
 * What this machine does in this minute: dependent arithmetic, and dependent
 * loads from a memory that no cache holds.  Prints the nanoseconds of processor
 * time that one of each takes.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define STEPS	40000000ul
#define LOADS	2000000ul
#define SLOTS	(1ul << 23)	/* of 8 bytes: 64 MiB */
#define NS_PER_S	1e9

static double cpu_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec + now.tv_nsec / NS_PER_S;
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
	return x ^ (x >> 31);
}

int main(void)
{
	uint64_t *slots = malloc(SLOTS * sizeof(*slots));
	uint64_t at = 1;
	unsigned long i;
	double began;

	if (!slots)
		return 1;
	for (i = 0; i < SLOTS; i++)
		slots[i] = i;
	/* Sattolo: one ring through all slots. */
	for (i = SLOTS - 1; i; i--) {
		unsigned long j = mix(i) % i;
		uint64_t other = slots[j];

		slots[j] = slots[i];
		slots[i] = other;
	}

	began = cpu_s();
	for (i = 0; i < STEPS; i++)
		at = mix(at + i);
	printf("%.3f ", (cpu_s() - began) * NS_PER_S / STEPS);
	at %= SLOTS;
	began = cpu_s();
	for (i = 0; i < LOADS; i++)
		at = slots[at];
	printf("%.2f\n", (cpu_s() - began) * NS_PER_S / LOADS);
	free(slots);
	/* Never; but so the loops are not for nothing. */
	return at >= SLOTS;
}
