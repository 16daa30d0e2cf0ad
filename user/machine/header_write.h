/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Helpers for building packet headers: words in network byte order, and error messages for fields
 * that do not fit.
 */
#ifndef TORUS_MACHINE_HEADER_WRITE_H
#define TORUS_MACHINE_HEADER_WRITE_H

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include "machine.h"

static inline uint32_t load_be32(const void *from)
{
	const unsigned char *at = from;

	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static inline void store_be32(void *to, uint32_t word)
{
	unsigned char *at = to;

	at[0] = word >> 24;
	at[1] = word >> 16;
	at[2] = word >> 8;
	at[3] = word;
}

/* Write an error message to @why. Return: -ERANGE. */
static inline int __attribute__((format(printf, 3, 4)))
refuse(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return -ERANGE;
}

#endif /* TORUS_MACHINE_HEADER_WRITE_H */
