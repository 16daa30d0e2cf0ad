/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tracepoints: packet events that the core reports, with the fields of struct torus_trace_fields;
 * accesses and interrupts of drivers.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM torus

#if !defined(TORUS_DEV_TRACE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define TORUS_DEV_TRACE_TRACE_H

#include <linux/tracepoint.h>

#include "dev/compat/trace.h"
#include "trace_fields.h"

int torus_trace_begin(void);
void torus_trace_end(void);

/* Event of a packet at a node. */
DECLARE_EVENT_CLASS(torus_packet,
	TP_PROTO(const struct torus_trace_fields *t),
	TP_ARGS(t),
	TP_STRUCT__entry(
		__string(fabric, t->fabric)
		__field(u64, tick)
		__field(u32, node)
		__field(u32, src)
		__field(u32, dst)
		__field(u32, seq)
		__field(u32, hops)
		__field(u32, reason)
	),
	TP_fast_assign(
		torus_assign_str(fabric, t->fabric);
		__entry->tick = t->tick;
		__entry->node = t->node;
		__entry->src = t->src;
		__entry->dst = t->dst;
		__entry->seq = t->seq;
		__entry->hops = t->hops;
		__entry->reason = t->reason;
	),
	TP_printk("%s tick=%llu node=%u packet=%u:%u to=%u hops=%u reason=%u",
		  __get_str(fabric), __entry->tick, __entry->node, __entry->src, __entry->seq,
		  __entry->dst, __entry->hops, __entry->reason)
);

/* Event of a packet on a link. */
DECLARE_EVENT_CLASS(torus_link,
	TP_PROTO(const struct torus_trace_fields *t),
	TP_ARGS(t),
	TP_STRUCT__entry(
		__string(fabric, t->fabric)
		__field(u64, tick)
		__field(u32, node)
		__field(u32, dir)
		__field(u32, vc)
		__field(u32, src)
		__field(u32, dst)
		__field(u32, seq)
		__field(u32, hops)
		__field(u32, reason)
	),
	TP_fast_assign(
		torus_assign_str(fabric, t->fabric);
		__entry->tick = t->tick;
		__entry->node = t->node;
		__entry->dir = t->dir;
		__entry->vc = t->vc;
		__entry->src = t->src;
		__entry->dst = t->dst;
		__entry->seq = t->seq;
		__entry->hops = t->hops;
		__entry->reason = t->reason;
	),
	TP_printk("%s tick=%llu node=%u dir=%u vc=%u packet=%u:%u to=%u hops=%u reason=%u",
		  __get_str(fabric), __entry->tick, __entry->node, __entry->dir, __entry->vc,
		  __entry->src, __entry->seq, __entry->dst, __entry->hops, __entry->reason)
);

#define TORUS_TRACE(class, name)					\
	DEFINE_EVENT_FN(class, name,					\
			TP_PROTO(const struct torus_trace_fields *t),		\
			TP_ARGS(t), torus_trace_begin, torus_trace_end)

/* A packet enters an injection FIFO of its source. */
TORUS_TRACE(torus_packet, torus_inject);
/* A packet is granted a link. */
TORUS_TRACE(torus_link, torus_hop);
/* A packet is not granted a free link that it wants; reason: enum torus_stall. */
TORUS_TRACE(torus_link, torus_stall);
/*
 * The receiver finds a wrong CRC; node: the receiver, dir: direction in which the packet travelled.
 */
TORUS_TRACE(torus_link, torus_error);
/* The sender of a link retransmits a packet. */
TORUS_TRACE(torus_link, torus_resend);
/* The last byte of a packet was delivered. */
TORUS_TRACE(torus_packet, torus_deliver);
/* A packet is dropped; reason: enum torus_drop. */
TORUS_TRACE(torus_packet, torus_drop);

/*
 * A driver has accessed a register of a device. The tick is the one that the driver has reached in
 * virtual time; otherwise the one that the fabric has published last.
 */
TRACE_EVENT(torus_port_access,
	TP_PROTO(const char *device, u64 tick, u32 offset, u32 value, bool write),
	TP_ARGS(device, tick, offset, value, write),
	TP_STRUCT__entry(
		__string(device, device)
		__field(u64, tick)
		__field(u32, offset)
		__field(u32, value)
		__field(bool, write)
	),
	TP_fast_assign(
		torus_assign_str(device, device);
		__entry->tick = tick;
		__entry->offset = offset;
		__entry->value = value;
		__entry->write = write;
	),
	TP_printk("%s tick=%llu %s offset=0x%x value=0x%x", __get_str(device), __entry->tick,
		  __entry->write ? "write" : "read", __entry->offset, __entry->value)
);

/* The interrupt of a cause (enum torus_port_cause) is sent to the driver of a device. */
TRACE_EVENT(torus_port_interrupt,
	TP_PROTO(const char *device, u64 tick, u32 cause),
	TP_ARGS(device, tick, cause),
	TP_STRUCT__entry(
		__string(device, device)
		__field(u64, tick)
		__field(u32, cause)
	),
	TP_fast_assign(
		torus_assign_str(device, device);
		__entry->tick = tick;
		__entry->cause = cause;
	),
	TP_printk("%s tick=%llu cause=%u", __get_str(device), __entry->tick, __entry->cause)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
