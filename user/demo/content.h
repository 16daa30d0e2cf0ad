/* SPDX-License-Identifier: GPL-2.0 */
/* Contents and lengths of messages, as functions of phase, sender, receiver and number. */
#ifndef TORUS_DEMO_CONTENT_H
#define TORUS_DEMO_CONTENT_H

#include "demo.h"

__u64 demo_mix(__u64 z);
__u64 demo_now_ns(void);
__u64 content_seed(enum phase phase, __u32 source, __u32 dest, __u32 id);
void content_fill(unsigned char *bytes, __u64 seed, __u32 length);
__u32 content_compare(const unsigned char *bytes, __u64 seed, __u32 length);
__u32 content_mixed_length(__u32 source, __u32 dest, __u32 id, __u32 count);
__u32 content_lap_length(unsigned int lap);

#endif
