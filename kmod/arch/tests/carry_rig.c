// SPDX-License-Identifier: GPL-2.0
/* Files of states in memory. */
#include "arch/tests/carry_rig.h"
#include "core/base/crc.h"
#include "core/tests/rig.h"

static int memory_write(void *file, const void *bytes, u32 n)
{
	struct memory *m = file;

	if (m->n + n > m->room) {
		m->room = 2 * (m->n + n);
		m->bytes = realloc(m->bytes, m->room);
		assert_non_null(m->bytes);
	}
	memcpy(m->bytes + m->n, bytes, n);
	m->n += n;
	return 0;
}

static int memory_read(void *file, void *bytes, u32 n)
{
	struct memory *m = file;
	size_t left = m->n - m->at;

	n = n < left ? n : (u32)left;
	memcpy(bytes, m->bytes + m->at, n);
	m->at += n;
	return (int)n;
}

const struct torus_carrier_ops to_memory = { .write = memory_write };
const struct torus_carrier_ops from_memory = { .read = memory_read };

static u32 crc_of(const void *bytes, size_t n)
{
	return torus_crc32_value(torus_crc32c_update(TORUS_CRC32_INIT, bytes, n));
}

void seal(struct memory *m)
{
	struct head head;
	size_t at;

	for (at = 0; at + sizeof(head) <= m->n; at += sizeof(head) + head.bytes) {
		memcpy(&head, m->bytes + at, sizeof(head));
		if (head.bytes > m->n - at - sizeof(head))
			return;
		head.crc = crc_of(m->bytes + at + sizeof(head), head.bytes);
		head.check = crc_of(&head, offsetof(struct head, check));
		memcpy(m->bytes + at, &head, sizeof(head));
	}
}

struct memory copy_of(const struct memory *from)
{
	struct memory m = { .bytes = malloc(from->n), .n = from->n, .room = from->n };

	assert_non_null(m.bytes);
	memcpy(m.bytes, from->bytes, from->n);
	return m;
}
