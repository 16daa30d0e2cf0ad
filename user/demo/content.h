/* SPDX-License-Identifier: GPL-2.0 */
/* Contents and lengths of messages, as functions of phase, sender, receiver and number. */
#ifndef TORUS_DEMO_CONTENT_H
#define TORUS_DEMO_CONTENT_H

#include <stdint.h>

#include "demo.h"

__u64 demo_mix(__u64 z);
__u64 demo_now_ns(void);
__u64 content_seed(enum phase phase, uint32_t source, uint32_t dest, uint32_t id);
void content_fill(unsigned char *bytes, __u64 seed, uint32_t length);
uint32_t content_compare(const unsigned char *bytes, __u64 seed, uint32_t length);
uint32_t content_mixed_length(uint32_t source, uint32_t dest, uint32_t id, uint32_t count);
uint32_t content_lap_length(unsigned int lap);

#endif
