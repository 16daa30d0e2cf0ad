/* SPDX-License-Identifier: GPL-2.0 */
/* Descriptors of rings in memory: fields in little-endian order. */
#ifndef TORUS_CORE_PORT_DESCRIPTOR_H
#define TORUS_CORE_PORT_DESCRIPTOR_H

#include "core/platform.h"
#include <linux/torus_port.h>

#define TORUS_PORT_DESCRIPTOR_BYTES	32u

_Static_assert(sizeof(struct torus_port_descriptor) == TORUS_PORT_DESCRIPTOR_BYTES,
	       "a descriptor");

/* Load or store @bytes bytes of a little-endian field, on any processor. */
torus_inline u64 torus_port_little(const void *field, u32 bytes)
{
	const u8 *at = field;
	u64 value = 0;

	while (bytes--)
		value = value << 8 | at[bytes];
	return value;
}

torus_inline void torus_port_little_set(void *field, u32 bytes, u64 value)
{
	u8 *at = field;
	u32 i;

	for (i = 0; i < bytes; i++)
		at[i] = (u8)(value >> 8 * i);
}

torus_inline u64 torus_port_descriptor_address(const struct torus_port_descriptor *d)
{
	return torus_port_little(&d->address, sizeof(d->address));
}

torus_inline u32 torus_port_descriptor_length(const struct torus_port_descriptor *d)
{
	return (u32)torus_port_little(&d->length, sizeof(d->length));
}

#endif
