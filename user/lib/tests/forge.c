// SPDX-License-Identifier: GPL-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "forge.h"

/**
 * forge_rejected() - check that a packet is rejected: one counter increases, and the library keeps
 * no memory for it
 * @pair: from pair_start()
 * @forge: delivers the packet
 * @forged: the packet
 * @count: counter of @pair that must increase
 */
void forge_rejected(struct pair *pair, forge_t *forge, const struct forged *forged,
		    const __u64 *count)
{
	__u64 before = *count, kept = pair->counts.memory;

	forge(pair, forged);
	assert_int_equal(*count, before + 1);
	assert_int_equal(pair->counts.memory, kept);
}
