/* SPDX-License-Identifier: GPL-2.0 */
/* CRC-32 (ISO-HDLC, zlib's) of messages, forwards and backwards. */
#ifndef TORUS_LIB_CRC_H
#define TORUS_LIB_CRC_H

#include <stddef.h>
#include <stdint.h>

uint32_t torus_lib_crc32(uint32_t crc, const void *data, size_t bytes);
uint32_t torus_lib_crc32_undo(uint32_t crc, const void *data, size_t bytes);
uint32_t torus_lib_crc32_between(uint32_t before, uint32_t after);
uint32_t torus_lib_crc32_ripple(uint32_t word, size_t bytes);
uint32_t torus_lib_crc32_unripple(uint32_t changed, size_t bytes);

#endif /* TORUS_LIB_CRC_H */
