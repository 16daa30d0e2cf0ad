/* SPDX-License-Identifier: GPL-2.0 */
/* The module's parameters. */
#ifndef TORUS_DEV_BASE_PARAMS_H
#define TORUS_DEV_BASE_PARAMS_H

#include <linux/types.h>

#define TORUS_RING_CHUNKS_MAX	65536u	/* maximum chunks of an injection or reception ring */

u32 torus_param_spin_us(void);
u32 torus_param_yields(void);
u32 torus_param_poll_ticks(void);
u32 torus_param_threads(void);
unsigned long torus_param_watchdog_jiffies(void);
unsigned long torus_param_drain_jiffies(void);
unsigned long torus_param_virtual_stall_jiffies(void);
u32 torus_param_inject_chunks(void);
u32 torus_param_receive_chunks(void);
u64 torus_param_max_bytes(void);
u64 torus_param_max_user_bytes(void);

#endif
