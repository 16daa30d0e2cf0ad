/* SPDX-License-Identifier: GPL-2.0 */
/* CRC-32 (ISO-HDLC, zlib's) of messages, forwards and backwards. */
#ifndef TORUS_LIB_CRC_H
#define TORUS_LIB_CRC_H

#include <stddef.h>
#include <linux/types.h>

__u32 torus_lib_crc32(__u32 crc, const void *data, size_t bytes);
__u32 torus_lib_crc32_undo(__u32 crc, const void *data, size_t bytes);
__u32 torus_lib_crc32_between(__u32 before, __u32 after);
__u32 torus_lib_crc32_ripple(__u32 word, size_t bytes);
__u32 torus_lib_crc32_unripple(__u32 changed, size_t bytes);

#endif /* TORUS_LIB_CRC_H */
