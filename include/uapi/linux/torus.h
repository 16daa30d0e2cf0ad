/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The ABI of /dev/torus and of the generic netlink family "torus".
 *
 * A fabric is one simulated torus machine.  A program opens /dev/torus, takes
 * one FIFO group of one node with TORUS_IOC_ATTACH, learns the geometry with
 * TORUS_IOC_INFO, and maps
 *
 *   the status page      written by the kernel, read by the program
 *   the control page     written by the program, read by the kernel
 *   injection rings      written by the program: packets it sends
 *   reception rings      written by the kernel: packets it receives
 *   the notice ring      written by the kernel: packets it sent that did not arrive
 *   stamps, arrivals     ticks beside each ring, in virtual time: struct torus_ioc_clock
 *
 * A ring is an array of chunks (32 bytes on Blue Gene/L), its length a power
 * of two.  Indices are free-running u32 counts of chunks; the place in the
 * ring is the index modulo the length, so a packet may wrap at the end.
 *
 *   injection   the program writes chunks and the tail (control page), the
 *               kernel copies them and writes the head (status page)
 *   reception   the kernel writes chunks and the tail (status page), the
 *               program reads them and writes the head (control page)
 *
 * The kernel copies a packet out of the ring once and believes only the copy.
 * A bad packet is refused with a TORUS_REFUSE_* code in the status page and a
 * counter; the FIFO goes on behind it.
 *
 * What becomes of a packet (TORUS_FEATURE_NOTICE).  A packet is known by its injection
 * FIFO and its index: that of its first chunk in that ring, free-running.  A packet
 * that was accepted comes to one of these ends:
 *
 *   delivered    it stands in the reception ring of the context that held the group
 *                when it was injected; what that program does with it is its own
 *   lost         anything else: a struct torus_notice tells its number and the reason
 *
 * status_notice.completed counts the packets that have come to either end.  It counts
 * a broadcast when the last of its copies has ended.  So what a program has
 * sent has arrived when completed is the number of packets accepted
 * (the sum of status_inject.packets) and no notice has come.  Every notice of a
 * packet is in its ring before completed counts the packet, so a program that loads
 * completed (C) and then the ring's tail misses none.  When nothing moves in a fabric
 * everything has been told: a packet that is not counted then waits in the network, for
 * a reader that does not read or for a link.  Ends are told between two runs of the
 * fabric and take no simulated time; the order of notices means nothing, ticks do.
 *
 * When the notice ring is full, status_notice.lost counts what was not told: then any
 * packet of the context that was under way may not have arrived.
 *
 * Doorbell: when a fabric is quiet the engine sleeps with TORUS_STATUS_DOORBELL
 * set in status.flags.  A program that has moved the tail of an injection ring
 * rings TORUS_IOC_DOORBELL only if the flag is set; one that has moved the head of a
 * reception ring only if TORUS_STATUS_HEAD is: a packet waits for room there.  A kernel
 * without TORUS_FEATURE_HEAD is rung for heads, too, where it has set the first.  The call
 * may simulate what was rung for before it returns: TORUS_STATUS_LENT is set with the first where
 * that takes more than a moment.
 *
 * A deleted fabric: the status page's state becomes TORUS_STATE_DEAD; then ioctls
 * answer ENODEV, poll says EPOLLHUP, and the other mappings lead to a page that
 * nobody else sees.
 *
 * The pages are shared without locks.  Every barrier that this needs has a letter
 * here, and the code of either side names the letter where the barrier stands.
 *
 *	producer of a ring              its consumer
 *
 *	if (LOAD.acq head) {    (A)     LOAD.acq tail           (C)
 *		STORE chunks            LOAD chunks
 *		STORE.rel tail  (B)     STORE.rel head          (D)
 *	}
 *
 * (B) pairs with (C): without either, the consumer may see the new tail and load
 * chunks from before it.  (D) pairs with (A): without either, the producer may see
 * the new head and have its stores reach chunks that the consumer has yet to load.
 *
 *	kernel, before it sleeps        program, after it moved an index
 *
 *	STORE flags = DOORBELL          STORE tail or head
 *	full fence              (E)     full fence              (F)
 *	LOAD every tail and head        LOAD flags
 *	sleep if nothing is new         TORUS_IOC_DOORBELL if it is asked for
 *
 * Without (E) or (F) both may load what was before the other's store: the engine
 * sleeps over a packet, and nobody rings.
 *
 *	engine                          poll(2), WAIT, all in the kernel
 *
 *	STORE a ring's index            add to the waiters
 *	full fence              (G)     full fence              (H)
 *	LOAD are there waiters?         LOAD the ring's index
 *
 * Without (G) or (H) the engine sees nobody to wake, and who waits nothing to read.
 *
 *	kernel, deleting a fabric       program
 *
 *	STORE state = DEAD              LOAD indices and chunks
 *	write fence             (I)     read fence              (J)
 *	take the rings away             LOAD state
 *
 * Without (I) or (J) the program takes what stands in for a ring for packets.
 *
 * poll: EPOLLIN when a reception ring holds more than its watermark, and, where the
 * program asks for it in struct torus_control_notice, when it has notices to read or
 * so many packets have ended; EPOLLOUT
 * when a normal injection ring has room for a full packet, or, once the program
 * has written what it wants into some rings' words, when one of those rings has
 * that much; EPOLLPRI while the program has critical interrupts to acknowledge;
 * EPOLLERR when none of these is there, and the fabric has stopped for want of memory.
 *
 * TORUS_IOC_WAIT (TORUS_FEATURE_WAIT) sleeps as poll() does for this file alone, for less.
 *
 * A context is of the process that attached it.  In a child that was forked, or any
 * other process that has got the file, DOORBELL, WAIT and mmap answer ECHILD: there are no
 * mappings there, and two producers of one ring would ruin it.  A file that is not
 * attached yet may be handed on; it sees the fabrics of the network namespace in which
 * it was opened, wherever the process is that uses it.
 *
 * Critical interrupts are the modelled FIFOs': the machine's watermark registers
 * say where they are raised, its interrupt masks whether.  Each is counted in the
 * status page; the program acknowledges by writing the count that it has seen into
 * the control page.
 */
#ifndef _UAPI_LINUX_TORUS_H
#define _UAPI_LINUX_TORUS_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TORUS_ABI_VERSION	1
#define TORUS_NAME_MAX		32	/* bytes of a fabric's name, NUL included */
#define TORUS_DIMS_MAX		10
#define TORUS_INJECT_MAX	16	/* injection FIFOs of a group */
#define TORUS_RECEIVE_MAX	32	/* reception FIFOs of a group */

/* ------------------------------------------------------------------ ioctl */

#define TORUS_ATTACH_PRIORITY	(1u << 0)	/* take the right to inject priority packets */

/**
 * struct torus_ioc_attach - take a FIFO group of a node
 * @fabric: name of the fabric, NUL-terminated
 * @node: number of the node, see struct torus_numbering
 * @group: FIFO group, below what INFO's groups says
 * @flags: TORUS_ATTACH_*; unknown bits are refused
 * @inject_chunks: length of each injection ring in chunks, a power of two;
 *                 0 for the default
 * @receive_chunks: length of each reception ring, likewise
 * @generation: out: generation of the group; packets sent to an earlier owner
 *              are never seen
 * @notices: length of the notice ring in notices, a power of two from TORUS_NOTICES_MIN
 *           to TORUS_NOTICES_MAX; 0 for the default, TORUS_NOTICES
 * @reserved: must be zero
 *
 * A file is attached once: EISCONN when it is already, to whichever group.  EBUSY: another
 * file holds the group.  EACCES: the node is another user's, or nobody's and the fabric's key
 * attach is owner.  ENODEV from other calls, and EPOLLHUP: the fabric was deleted, or an
 * administrator has sent away who is not the node's owner's.
 *
 * After an error the file is as it was before.  One exception: with EFAULT, and only if memory at
 * the argument that was writable is taken away during the call, it is attached.
 */
struct torus_ioc_attach {
	char fabric[TORUS_NAME_MAX];
	__u32 node;
	__u32 group;
	__u32 flags;
	__u32 inject_chunks;
	__u32 receive_chunks;
	__u32 generation;
	__u32 notices;
	__u32 reserved[7];
};

#define TORUS_NOTICES		1024u	/* default length of the notice ring */
#define TORUS_NOTICES_MIN	64u
#define TORUS_NOTICES_MAX	65536u

/**
 * struct torus_numbering - how the nodes of a fabric are numbered
 * @last: highest number that a node has; there may be numbers that none has
 * @reserved: zero
 * @split: where a dimension is cut into pieces of so many coordinates, at least 1
 * @stride: from one coordinate of a piece to the next
 * @jump: from one piece to the next
 *
 * The node at coordinates c has number
 *
 *	sum over d of  c[d] % split[d] * stride[d] + c[d] / split[d] * jump[d]
 *
 * Wherever this ABI names a node (NODE attributes, LINK_PEER, struct torus_pair,
 * ATTACH, LOCATE, INFO) it is by this number.  x fastest without gaps: split[d] is
 * the length of dimension d, stride[d] the product of the lengths before it.
 * Group major, or regions that begin at multiples of 4096, are other values of
 * these.  From a number back: take the strides and jumps of all dimensions from
 * the largest to the smallest, each as often as it goes into what is left, but not
 * oftener than the dimension has coordinates in a piece (or pieces); a remainder,
 * or a coordinate beyond its dimension, is the number of no node.
 */
struct torus_numbering {
	__u32 last;
	__u32 reserved;
	__u32 split[TORUS_DIMS_MAX];
	__u32 stride[TORUS_DIMS_MAX];
	__u32 jump[TORUS_DIMS_MAX];
};

#define TORUS_FEATURE_PRIORITY	(1ull << 0)	/* this context may inject priority packets */
#define TORUS_FEATURE_WANT	(1ull << 1)	/* poll heeds control_inject.want */
#define TORUS_FEATURE_TICKS	(1ull << 2)	/* the status page has busy_since and arrived */
#define TORUS_FEATURE_INTERRUPT	(1ull << 3)	/* interrupts and interrupts_seen; EPOLLPRI */
#define TORUS_FEATURE_NOTICE	(1ull << 4)	/* TORUS_MAP_NOTICE, status_ and control_notice */
#define TORUS_FEATURE_MEMORY	(1ull << 5)	/* TORUS_IOC_REGISTER and _UNREGISTER */
#define TORUS_FEATURE_CLOCK	(1ull << 6)	/* virtual time: TORUS_IOC_CLOCK, stamps, ticks */
#define TORUS_FEATURE_HEAD	(1ull << 7)	/* the flags tell when a head needs the bell */
#define TORUS_FEATURE_WAIT	(1ull << 8)	/* TORUS_IOC_WAIT */

/**
 * struct torus_ioc_info - what the program must know of its context
 *
 * All offsets are bytes.  @status_*_offset are within the status page,
 * @control_*_offset within the control page; the words of FIFO i stand
 * @stride bytes further for each i.
 */
struct torus_ioc_info {
	__u32 abi_version;
	__u32 ndims;
	__u64 features;
	char fabric[TORUS_NAME_MAX];
	char arch[16];
	__u32 dims[TORUS_DIMS_MAX];	/* lengths of the dimensions that coordinates have */
	__u32 mesh;			/* bit i: dimension i is a mesh */
	__u32 coords[TORUS_DIMS_MAX];	/* of this node */
	__u32 nodes;
	__u32 node;
	__u32 group;
	__u32 groups;			/* FIFO groups of a node */
	__u32 generation;
	__u32 chunk_bytes;
	__u32 packet_chunks_max;
	__u32 header_bytes;		/* of a packet: hardware header */
	__u32 inject_fifos;		/* rings TORUS_MAP_INJECT 0 .. n-1 */
	__u32 inject_priority;		/* bit i: FIFO i is the priority one */
	__u32 receive_fifos;
	__u32 receive_priority;
	__u32 inject_chunks;		/* length of each ring */
	__u32 receive_chunks;
	__u32 fifo_chunks;		/* depth of the modelled FIFO behind each ring */
	__u32 page_bytes;		/* length of the status and of the control mapping */
	__u32 reserved0;
	__u64 tick_fs;			/* femtoseconds a tick */
	__u32 status_state_offset;	/* u32 TORUS_STATE_* */
	__u32 status_flags_offset;	/* u32 TORUS_STATUS_* */
	__u32 status_clock_offset;	/* u64 ticks */
	__u32 status_bytes_offset;	/* the machine's status bytes: groups x 16 */
	__u32 status_inject_offset;	/* struct torus_status_inject */
	__u32 status_inject_stride;
	__u32 status_receive_offset;	/* struct torus_status_receive */
	__u32 status_receive_stride;
	__u32 control_inject_offset;	/* struct torus_control_inject */
	__u32 control_inject_stride;
	__u32 control_receive_offset;	/* struct torus_control_receive */
	__u32 control_receive_stride;
	struct torus_numbering numbering;	/* of the fabric's nodes */
	__u32 nshape;			/* lengths in shape */
	__u32 shape[TORUS_DIMS_MAX];	/* as the fabric was asked for; dims is what it became */
	__u32 notices;			/* length of the notice ring; 0: there is none */
	__u32 status_notice_offset;	/* struct torus_status_notice */
	__u32 control_notice_offset;	/* struct torus_control_notice */
	__u32 look_ticks;		/* TORUS_FEATURE_CLOCK: a program's clock moves */
	__u32 inject_packet_ticks;	/* by these: a vain look; each packet and chunk that it */
	__u32 inject_chunk_ticks;	/* injects, that it receives */
	__u32 receive_packet_ticks;
	__u32 receive_chunk_ticks;
	__u32 reserved[9];
};

/* coordinates to a node's number and back, on the context's fabric */
struct torus_ioc_locate {
	__u32 coords[TORUS_DIMS_MAX];
	__u32 node;
	__u32 direction;	/* TORUS_LOCATE_* */
	__u32 reserved[4];
};

#define TORUS_LOCATE_NODE	0	/* coords in, node out */
#define TORUS_LOCATE_COORDS	1	/* node in, coords out */

/**
 * struct torus_ioc_fabric - what everybody may know of a fabric
 * @name: name of the fabric, NUL-terminated; empty: ask for the one at @index, and out:
 *        its name
 * @index: place in the list of fabrics, oldest first, where no name is given
 * @list: out: changes when a fabric comes or goes: who walks the list begins anew
 * @arch: out: the machine, NUL-terminated
 * @ndims: out: number of dimensions
 * @mesh: out: bit i: dimension i is a mesh
 * @dims: out: their lengths
 * @nshape: out: lengths in @shape
 * @shape: out: as the fabric was asked for
 * @numbering: out: of the nodes
 * @nodes: out: number of nodes
 * @groups: out: FIFO groups of a node
 * @inject_fifos: out: injection FIFOs of a group; 0: the machine has none for programs
 * @inject_priority: out: bit i: FIFO i is the priority one
 * @receive_fifos: out: reception FIFOs of a group
 * @receive_priority: out: bit i: FIFO i is the priority one
 * @chunk_bytes: out: bytes of a chunk
 * @packet_chunks_max: out: chunks of the longest packet
 * @fifo_chunks: out: depth of the modelled FIFO behind each ring
 * @inject_chunks: out: length of an injection ring for who does not say
 * @receive_chunks: out: of a reception ring
 * @ring_chunks_max: out: the longest that can be asked for
 * @attached: out: groups that are held; 0 to who may not watch the fabric (its key watch)
 * @state: out: enum torus_fabric_state
 * @hold: out: 1: what comes for a group that nobody holds waits there (no_listener hold);
 *        0: it is lost
 * @traffic: out: 1: a workload of the core's own runs, nobody may attach
 * @tick_fs: out: femtoseconds of a tick
 * @clock: out: ticks now; 0 likewise
 * @reserved: must be zero
 *
 * Needs no right, and no ATTACH: a file that is not attached sees the fabrics of the
 * network namespace in which it was opened; an attached one its own fabric alone, by its
 * name or as number 0.
 *
 * Errors: ENOENT no such fabric, or behind the last; EINVAL a name that does not end, or a
 * reserved field; ENODEV the fabric of an attached file was deleted.
 */
struct torus_ioc_fabric {
	char name[TORUS_NAME_MAX];
	__u32 index;
	__u32 list;
	char arch[16];
	__u32 ndims;
	__u32 mesh;
	__u32 dims[TORUS_DIMS_MAX];
	__u32 nshape;
	__u32 shape[TORUS_DIMS_MAX];
	struct torus_numbering numbering;
	__u32 nodes;
	__u32 groups;
	__u32 inject_fifos;
	__u32 inject_priority;
	__u32 receive_fifos;
	__u32 receive_priority;
	__u32 chunk_bytes;
	__u32 packet_chunks_max;
	__u32 fifo_chunks;
	__u32 inject_chunks;
	__u32 receive_chunks;
	__u32 ring_chunks_max;
	__u32 attached;
	__u32 state;
	__u32 hold;
	__u32 traffic;
	__u32 reserved0;
	__u64 tick_fs;
	__u64 clock;
	__u32 reserved[16];
};

/* struct torus_group.state: may the caller attach to it? */
#define TORUS_GROUP_FREE	0	/* yes */
#define TORUS_GROUP_HELD	1	/* no: another user's program holds it */
#define TORUS_GROUP_MINE	2	/* no: a program of this user holds it */
#define TORUS_GROUP_CLOSING	3	/* yes, after a moment: what a closed file has left in its
					 * rings is still being taken
					 */
#define TORUS_GROUP_FORBIDDEN	4	/* no: the node is another user's, or nobody's where the
					 * fabric's key attach is owner
					 */

#define TORUS_GROUP_DEAD	(1u << 0)	/* flags: the node is dead: its links are off */
#define TORUS_GROUP_PRIORITY	(1u << 1)	/* flags: with TORUS_ATTACH_PRIORITY too */

/**
 * struct torus_group - a FIFO group as the caller of TORUS_IOC_GROUPS finds it
 * @node: number of the node
 * @partition: of the node; packets go between nodes of one partition only; 0 where the node is
 *             neither to be attached to nor watched
 * @group: number of the group
 * @state: TORUS_GROUP_FREE ...
 * @flags: TORUS_GROUP_DEAD ...
 */
struct torus_group {
	__u32 node;
	__u32 partition;
	__u16 group;
	__u8 state;
	__u8 flags;
};

/**
 * struct torus_ioc_groups - the FIFO groups of a fabric
 * @fabric: name of the fabric, NUL-terminated
 * @first: place of the first group that is asked for, from 0: groups are told node by node,
 *         in an order of the fabric's own, in each by number of the group
 * @count: in: room in @groups; out: groups told, fewer when there are no more
 * @groups: address of an array of struct torus_group
 * @holders: address of an array of @count __u32, 0: none.  Out: a number for each group, which
 *           each attachment changes; 0 of a group that the caller may not see
 * @reserved: must be zero
 *
 * What is told is true when it is told: who attaches may find that another was faster.
 *
 * Errors: as of struct torus_ioc_fabric; EFAULT.
 */
struct torus_ioc_groups {
	char fabric[TORUS_NAME_MAX];
	__u32 first;
	__u32 count;
	__u64 groups;
	__u64 holders;
	__u32 reserved[6];
};

/* Memory that engines reach: a STADD is an offset, above it a STag. */
#define TORUS_VCQS		8	/* queues of a FIFO */
#define TORUS_STAGS		256	/* that a program may choose */
#define TORUS_STADD_BITS	40	/* of the offset */

/* What an atomic operation of an engine makes of the old value. */
enum torus_atomic {
	TORUS_ATOMIC_CSWAP,		/* operand, if it is the one that it is compared with */
	TORUS_ATOMIC_SWAP,
	TORUS_ATOMIC_ADD,
	TORUS_ATOMIC_XOR,
	TORUS_ATOMIC_AND,
	TORUS_ATOMIC_OR,
	TORUS_ATOMICS,
};

#define TORUS_REGISTER_READ_ONLY	(1u << 0)	/* other programs may only read it */
#define TORUS_REGISTER_STAG		(1u << 1)	/* with the STag that is asked for */

/**
 * struct torus_ioc_register - let other programs' engines reach memory of this one
 * @address: first byte, of any alignment
 * @length: bytes, at least 1
 * @flags: TORUS_REGISTER_*; unknown bits are refused
 * @fifo: FIFO of the engine by which it is reached
 * @vcq: queue of that
 * @stag: with TORUS_REGISTER_STAG: below TORUS_STAGS; else 0
 * @stadd: out: address of the first byte
 * @reserved: must be zero
 *
 * The memory is pinned, which counts against RLIMIT_MEMLOCK, a page once however often it is
 * registered.  It stays the process's own: a child that is forked has a copy.  It is given back
 * by TORUS_IOC_UNREGISTER, when the file is closed, and when the fabric is deleted.
 *
 * Errors: EOPNOTSUPP the machine has no such engines, or the memory is a shared mapping of a
 * file; EINVAL a length, flag, FIFO, queue, STag or reserved field; EFAULT the memory is not
 * mapped, or not writable (with READ_ONLY: not readable; what is shared must be writable all the
 * same); ENOMEM beyond RLIMIT_MEMLOCK, pages registered again and again more than 8 times that, or
 * no memory; EADDRINUSE the STag is in use on this queue; ENOSPC 16384 are registered; ENOTCONN,
 * ENODEV, ECHILD.
 */
struct torus_ioc_register {
	__u64 address;
	__u64 length;
	__u32 flags;
	__u32 fifo;
	__u32 vcq;
	__u32 stag;
	__u64 stadd;
	__u64 reserved[3];
};

/**
 * struct torus_ioc_unregister - take registered memory back
 * @stadd: as TORUS_IOC_REGISTER gave it
 * @fifo: likewise
 * @vcq: likewise
 * @reserved: must be zero
 *
 * What engines do with it ends at a packet's edge; operations that are not done fail.
 *
 * Errors: ENOENT no such memory is registered on that queue; EINVAL a FIFO, queue or reserved
 * field; ENOTCONN, ENODEV, ECHILD.
 */
struct torus_ioc_unregister {
	__u64 stadd;
	__u32 fifo;
	__u32 vcq;
	__u64 reserved[2];
};

/* What a program in virtual time may do with its clock, and what it may wait for. */
#define TORUS_CLOCK_MOVE	0	/* it has computed: the clock moves */
#define TORUS_CLOCK_WAIT	1	/* likewise, then it looks, and waits if it has to */

#define TORUS_CLOCK_ARRIVAL	(1u << 0)	/* poll's EPOLLIN, of reception rings */
#define TORUS_CLOCK_ROOM	(1u << 1)	/* poll's EPOLLOUT */
#define TORUS_CLOCK_NOTICE	(1u << 2)	/* poll's EPOLLIN, of control_notice */

/**
 * struct torus_ioc_clock - the clock of a program in virtual time
 * @op: TORUS_CLOCK_MOVE or _WAIT
 * @wants: WAIT: TORUS_CLOCK_ARRIVAL ...; 0: it only looks, and goes on at @clock
 * @clock: the program's clock, in ticks; out: what it is now.  An earlier one than the kernel
 *         knows is taken for that
 * @until: WAIT: tick at which it waits no longer, ~0: it waits for ever
 * @got: out: what it waited for and has happened; 0: the time was up
 * @reserved: must be zero
 *
 * With time=virtual, time begins when as many processes have attached as the fabric's `programs`
 * says; all contexts of a process have one clock.  Whoever comes later gets ETIME from ATTACH,
 * until the fabric is reset.  The fabric simulates what is before the least clock of those that
 * compute.  What the status page, rings and notices show is the state at the program's clock when
 * WAIT has come back, and until the next call; at other moments it means nothing.
 *
 * A packet enters its FIFO in the tick that its stamp says: TORUS_MAP_STAMP of its injection ring
 * has a __u64 for each chunk, of which that of a packet's first chunk counts.  It is written
 * before the tail, is not less than the clock that the kernel knows nor than that of the packet
 * before, and not greater than the next clock that the kernel is told: else the packet is refused
 * (TORUS_REFUSE_STAMP).  TORUS_MAP_ARRIVAL likewise has the tick in which a packet's last byte
 * came; what comes in tick t is seen from t + 1 on.
 *
 * A process that waits sleeps, whatever it waits for; one that is interrupted by a signal gets
 * EINTR, and the signal is an event of the world: nothing says at which tick it came.
 *
 * Threads: while a thread sleeps in WAIT, another thread of the process may call WAIT with the same
 * @wants, @clock and @until, and gets the same result.  Every other CLOCK of the process answers
 * EBUSY and changes nothing, on whichever of its contexts.
 *
 * Errors: EOPNOTSUPP time is free; EINVAL an unknown op or bit, a reserved field; ERANGE a clock
 * more than 2^40 ticks behind, or beyond 2^60; EBUSY another thread of the process waits; EIO the
 * fabric has stopped for want of memory, until it is reset; EINTR; ENOTCONN, ENODEV, ECHILD,
 * EFAULT.
 */
struct torus_ioc_clock {
	__u32 op;
	__u32 wants;
	__u64 clock;
	__u64 until;
	__u32 got;
	__u32 reserved[5];
};

/**
 * struct torus_ioc_wait - what the caller of TORUS_IOC_WAIT sleeps for
 * @events: some of EPOLLIN, EPOLLOUT, EPOLLPRI, EPOLLRDNORM and EPOLLWRNORM
 * @timeout_ms: at most so long, and until the kernel's next two timer ticks; 0: not at all; less
 *              than 0: without limit
 *
 * The call answers which of the events there are, 0 when the time is over.  In a program that was
 * stopped and goes on the time begins anew.
 *
 * Errors: EINVAL (@events), EFAULT, EINTR (a signal), ENOTCONN, ECHILD, ENODEV; EIO none of the
 * events is there, and the fabric has stopped for want of memory.
 */
struct torus_ioc_wait {
	__u32 events;
	__s32 timeout_ms;
};

#define TORUS_IOC_MAGIC		0xB6
#define TORUS_IOC_ATTACH	_IOWR(TORUS_IOC_MAGIC, 0x00, struct torus_ioc_attach)
#define TORUS_IOC_INFO		_IOR(TORUS_IOC_MAGIC, 0x01, struct torus_ioc_info)
#define TORUS_IOC_DOORBELL	_IO(TORUS_IOC_MAGIC, 0x02)
#define TORUS_IOC_LOCATE	_IOWR(TORUS_IOC_MAGIC, 0x03, struct torus_ioc_locate)
#define TORUS_IOC_FABRIC	_IOWR(TORUS_IOC_MAGIC, 0x04, struct torus_ioc_fabric)
#define TORUS_IOC_GROUPS	_IOWR(TORUS_IOC_MAGIC, 0x05, struct torus_ioc_groups)
#define TORUS_IOC_REGISTER	_IOWR(TORUS_IOC_MAGIC, 0x06, struct torus_ioc_register)
#define TORUS_IOC_UNREGISTER	_IOW(TORUS_IOC_MAGIC, 0x07, struct torus_ioc_unregister)
#define TORUS_IOC_CLOCK		_IOWR(TORUS_IOC_MAGIC, 0x08, struct torus_ioc_clock)
#define TORUS_IOC_WAIT		_IOW(TORUS_IOC_MAGIC, 0x0a, struct torus_ioc_wait)

/* ---------------------------------------------------------------- capture */

#define TORUS_WIRE_AGAIN	(1u << 0)	/* sent again */
#define TORUS_WIRE_HEADER	(1u << 1)	/* the receiver finds the header's own CRC wrong */
#define TORUS_WIRE_CRC		(1u << 2)	/* it finds the packet's CRC or valid byte wrong */
#define TORUS_WIRE_LOST		(1u << 3)	/* nothing arrives: the link is down */
#define TORUS_WIRE_ESCAPED	(1u << 4)	/* wrong, and no CRC shows it */
#define TORUS_WIRE_INVALID	(1u << 5)	/* forwarded before it was found to be wrong */

/**
 * struct torus_wire - a packet that a link carries
 * @tick: its first byte leaves the node
 * @node: number of the node that sends it over the link
 * @peer: of the one at the other end
 * @src: where the packet comes from
 * @dst: where it goes
 * @seq: its number at its source
 * @link_seq: its sequence number on the link
 * @bytes: header, payload, packet CRC and valid byte (0xff; 0 with TORUS_WIRE_INVALID); where
 *         @crc_bytes is 0 the machine's packets have a payload alone
 * @dir: the link's direction, 0 = x+, 1 = x- ..
 * @vc: the VC of the buffer that it goes to
 * @attempt: 1: sent for the first time; 255: for the 255th or a later
 * @flags: TORUS_WIRE_*
 * @header_bytes: of the machine's header
 * @crc_bytes: of its packet CRC
 * @crc_at: 0: the CRC follows the payload; else where it stands within the header
 * @reserved: zero
 * @arch: name of the machine
 */
struct torus_wire {
	__u64 tick;
	__u32 node;
	__u32 peer;
	__u32 src;
	__u32 dst;
	__u32 seq;
	__u16 link_seq;
	__u16 bytes;
	__u8 dir;
	__u8 vc;
	__u8 attempt;
	__u8 flags;
	__u8 header_bytes;
	__u8 crc_bytes;
	__u8 crc_at;
	__u8 reserved;
	char arch[8];
};

/**
 * struct torus_wire_head - what stands in front of each packet in a file (pcapng, USER0)
 * @version: TORUS_WIRE_VERSION
 * @head_bytes: of all that stands in front of the packet's bytes, this included
 * @tick_fs: femtoseconds a tick
 * @wire: the packet
 *
 * All of it is little endian.  Behind it, up to @head_bytes, are the coordinates of
 * @wire.node, @wire.src and @wire.dst, 16 bits each, a third of what is left to each node; then
 * the packet's @wire.bytes, or as many of them as were asked for.
 */
struct torus_wire_head {
	__u16 version;
	__u16 head_bytes;
	__u32 tick_fs;
	struct torus_wire wire;
};

#define TORUS_WIRE_VERSION	1

#define TORUS_CAPTURE_ANY	(~0u)
#define TORUS_CAPTURE_BUFFER	(4u << 20)	/* bytes, unless others are asked for */
#define TORUS_CAPTURE_BUFFER_MIN	(64u << 10)
#define TORUS_CAPTURE_BUFFER_MAX	(256u << 20)

/**
 * struct torus_ioc_capture - record what links carry
 * @fabric: name of the fabric, NUL-terminated
 * @node: only links of this sender, by its number; TORUS_CAPTURE_ANY: of all
 * @dir: only links in this direction, or TORUS_CAPTURE_ANY
 * @src: only packets from this node, or TORUS_CAPTURE_ANY
 * @dst: only packets to this node, or TORUS_CAPTURE_ANY
 * @bytes: of each packet at most so many; 0: all
 * @buffer: bytes of the buffer, a power of two; 0: TORUS_CAPTURE_BUFFER
 * @fd: out: file descriptor from which the records are read
 * @reserved: must be zero
 *
 * The file that is asked stays what it is, and must not be attached.  A read() of @fd gives whole
 * records, struct torus_capture_record each, waits until there are some, and says 0 when the
 * fabric has been deleted.  What the buffer has no room for is lost, and counted.
 *
 * Errors: EPERM without CAP_NET_ADMIN in the initial user namespace; ENOENT no such fabric;
 * EINVAL a node, direction, length or reserved field; EISCONN the file is attached; ENOSPC beyond
 * max_bytes; ENOMEM; EMFILE; ENODEV the fabric is just being deleted; EFAULT.  read(): EMSGSIZE
 * less than a record fits into what it is given; EAGAIN; EINTR.
 */
struct torus_ioc_capture {
	char fabric[TORUS_NAME_MAX];
	__u32 node;
	__u32 dir;
	__u32 src;
	__u32 dst;
	__u32 bytes;
	__u32 buffer;
	__s32 fd;
	__u32 reserved[9];
};

enum torus_capture_kind {
	TORUS_CAPTURE_PACKET,	/* struct torus_wire, and the packet's bytes */
	TORUS_CAPTURE_MARK,	/* struct torus_capture_mark */
};

/**
 * struct torus_capture_record - what stands in front of a record
 * @bytes: of the record, this included: a multiple of 8
 * @kind: enum torus_capture_kind; what is not known is to be skipped
 * @captured: of a packet: how many of its bytes there are
 */
struct torus_capture_record {
	__u32 bytes;
	__u16 kind;
	__u16 captured;
};

/**
 * struct torus_capture_mark - all that happened before has been recorded, or is lost
 * @clock: ticks; packets in front of the mark come in no order, those behind it leave later
 * @lost: packets since the mark before that the buffer had no room for
 */
struct torus_capture_mark {
	__u64 clock;
	__u64 lost;
};

#define TORUS_IOC_CAPTURE	_IOWR(TORUS_IOC_MAGIC, 0x09, struct torus_ioc_capture)

/* ---------------------------------------------------------- barrier gates */

/*
 * Barrier gates of a node's engines (Tofu): each waits for a signal of another gate of its
 * engine, a packet of a gate anywhere, or both, combines the data that they bring, and signals
 * and sends to its destinations.  The network does that alone.  The first TORUS_GATE_ENDS
 * gates of an engine start and end chains of them; the rest are relays.
 *
 * A gate has a number in the machine, its id: bits 63-61 the engine, 59 c, 58-57 b, 56 a,
 * 55-48 z, 47-40 y, 39-32 x of its node, 5-0 the gate; all others 0.
 *
 * A program opens the device, says with TORUS_IOC_GATES_OPEN of which node's gates it wants
 * some, and allocates, sets, starts and polls them.  It needs no FIFO group: a file has either
 * gates or a group.  Its gates are given back when the file is closed.  They serve the process
 * that opened them: another one, a forked child above all, is answered ECHILD.  Packets of
 * another partition's gates are dropped.
 *
 * When gates of a chain are given back, by FREE or because their process ends or is evicted, their
 * member has left the chain.  This is reported to all other members: POLL of an operation that the
 * member had not ended answers TORUS_GATE_LEFT, and so does POLL of each later one, until the gates
 * are set again.  The same holds for an operation that is started when a member's gate is not
 * allocated, or is set to send elsewhere.  An operation that the member had ended ends as if it
 * were there.
 * In virtual time the gates of a process that has a clock leave with its clock, at the same tick in
 * each run, whichever of its files is closed first; its other gate files answer ENODEV from then
 * on.  Such a process gives gates back at once if it closes their file itself.
 *
 * ALLOC, SET, START and POLL answer 0 or an enum torus_gate_answer; an errno where that says
 * nothing: ENODEV the fabric was deleted, or the gates were taken away, ENOTCONN the file has no
 * gates, EINVAL a reserved field or a count out of range, EFAULT, ENOMEM, also in a full memory
 * cgroup, EDQUOT beyond max_user_bytes, ENOSPC beyond max_bytes, EBUSY a workload of the core's
 * own runs on the fabric, EIO the fabric has stopped, for want of memory (ALLOC, SET, START and
 * POLL).
 */
#define TORUS_GATES		48u	/* of an engine */
#define TORUS_GATES_NODE	384u	/* of a node, at most: as many are set or freed at once */
#define TORUS_GATE_ENDS		16u
#define TORUS_GATE_WORDS	6u	/* integers of a reduction; 3 doubles */
#define TORUS_GATE_QUEUED	4u	/* packets of a gate that may wait to leave its node */
#define TORUS_GATE_NONE		(~0ull)	/* no gate */
#define TORUS_GATE_PATH_DEFAULT	0xffu

enum torus_gate_answer {
	TORUS_GATE_FINE,
	TORUS_GATE_RUNNING,	/* POLL: sources are missing */
	TORUS_GATE_IDLE,	/* POLL: nothing was started */
	TORUS_GATE_BUSY,	/* START: the last result is not taken, or a gate would have more
				 * than TORUS_GATE_QUEUED packets that wait to leave
				 */
	TORUS_GATE_FULL,	/* ALLOC: so many are not free; none is taken */
	TORUS_GATE_BAD_ID,	/* no gate of this file, or a relay where an end is needed */
	TORUS_GATE_BAD_PATH,	/* SET: there is no such path */
	TORUS_GATE_BAD_OP,	/* START: there is no such operation */
	TORUS_GATE_BAD_COUNT,	/* START: not for so many values */
	TORUS_GATE_MISMATCH,	/* POLL: members of the chain disagree on operation or count */
	TORUS_GATE_LOST,	/* POLL: a packet was lost, or made no sense */
	TORUS_GATE_UNSET,	/* START: before SET */
	TORUS_GATE_LEFT,	/* POLL: a member has left the chain: @node says where it was */
};

/* Operations of a reduction. */
enum torus_gate_op {
	TORUS_GATE_BARRIER = 1,	/* no data */
	TORUS_GATE_BAND,
	TORUS_GATE_BOR,
	TORUS_GATE_BXOR,
	TORUS_GATE_MAX,		/* unsigned */
	TORUS_GATE_MAXLOC,	/* pairs of value and index; of equal values the lower index */
	TORUS_GATE_SUM,		/* modulo 2^64 */
	TORUS_GATE_BFPSUM,	/* of doubles, by their bits: the same ones in any order */
};

/**
 * struct torus_ioc_gates_open - this file is for gates of a node
 * @fabric: name of the fabric, NUL-terminated
 * @node: number of the node
 * @engines: out: engines of a node, each with gates of its own
 * @coords: out: the node's coordinates
 * @reserved: must be zero
 *
 * Who may attach to the node may have its gates.  Nothing is allocated yet.
 *
 * Errors: EISCONN the file is attached or has gates; ENOENT no such fabric; EINVAL no such
 * node, a name that does not end, a reserved field; EOPNOTSUPP the machine has no gates;
 * EACCES the node is another user's, or nobody's and the fabric's key attach is owner; EBUSY a
 * workload of the core's own runs there; ENOMEM.
 */
struct torus_ioc_gates_open {
	char fabric[TORUS_NAME_MAX];
	__u32 node;
	__u32 engines;
	__u32 coords[TORUS_DIMS_MAX];
	__u32 reserved[4];
};

/**
 * struct torus_ioc_gates - ALLOC: gates of an engine, all or none; FREE: give gates back
 * @engine: ALLOC: below @engines of GATES_OPEN; FREE: zero
 * @count: ALLOC: 1 to TORUS_GATES; FREE: 1 to TORUS_GATES_NODE
 * @ids: address of @count ids.  ALLOC, out: first one that starts and ends a chain, then
 *       relays.  FREE: none is given back unless all are this file's
 * @reserved: must be zero
 */
struct torus_ioc_gates {
	__u32 engine;
	__u32 count;
	__u64 ids;
	__u32 reserved[4];
};

/**
 * struct torus_gate_setting - what a gate waits for and where it sends
 * @gate: its id
 * @local_source: gate of the same engine whose signal it waits for, or TORUS_GATE_NONE
 * @remote_source: gate whose packet it waits for, or TORUS_GATE_NONE; one of the two is a gate
 * @local_dest: gate of the same engine that it signals, or TORUS_GATE_NONE
 * @remote_dest: gate that it sends a packet to, or TORUS_GATE_NONE
 * @path: that packet's, as in a packet's header, or TORUS_GATE_PATH_DEFAULT
 * @reserved: must be zero
 *
 * Local gates are this file's.
 */
struct torus_gate_setting {
	__u64 gate;
	__u64 local_source;
	__u64 remote_source;
	__u64 local_dest;
	__u64 remote_dest;
	__u32 path;
	__u32 reserved;
};

/**
 * struct torus_ioc_gates_set - set gates, all or none
 * @settings: address of @count struct torus_gate_setting
 * @count: 1 to TORUS_GATES_NODE
 * @reserved: must be zero
 *
 * What a gate held or ran is forgotten.  Members of a chain start it when all have set theirs:
 * a packet for a gate that is not set is dropped.
 */
struct torus_ioc_gates_set {
	__u64 settings;
	__u32 count;
	__u32 reserved[5];
};

/**
 * struct torus_ioc_gate - START: an operation; POLL: take its result
 * @gate: id of a gate that starts and ends a chain
 * @op: enum torus_gate_op; POLL, out
 * @count: of @value; POLL, out
 * @value: integers, or the bits of doubles; POLL, out
 * @node: must be zero; POLL, out, with TORUS_GATE_LEFT: number of the node of the member that left
 * @reserved: must be zero
 */
struct torus_ioc_gate {
	__u64 gate;
	__u32 op;
	__u32 count;
	__u64 value[TORUS_GATE_WORDS];
	__u32 node;
	__u32 reserved[3];
};

#define TORUS_IOC_GATES_OPEN	_IOWR(TORUS_IOC_MAGIC, 0x10, struct torus_ioc_gates_open)
#define TORUS_IOC_GATES_ALLOC	_IOWR(TORUS_IOC_MAGIC, 0x11, struct torus_ioc_gates)
#define TORUS_IOC_GATES_FREE	_IOW(TORUS_IOC_MAGIC, 0x12, struct torus_ioc_gates)
#define TORUS_IOC_GATES_SET	_IOW(TORUS_IOC_MAGIC, 0x13, struct torus_ioc_gates_set)
#define TORUS_IOC_GATE_START	_IOW(TORUS_IOC_MAGIC, 0x14, struct torus_ioc_gate)
#define TORUS_IOC_GATE_POLL	_IOWR(TORUS_IOC_MAGIC, 0x15, struct torus_ioc_gate)

/* ------------------------------------------------------------------- mmap */

/* The mmap offset is a token, not a place: kind in bits 32.., index in 24..31. */
#define TORUS_MAP_STATUS	1	/* PROT_READ, page_bytes */
#define TORUS_MAP_CONTROL	2	/* PROT_READ | PROT_WRITE, page_bytes */
#define TORUS_MAP_INJECT	3	/* PROT_READ | PROT_WRITE, inject_chunks * chunk_bytes */
#define TORUS_MAP_RECEIVE	4	/* PROT_READ, receive_chunks * chunk_bytes */
#define TORUS_MAP_NOTICE	5	/* PROT_READ, notices * sizeof(struct torus_notice) */
#define TORUS_MAP_STAMP		6	/* PROT_READ | PROT_WRITE, inject_chunks * 8: ticks */
#define TORUS_MAP_ARRIVAL	7	/* PROT_READ, receive_chunks * 8: ticks */
/* lengths are rounded up to whole pages */
#define TORUS_MAP_TOKEN(kind, index) \
	(((__u64)(kind) << 32) | ((__u64)(index) << 24))

#define TORUS_STATE_ALIVE	0x41	/* status.state */
#define TORUS_STATE_DEAD	0x44	/* the fabric was deleted */

#define TORUS_STATUS_DOORBELL	(1u << 0)	/* the engine sleeps: ring */
#define TORUS_STATUS_HEAD	(1u << 1)	/* .. when a head was moved, too */
#define TORUS_STATUS_LENT	(1u << 2)	/* it sleeps, but who rang runs the fabric */

/* Why a packet was refused at injection (status_inject.refuse_code). */
enum torus_refuse {
	TORUS_REFUSE_NONE,
	TORUS_REFUSE_SIZE,		/* beyond the tail, or no legal size */
	TORUS_REFUSE_TAIL,		/* the tail is further than the ring is long */
	TORUS_REFUSE_HINTS,		/* both of a dimension, or where there is no link */
	TORUS_REFUSE_DESTINATION,	/* outside the machine */
	TORUS_REFUSE_VC,		/* VC and Dynamic bit do not fit, or no such VC */
	TORUS_REFUSE_PRIORITY,		/* priority without the right, or through the wrong FIFO */
	TORUS_REFUSE_SELF,		/* to this node, with no hint bit set */
	TORUS_REFUSE_DEPOSIT,		/* deposit not on a straight line */
	TORUS_REFUSE_PARTITION,		/* the destination is in another partition */
	TORUS_REFUSE_UNREACHABLE,	/* no hint (mesh edge), or no path around dead nodes */
	TORUS_REFUSE_NO_TABLE,		/* no routing table is loaded */
	TORUS_REFUSE_PATH,		/* no such path or FIFO, or a reserved bit is set */
	TORUS_REFUSE_COMMAND,		/* of an engine: no such operation, length, queue or flag */
	TORUS_REFUSE_STAMP,		/* virtual time: before the clock or an earlier stamp of the
					 * FIFO, or behind the clock
					 */
	TORUS_REFUSE_ISOLATE,		/* `isolate`: a way there may leave the node's partition */
	TORUS_REFUSE_MAX,
};

/**
 * struct torus_status_inject - the kernel's side of an injection ring
 * @head: chunks taken out of the ring
 * @refuse_code: TORUS_REFUSE_* of the last refused packet
 * @refuse_index: chunk index where that packet began
 * @fifo_chunks: chunks in the modelled FIFO, now or a few steps of the fabric ago
 * @refused: packets refused
 * @packets: packets accepted
 * @busy_since: tick when the modelled FIFO last became non-empty
 * @interrupts: critical interrupts: the modelled FIFO fell below its watermark
 * @reserved: zero
 */
struct torus_status_inject {
	__u32 head;
	__u32 refuse_code;
	__u32 refuse_index;
	__u32 fifo_chunks;
	__u64 refused;
	__u64 packets;
	__u64 busy_since;
	__u32 interrupts;
	__u32 reserved;
};

/**
 * struct torus_status_receive - the kernel's side of a reception ring
 * @tail: chunks written into the ring
 * @fifo_chunks: chunks in the modelled FIFO, which wait for room in the ring, now or a few steps
 *               of the fabric ago
 * @packets: packets written into the ring
 * @arrived: tick when the last byte of the packet came that was written last
 * @interrupts: critical interrupts: the modelled FIFO rose above its watermark
 * @reserved: zero
 */
struct torus_status_receive {
	__u32 tail;
	__u32 fifo_chunks;
	__u64 packets;
	__u64 arrived;
	__u32 interrupts;
	__u32 reserved;
};

/**
 * struct torus_status_notice - the kernel's side of the notice ring
 * @tail: notices written into the ring, free-running
 * @reserved: zero
 * @completed: packets accepted from this context that have come to an end
 * @lost: notices for which the ring had no room
 */
struct torus_status_notice {
	__u32 tail;
	__u32 reserved;
	__u64 completed;
	__u64 lost;
};

/**
 * struct torus_control_inject - the program's side of an injection ring
 * @tail: chunks written into the ring
 * @want: poll wakes for writing when this ring has room for so many chunks; 0: it
 *        is not waited for, unless no ring is: see above
 * @interrupts_seen: critical interrupts acknowledged: status_inject.interrupts
 * @reserved: zero
 */
struct torus_control_inject {
	__u32 tail;
	__u32 want;
	__u32 interrupts_seen;
	__u32 reserved;
};

/**
 * struct torus_control_receive - the program's side of a reception ring
 * @head: chunks read from the ring
 * @watermark: poll wakes for reading when more chunks than this wait; 0: any
 * @interrupts_seen: critical interrupts acknowledged: status_receive.interrupts
 * @reserved: zero
 */
struct torus_control_receive {
	__u32 head;
	__u32 watermark;
	__u32 interrupts_seen;
	__u32 reserved;
};

/**
 * struct torus_control_notice - the program's side of the notice ring
 * @head: notices read from the ring
 * @want: TORUS_NOTICE_WANT: poll says EPOLLIN while there are notices to read; 0: it does not
 * @completed: poll says EPOLLIN when status_notice.completed has come to this count; 0: it
 *             does not
 *
 * What poll shall wake for is written before poll is called: who sleeps in it already
 * is not woken by the store.
 */
struct torus_control_notice {
	__u32 head;
	__u32 want;
	__u64 completed;
};

#define TORUS_NOTICE_WANT	(1u << 0)

/* ---------------------------------------------------------------- notices */

/*
 * Why a packet did not arrive (torus_notice.reason): a value below TORUS_DROP_MAX is one of
 * enum torus_drop, NO_LISTENER for a group that nobody held when the packet came and when
 * it was sent; or one of these.
 */
#define TORUS_NOTICE_LEFT	0x40	/* the reader that it was sent to left before it came */
#define TORUS_NOTICE_UNREAD	0x41	/* it was in the modelled reception FIFO of a reader that
					 * left, or whose FIFOs were reset, before there was
					 * room in the ring
					 */
#define TORUS_NOTICE_LINK	0x42	/* it waits where only dead or parked links lead on */
#define TORUS_NOTICE_UNKNOWN	0x43	/* the kernel had no memory, to keep the reasons (with ALL)
					 * or for the fabric to go on until it is reset (with
					 * ALL and WAITS)
					 */
#define TORUS_NOTICE_REFUSED	0x80	/* + enum torus_refuse: it was not accepted */

#define TORUS_NOTICE_COPY	(1u << 0)	/* flags: a broadcast's copy for @node, which
						 * itself goes on
						 */
#define TORUS_NOTICE_ALL	(1u << 1)	/* flags: every packet of the context that had been
						 * accepted and had not ended by then: @fifo, @index
						 * and @dest mean nothing
						 */
#define TORUS_NOTICE_WAITS	(1u << 2)	/* flags: it has not ended and is not completed: it
						 * arrives if what it waits for comes back
						 */

/**
 * struct torus_notice - a packet that did not arrive
 * @fifo: injection FIFO that it was sent through
 * @index: chunk index in that ring where the packet began
 * @reason: enum torus_drop or TORUS_NOTICE_LEFT ...
 * @node: number of the node where it ended
 * @tick: when
 * @dest: number of the node that it was sent to
 * @group: FIFO group there
 * @flags: TORUS_NOTICE_COPY ...
 *
 * A refused packet (REFUSED) is not among those that status_notice.completed counts:
 * status_inject.refused counts it.  Its node and dest are the sender's own.
 */
struct torus_notice {
	__u32 fifo;
	__u32 index;
	__u32 reason;
	__u32 node;
	__u64 tick;
	__u32 dest;
	__u16 group;
	__u16 flags;
};

/* -------------------------------------------------------- packet headers */

/*
 * Blue Gene/L: the first 8 bytes of a packet are two big-endian 32-bit words;
 * bit 0 is the most significant.  An 8-byte software header follows.
 *
 *   word 0  0-6 CSum_Skip, 7 Sk, 8-13 hint bits X+ X- Y+ Y- Z+ Z-, 14 Dp,
 *           15 Pid (FIFO group), 16-18 chunks - 1, 19-20 software's,
 *           21 Dynamic, 22-23 VC, 24-31 destination X
 *   word 1  0-7 destination Y, 8-15 destination Z, 16-23 sequence number,
 *           24-31 header CRC-8 (the last two are the hardware's: ignored and
 *           overwritten)
 */
#define TORUS_BGL_CSUM_SKIP_SHIFT	25
#define TORUS_BGL_CSUM_SKIP_MASK	0x7f
#define TORUS_BGL_SK			(1u << 24)
#define TORUS_BGL_HINTS_SHIFT		18
#define TORUS_BGL_HINTS_MASK		0x3f
#define TORUS_BGL_HINT_XP		0x20
#define TORUS_BGL_HINT_XM		0x10
#define TORUS_BGL_HINT_YP		0x08
#define TORUS_BGL_HINT_YM		0x04
#define TORUS_BGL_HINT_ZP		0x02
#define TORUS_BGL_HINT_ZM		0x01
#define TORUS_BGL_DP			(1u << 17)
#define TORUS_BGL_PID			(1u << 16)
#define TORUS_BGL_CHUNKS_SHIFT		13
#define TORUS_BGL_CHUNKS_MASK		0x7
#define TORUS_BGL_SW_SHIFT		11
#define TORUS_BGL_SW_MASK		0x3
#define TORUS_BGL_DYNAMIC		(1u << 10)
#define TORUS_BGL_VC_SHIFT		8
#define TORUS_BGL_VC_MASK		0x3
#define TORUS_BGL_X_SHIFT		0	/* word 0 */
#define TORUS_BGL_Y_SHIFT		24	/* word 1 */
#define TORUS_BGL_Z_SHIFT		16
#define TORUS_BGL_SEQ_SHIFT		8
#define TORUS_BGL_CRC_SHIFT		0
#define TORUS_BGL_HEADER_BYTES		8
#define TORUS_BGL_SOFTWARE_BYTES	8

enum torus_bgl_vc {
	TORUS_BGL_D0,		/* dynamic */
	TORUS_BGL_D1,		/* dynamic */
	TORUS_BGL_BN,		/* bubble, normal priority: deterministic, and the escape */
	TORUS_BGL_BP,		/* bubble, high priority */
};

/* FIFOs of a group: reception 0..5 = X+ X- Y+ Y- Z+ Z- (the direction in which
 * the packet travelled), 6 high priority; injection 0..2 normal, 3 priority.
 */
#define TORUS_BGL_RECEIVE_FIFOS		7
#define TORUS_BGL_RECEIVE_PRIORITY	6
#define TORUS_BGL_INJECT_FIFOS		4
#define TORUS_BGL_INJECT_PRIORITY	3

/*
 * Cray XT (SeaStar): the header flit's 8 bytes are two big-endian 32-bit words; bit 0 is
 * the most significant.  destination, age, vc and tail are the machine's (Abts et al. (2007),
 * figure 1); the other fields are this project's.
 *
 *   word 0  0-14 destination (NID), 15-25 age, 26-28 VC, 29 tail, 30 FIFO group, 31 zero
 *   word 1  0-3 flits - 1, 4-15 software's, 16-23 sequence number, 24-31 header CRC-8
 *           (age, sequence number and CRC are the hardware's: ignored and overwritten)
 *
 * Software names the class by the VC: 0, or 2 for the second pair of VCs.  The tail bit says
 * that a packet has no other flit.
 */
#define TORUS_XT_DEST_SHIFT		17
#define TORUS_XT_DEST_MASK		0x7fff
#define TORUS_XT_AGE_SHIFT		6
#define TORUS_XT_AGE_MASK		0x7ff
#define TORUS_XT_VC_SHIFT		3
#define TORUS_XT_VC_MASK		0x7
#define TORUS_XT_TAIL			(1u << 2)
#define TORUS_XT_GROUP			(1u << 1)
#define TORUS_XT_RESERVED		(1u << 0)
#define TORUS_XT_FLITS_SHIFT		28	/* word 1 */
#define TORUS_XT_FLITS_MASK		0xf
#define TORUS_XT_SW_SHIFT		16
#define TORUS_XT_SW_MASK		0xfff
#define TORUS_XT_SEQ_SHIFT		8
#define TORUS_XT_CRC_SHIFT		0
#define TORUS_XT_HEADER_BYTES		8

/* FIFOs of a group: one each way for each class. */
#define TORUS_XT_RECEIVE_FIFOS		2
#define TORUS_XT_INJECT_FIFOS		2

/*
 * An entry of a routing table: the port that a packet leaves by, 0..5 in the order x+ x- y+
 * .., 6 the processor's, and the VC of its class on which it enters a dimension.
 */
#define TORUS_XT_PORT			0x07
#define TORUS_XT_VC1			0x08
#define TORUS_XT_PROCESSOR		6
#define TORUS_XT_MISSING		0xff
#define TORUS_XT_PAGE			64	/* entries of a page, pages of a table */

/**
 * struct torus_xt_table - a routing table
 * @page: where the local entries stand, by destination[11:6]: numbers of pages
 * @global: entries by destination[14:12] and, lowest, bit 0
 * @partition: destination[14:12] of the local ones
 * @reserved: must be zero
 */
struct torus_xt_table {
	__u16 page[TORUS_XT_PAGE];
	__u8 global[16];
	__u8 partition;
	__u8 reserved[7];
};

/**
 * struct torus_xt_routes - all tables of a machine, one image
 * @version: TORUS_XT_ROUTES_VERSION
 * @nodes: the machine's
 * @tables: struct torus_xt_table
 * @pages: of TORUS_XT_PAGE entries
 * @dateline: coordinate of each dimension's dateline node, ~0: none
 * @reserved: must be zero
 *
 * Behind it stand, without gaps: a __u32 for each node (x fastest) and input (0..5 the
 * links' ports, 6 the processor's), the number of its table; the tables; the pages.
 */
struct torus_xt_routes {
	__u32 version;
	__u32 nodes;
	__u32 tables;
	__u32 pages;
	__u32 dateline[3];
	__u32 reserved;
};

#define TORUS_XT_ROUTES_VERSION		1

/*
 * Tofu: the header's 16 bytes are four big-endian 32-bit words; bit 0 is the most
 * significant.  The fields are this project's.
 *
 *   word 0  0-7 x, 8-15 y, 16-23 z, 24 a, 25-26 b, 27 c of the destination, 28-30 its
 *           reception FIFO, 31 the low bit of its FIFO group
 *   word 1  0-3 path, 4 order, 5 the high bit of the FIFO group, 6-9 zero, 10-15 chunks - 1,
 *           16-31 software's
 *   word 2  0-15 sequence number, 16-23 zero, 24-31 header CRC-8
 *   word 3  packet CRC-32C
 *           (order, word 2 and word 3 are the hardware's: ignored and overwritten)
 *
 * The path is the relay's a + 2 (b + 3 c), 0..11, or 15: as the fabric's `path` says, or 14: the
 * pair's one, by the relay that stands in its group as the destination does, or 13: of the four
 * or five of a pair that have no link in common, the one that the reception FIFO's number counts
 * to.  Where nodes are dead 13, 14 and 15 are another path if theirs meets one; one that is named
 * is refused.  The reception FIFO is 0..5, or 7: each engine's in turn.  6 is no reception FIFO:
 * software's bits then say by TORUS_TOFU_KIND_SHIFT what it is, and below that an engine at the
 * destination.  A gate's packets and an engine's the hardware alone sends; a command is what a
 * program writes into an injection ring, a notice what it finds in a reception ring.
 */
#define TORUS_TOFU_X_SHIFT		24
#define TORUS_TOFU_Y_SHIFT		16
#define TORUS_TOFU_Z_SHIFT		8
#define TORUS_TOFU_XYZ_MASK		0xff
#define TORUS_TOFU_A_SHIFT		7
#define TORUS_TOFU_B_SHIFT		5
#define TORUS_TOFU_C_SHIFT		4
#define TORUS_TOFU_FIFO_SHIFT		1
#define TORUS_TOFU_FIFO_MASK		0x7
#define TORUS_TOFU_FIFO_GATE		6
#define TORUS_TOFU_FIFO_ANY		7
#define TORUS_TOFU_GROUP		(1u << 0)	/* FIFO groups 1 and 3 */
#define TORUS_TOFU_PATH_SHIFT		28	/* word 1 */
#define TORUS_TOFU_PATH_MASK		0xf
#define TORUS_TOFU_PATH_ANY		15	/* as the fabric's `path` says */
#define TORUS_TOFU_PATH_FIXED		14	/* the one of the pair, whatever `path` says */
#define TORUS_TOFU_PATH_APART		13	/* one for each FIFO: they share no link */
#define TORUS_TOFU_Z_LAST		(1u << 27)
#define TORUS_TOFU_GROUP_HIGH		(1u << 26)	/* FIFO groups 2 and 3 */
#define TORUS_TOFU_RESERVED		(0xfu << 22)
#define TORUS_TOFU_CHUNKS_SHIFT		16
#define TORUS_TOFU_CHUNKS_MASK		0x3f
#define TORUS_TOFU_SW_MASK		0xffff
#define TORUS_TOFU_KIND_SHIFT		8	/* of software's bits, with FIFO 6 */
#define TORUS_TOFU_KIND_GATE		0
#define TORUS_TOFU_KIND_ENGINE		1
#define TORUS_TOFU_KIND_COMMAND		2	/* a struct torus_tofu_command behind the header */
#define TORUS_TOFU_KIND_NOTICE		3	/* a struct torus_tofu_notice */
#define TORUS_TOFU_SEQ_SHIFT		16	/* word 2 */
#define TORUS_TOFU_CRC_SHIFT		0
#define TORUS_TOFU_HEADER_BYTES		16
#define TORUS_TOFU_CRC_AT		12	/* the byte where the packet's CRC begins */

/*
 * FIFO groups of a node, one for each of the four processes that the successor's programs have
 * there, and FIFOs of a group, six each way as its engines (TNIs): of all groups counted
 * through, FIFO i is engine i modulo `tnis`'s.
 */
#define TORUS_TOFU_GROUPS		4
#define TORUS_TOFU_FIFOS		6

/*
 * Tofu's engines write and read the memory of other nodes' programs (TORUS_FEATURE_MEMORY).
 *
 * A program registers memory for one of its queues: an engine, that is the FIFO of its number
 * (see above), and one of TORUS_VCQS queues that the engine tells apart.  It gets a STADD,
 * an address that other programs name together with the node, the FIFO group and the queue:
 * TORUS_STADD_BITS low bits are an offset into the memory, those above its STag, with a
 * generation, so that a STADD of memory that was given back is found to be one.  Offsets may be
 * added up; there is nothing before the first byte nor behind the last.  STags below
 * TORUS_STAGS are the program's to choose, with no generation: such a STADD is
 * (stag << TORUS_STADD_BITS) + offset, in every program.
 *
 * A command is a record of TORUS_TOFU_COMMAND_CHUNKS chunks in the injection ring of the FIFO
 * that leads to the engine: a header of FIFO 6 and TORUS_TOFU_KIND_COMMAND, with the other
 * program's coordinates, FIFO group and path, and behind it a struct torus_tofu_command.  An
 * engine takes them as they stand, up to TORUS_TOFU_COMMANDS at once of a FIFO, besides up to
 * TORUS_TOFU_WAITING of all queues that wait for their session's steps, and behind such ones;
 * what is more stays in the ring.  One that makes no sense is refused, TORUS_REFUSE_COMMAND.
 * Commands do not count in status_notice.completed.
 *
 * Notices come in the reception ring of the first FIFO that the engine has,
 * TORUS_TOFU_NOTICE_CHUNKS chunks each: a header of FIFO 6 and TORUS_TOFU_KIND_NOTICE, and a
 * struct torus_tofu_notice.  Those that find no room wait.  While 512 wait for one of a program's
 * rings, or 3072 for all of them, its own commands do.  An operation of another program that would
 * raise a notice where 3072 wait fails with TORUS_TOFU_OTHER, before its last bytes are written.
 * At most 4096 are kept; a program whose notices were discarded finds a TORUS_NOTICE_ALL in its
 * notice ring.
 *
 * An engine sends the programs that wait for its replies a packet each in turn.  Of one program
 * it keeps up to TORUS_TOFU_GETS gets of which bytes are still to be sent; another one fails with
 * TORUS_TOFU_BUSY.  A program's own engine has at most as many operations open, and takes the next
 * one when one of them is answered: only a program that gets from one engine by several of its
 * own can have more.  When a program has left, its commands, and replies to it, are dropped; a
 * put to it is cut short, and fails with TORUS_TOFU_PEER.
 *
 * Bytes of a command arrive in rising order, and commands of one queue to one other by one path
 * in the order in which they were posted, with their notices.  An operation that fails is told
 * once: by its TCQ notice if it failed here, else by its LCL_ notice, asked for or not; of one
 * that failed here and asked for both, by both.
 */
#define TORUS_TOFU_LENGTH_MAX		16777215
#define TORUS_TOFU_PIGGYBACK_MAX	32
#define TORUS_TOFU_STEPS_MAX		15
#define TORUS_TOFU_COMMANDS		64
#define TORUS_TOFU_WAITING		1024
#define TORUS_TOFU_GETS			64
#define TORUS_TOFU_COMMAND_CHUNKS	3
#define TORUS_TOFU_NOTICE_CHUNKS	2

/* torus_tofu_command.op */
enum torus_tofu_op {
	TORUS_TOFU_NOP,			/* nothing but its TCQ notice */
	TORUS_TOFU_PUT,
	TORUS_TOFU_PIGGYBACK,		/* a put of bytes that stand in the command */
	TORUS_TOFU_GET,
	TORUS_TOFU_ATOMIC,
	TORUS_TOFU_OPS,
};

/* torus_tofu_command.flags */
#define TORUS_TOFU_TELL_TCQ	(1u << 0)	/* a notice when the source may be used again */
#define TORUS_TOFU_TELL_LOCAL	(1u << 1)	/* LCL_*, when the other side has answered */
#define TORUS_TOFU_TELL_REMOTE	(1u << 2)	/* RMT_*, at the other side */
#define TORUS_TOFU_SESSION	(1u << 3)	/* it starts by a step that a put brings */

/**
 * struct torus_tofu_command - what an engine is to do
 * @op: enum torus_tofu_op
 * @atomic: enum torus_atomic
 * @size: of an atomic operation: 4 or 8 bytes
 * @vcq: queue of this program that posts it, below TORUS_VCQS
 * @peer_engine: the other program's engine
 * @peer_vcq: its queue there
 * @edata: told with the notices
 * @steps: of a put: commands of the other queue that it lets start, up to TORUS_TOFU_STEPS_MAX;
 *         steps that nothing waits for are kept
 * @flags: TORUS_TOFU_TELL_TCQ ..
 * @reserved: must be zero
 * @length: bytes of a put or get, 1 to TORUS_TOFU_LENGTH_MAX, a piggyback's at most
 *          TORUS_TOFU_PIGGYBACK_MAX; 0 otherwise
 * @local: STADD here, of @vcq: what a put reads and a get writes; 0 otherwise
 * @remote: STADD there, of @peer_vcq
 * @cookie: told with the TCQ notice
 * @data: of an atomic operation its operand, then what CSWAP compares with, of 4 bytes the low
 *        ones; of a piggyback its bytes
 * @spare: must be zero
 */
struct torus_tofu_command {
	__u8 op;
	__u8 atomic;
	__u8 size;
	__u8 vcq;
	__u8 peer_engine;
	__u8 peer_vcq;
	__u8 edata;
	__u8 steps;
	__u16 flags;
	__u16 reserved;
	__u32 length;
	__u64 local;
	__u64 remote;
	__u64 cookie;
	__u64 data[4];
	__u64 spare;
};

/* torus_tofu_notice.type: the first six are the public interface's numbers */
enum torus_tofu_type {
	TORUS_TOFU_LCL_PUT,
	TORUS_TOFU_RMT_PUT,
	TORUS_TOFU_LCL_GET,
	TORUS_TOFU_RMT_GET,
	TORUS_TOFU_LCL_ATOMIC,
	TORUS_TOFU_RMT_ATOMIC,
	TORUS_TOFU_TCQ,
	TORUS_TOFU_TYPES,
};

/*
 * torus_tofu_notice.code: nothing was written where one but the first is told; of what came to
 * PEER or LOST under way a part, or, where it is the answer that was lost, all.
 */
enum torus_tofu_code {
	TORUS_TOFU_FINE,
	TORUS_TOFU_STADD,		/* no such STag, or given back; a word not aligned */
	TORUS_TOFU_LENGTH,		/* beyond the memory's first or last byte */
	TORUS_TOFU_MEMORY,		/* it is only to be read */
	TORUS_TOFU_PEER,		/* no program there, another one, or another partition */
	TORUS_TOFU_OTHER,		/* too many notices wait there */
	TORUS_TOFU_LOST,		/* a packet of it, or its answer, was lost under way */
	TORUS_TOFU_BUSY,		/* TORUS_TOFU_GETS gets of the program are open there */
	TORUS_TOFU_CODES,
};

/**
 * struct torus_tofu_notice - what an engine tells
 * @type: enum torus_tofu_type
 * @code: enum torus_tofu_code; a long put or get of which the memory was given back under way
 *        may have written a part
 * @remote_code: the code is the other side's
 * @vcq: queue of this program that it is for
 * @peer_engine: the other side's engine
 * @peer_vcq: its queue
 * @peer_group: its FIFO group
 * @edata: as posted
 * @peer_node: number of its node
 * @length: bytes of a put or get, size of an atomic operation
 * @cookie: of a TCQ notice: as posted; else 0
 * @value: LCL_ATOMIC: the value before; else 0
 * @local: STADD at who posted it, just behind the last byte; 0 where there is none
 * @remote: STADD at the other side, just behind the last byte; of an atomic operation its word
 */
struct torus_tofu_notice {
	__u8 type;
	__u8 code;
	__u8 remote_code;
	__u8 vcq;
	__u8 peer_engine;
	__u8 peer_vcq;
	__u8 peer_group;
	__u8 edata;
	__u32 peer_node;
	__u32 length;
	__u64 cookie;
	__u64 value;
	__u64 local;
	__u64 remote;
};

/* ---------------------------------------------------------------- netlink */

#define TORUS_GENL_NAME		"torus"
#define TORUS_GENL_VERSION	1
#define TORUS_GENL_MCGRP_EVENTS	"events"
/*
 * Events of fabrics that not everybody may watch.  Joining needs CAP_NET_ADMIN in the user
 * namespace of the socket's network namespace.  Only in network namespaces of the initial user
 * namespace are events sent.
 */
#define TORUS_GENL_MCGRP_EVENTS_ADMIN	"events-admin"

enum torus_cmd {
	TORUS_CMD_UNSPEC,
	TORUS_CMD_FABRIC_ADD,		/* admin: NAME ARCH DIMS.. PARAM.. [TIED] */
	TORUS_CMD_FABRIC_DEL,		/* admin: NAME */
	TORUS_CMD_FABRIC_GET,		/* do: NAME; dump */
	TORUS_CMD_FABRIC_SET,		/* admin: NAME PARAM.. */
	TORUS_CMD_FABRIC_RESET,		/* admin: NAME */
	TORUS_CMD_NODE_GET,		/* do: NAME NODE; dump: NAME [CHANGED] */
	TORUS_CMD_NODE_SET,		/* admin: NAME NODE UID|PARTITION|NODE_STATE|EVICT */
	TORUS_CMD_REG_GET,		/* do: NAME NODE REG|REG_NAME; dump: NAME [NODE] .. */
	TORUS_CMD_REG_SET,		/* admin: NAME NODE REG VALUE */
	TORUS_CMD_LINK_GET,		/* do: NAME NODE DIR; dump: NAME [NODE] [CHANGED] .. */
	TORUS_CMD_LINK_SET,		/* admin: NAME [NODE] [DIR] FAULT.. (absent = all) */
	TORUS_CMD_LINK_CHECK,		/* dump: NAME: links whose two CRCs differ */
	TORUS_CMD_COUNTER_GET,		/* do: NAME: whole fabric; dump: NAME [NODE]: links */
	TORUS_CMD_COUNTER_RESET,	/* admin: NAME */
	TORUS_CMD_TRAFFIC_START,	/* admin: NAME TRAFFIC [SEED]; resets; no contexts */
	TORUS_CMD_TRAFFIC_GET,		/* do: NAME: progress or result */
	TORUS_CMD_TRAFFIC_STOP,		/* admin: NAME */
	TORUS_CMD_EVENT,		/* notification */
	TORUS_CMD_TRAFFIC_TABLE,	/* admin: NAME VALUE: begin one of so many; NAME PAIRS */
	TORUS_CMD_FAULT_GET,		/* dump: NAME: faults that begin or end at a tick to come */
	TORUS_CMD_CONTEXT_GET,		/* dump: NAME [NODE]: who holds FIFO groups */
	TORUS_CMD_PARAM_GET,		/* dump: ARCH: the parameters of a machine */
	TORUS_CMD_ROUTE_LOAD,		/* admin: NAME VALUE: begin one of so many bytes; ROUTES;
					 * NAME [ROUTES_AT]: that was all
					 */
	TORUS_CMD_ROUTE_GET,		/* do: NAME [VALUE]: tables from that byte on */
	TORUS_CMD_JOB_ADD,		/* admin: NAME JOB MEMBERS [VIEW] */
	TORUS_CMD_JOB_DEL,		/* admin: NAME JOB */
	TORUS_CMD_JOB_GET,		/* do: NAME JOB; dump: NAME: without MEMBERS */
	TORUS_CMD_STATE_SAVE,		/* admin: NAME OPTIONS: keep the state of this tick */
	TORUS_CMD_STATE_GET,		/* admin: NAME [VALUE]: it, from that byte on */
	TORUS_CMD_STATE_PUT,		/* admin: NAME VALUE: begin one of so many bytes;
					 * NAME FABRIC_STATE
					 */
	TORUS_CMD_STATE_LOAD,		/* admin: NAME TRAFFIC: that was all; a fabric as new */
	__TORUS_CMD_MAX,
};

#define TORUS_CMD_MAX (__TORUS_CMD_MAX - 1)

/* Attributes; u32/u64 are native-endian, strings NUL-terminated. */
enum torus_attr {
	TORUS_A_UNSPEC,
	TORUS_A_PAD,
	TORUS_A_FABRIC,			/* string 31: name of a fabric */
	TORUS_A_ARCH,			/* string: the machine, for example bgl */
	TORUS_A_DIMS,			/* binary: u32 x n; ADD: the requested shape, otherwise the
					 * lengths of the dimensions
					 */
	TORUS_A_MESH,			/* u32: bit i: dimension i is a mesh */
	TORUS_A_SEED,			/* u64: of every random stream */
	TORUS_A_DOMAINS,		/* u32: parts that are simulated in parallel */
	TORUS_A_PARAM,			/* nest repeated: one KEY and its VALUE or TEXT */
	TORUS_A_NODE,			/* u32: number of a node, see struct torus_numbering */
	TORUS_A_DIR,			/* u32: direction: 0 = x+, 1 = x-, 2 = y+ .. */
	TORUS_A_GROUP,			/* u32: FIFO group of a node */
	TORUS_A_UID,			/* u32: owner of a node, who may attach to it */
	TORUS_A_PARTITION,		/* u32: partition of a node, within which it reaches others
					 */
	TORUS_A_COORDS,			/* binary: u32 x ndims: coordinates of a node */
	TORUS_A_REG,			/* u32: offset of a register */
	TORUS_A_REG_NAME,		/* string: name of a register */
	TORUS_A_REG_VALUE,		/* u32: contents of a register */
	TORUS_A_REG_FLAGS,		/* u32: TORUS_REG_* */
	TORUS_A_LINK_STATE,		/* u32 0..1: 0 down, 1 up */
	TORUS_A_LINK_BER,		/* u64: bit-error rate in units of 2^-64 */
	TORUS_A_LINK_CORRUPT,		/* u32: the next N packets get a wrong bit */
	TORUS_A_LINK_ESCAPE,		/* u32: the next N packets get an error that CRC-24 misses
					 */
	TORUS_A_LINK_DROP_ACK,		/* u32: the next N acknowledgements are lost */
	TORUS_A_LINK_CORRUPT_ACK,	/* u32: the next N acknowledgements arrive corrupted */
	TORUS_A_LINK_DELAY,		/* u64: extra ticks */
	TORUS_A_LINK_AT,		/* u64: tick when the fault takes effect; absent: now */
	TORUS_A_LINK_FOR,		/* u64: ticks until the fault is undone; absent: never */
	TORUS_A_LINK_PEER,		/* u32: number of the node at the other end */
	TORUS_A_LINK_TX_CRC,		/* u32: the sender's 32-bit link CRC */
	TORUS_A_LINK_RX_CRC,		/* u32: the receiver's 32-bit link CRC */
	TORUS_A_COUNTERS,		/* binary: torus_fabric_counters of a fabric,
					 * torus_link_counters of a link
					 */
	TORUS_A_NODES,			/* u32: nodes of a fabric */
	TORUS_A_MEMORY,			/* u64: bytes that a fabric takes */
	TORUS_A_CONTEXTS,		/* u32: programs attached now */
	TORUS_A_CLOCK,			/* u64: ticks */
	TORUS_A_TICK_FS,		/* u64: femtoseconds per tick */
	TORUS_A_IN_FLIGHT,		/* u64: packets in flight */
	TORUS_A_STATE,			/* u32: enum torus_fabric_state */
	TORUS_A_KEY,			/* string: name of a parameter, inside PARAM */
	TORUS_A_VALUE,			/* u64: value of a parameter, inside PARAM */
	TORUS_A_TEXT,			/* string: value of a parameter (inside PARAM), message of
					 * an event
					 */
	TORUS_A_EVENT,			/* u32: enum torus_event_type */
	TORUS_A_TRAFFIC,		/* binary: struct torus_traffic */
	TORUS_A_RESULT,			/* binary: struct torus_result */
	TORUS_A_DONE,			/* flag: the workload has ended */
	TORUS_A_GENERATION,		/* u32: changes when the set of fabrics does */
	TORUS_A_FIFOS,			/* binary: struct torus_fifo_counters x n, of the FIFOs that
					 * have been used
					 */
	TORUS_A_PAIRS,			/* binary: struct torus_pair x n */
	TORUS_A_LINK_SENDER,		/* u32: enum torus_sender_state; reported: 0 or 1 */
	TORUS_A_NODE_STATE,		/* u32 0..2: enum torus_node_state */
	TORUS_A_VCS,			/* string: names of the VCs, separated by blanks */
	TORUS_A_REG_HELP,		/* string: one line about a register */
	TORUS_A_LINK_ECC_SINGLE,	/* u32: the next N packets read from the link's VC buffers
					 * have one wrong bit
					 */
	TORUS_A_LINK_ECC_DOUBLE,	/* u32: the next N packets have two wrong bits, which is
					 * beyond correction
					 */
	TORUS_A_LINK_PARITY,		/* u32: the next N packets have a wrong parity */
	TORUS_A_LINK_CONTROL,		/* u32: TORUS_LINK_* */
	TORUS_A_SHAPE,			/* binary: u32 x n: the shape as it was requested */
	TORUS_A_NUMBERING,		/* binary: struct torus_numbering */
	TORUS_A_DROPS,			/* string: names of the reasons of drops, in the order of
					 * enum torus_drop, separated by blanks; "-": no such reason
					 */
	TORUS_A_UNIT,			/* string: of a parameter's VALUE, in PARAM; absent: none */
	TORUS_A_LIVE,			/* flag: a living fabric accepts it, inside PARAM */
	TORUS_A_TIED,			/* flag: delete the fabric with the socket that made it */
	TORUS_A_CHANGED,		/* flag: only what differs from the start: nodes with an
					 * owner or a partition, or dead; links with a fault or a
					 * switch; registers of all nodes with another value
					 */
	TORUS_A_LINK_BASE,		/* nest: STATE, BER, DELAY that hold when no fault lasts */
	TORUS_A_BEGUN,			/* flag: the fault is in effect */
	TORUS_A_REG_BOOT,		/* u32: first contents of the register */
	TORUS_A_DEFAULT,		/* string: of a parameter, inside PARAM */
	TORUS_A_VALUES,			/* string: values of a choice, separated by blanks */
	TORUS_A_MINIMUM,		/* u64: least VALUE of a parameter that is a number */
	TORUS_A_MAXIMUM,		/* u64: greatest VALUE */
	TORUS_A_HELP,			/* string: one line about a parameter */
	TORUS_A_PID,			/* u32: of the process, in the reader's namespace */
	TORUS_A_COMMAND,		/* string: name of the process */
	TORUS_A_SIGNAL,			/* u32: signal that killed the process */
	TORUS_A_ROUTES,			/* binary: a part of the image of struct torus_xt_routes */
	TORUS_A_ROUTES_AT,		/* u64: tick from which routers use the tables; absent: the
					 * clock's; reported: the next tick for which tables wait
					 */
	TORUS_A_LINK_DROP_NACK,		/* u32: the next N nacks are lost, where links have them */
	TORUS_A_TNIS,			/* binary: struct torus_tni_counters x n; of a fabric: of
					 * each the sum over all nodes
					 */
	TORUS_A_JOB,			/* string 31: name of a job */
	TORUS_A_VIEW,			/* binary: u32 x n: lengths of a job's axes, the fastest
					 * first
					 */
	TORUS_A_MEMBERS,		/* binary: u32 x n: numbers of a job's nodes, by rank */
	TORUS_A_EVICT,			/* flag: programs at the node that are not its owner's lose
					 * their groups and gates
					 */
	TORUS_A_TIME_HELD,		/* nest: NODE GROUP UID COMMAND PID CLOCK of the program
					 * that virtual time waits for, and in VALUE the
					 * milliseconds since its clock moved; absent: none
					 */
	TORUS_A_FABRIC_STATE,		/* binary: a part of a fabric's state, in the format of
					 * torus-sim's checkpoints
					 */
	TORUS_A_OPTIONS,		/* binary: the options of the run in such a checkpoint, JSON
					 * for torus-sim
					 */
	__TORUS_A_MAX,
};

#define TORUS_A_MAX (__TORUS_A_MAX - 1)

/* Flags of a register: the accesses that it allows. */
#define TORUS_REG_READ_ONLY	(1u << 0)
#define TORUS_REG_READ_CLEARS	(1u << 1)
#define TORUS_REG_WRITE_CLEARS	(1u << 2)	/* ones clear what they name; it reads as 0 */
#define TORUS_REG_RESET_CLEARS	(1u << 3)	/* only a reset of the registers clears it */

/* What a link's sender may do. */
enum torus_sender_state {
	TORUS_SENDER_OFF,		/* it starts no packet: those that want the link wait */
	TORUS_SENDER_ON,
	TORUS_SENDER_DEAD,		/* off, and what it holds, or comes for it, is dropped */
};

/**
 * enum torus_node_state - a node as the machine's software has it
 * @TORUS_NODE_DEAD: the senders of its links, and of those to it, are off
 * @TORUS_NODE_ALIVE: packets come and go
 * @TORUS_NODE_FAILED: dead, and what is in it or on its links is lost, as node_failed
 */
enum torus_node_state {
	TORUS_NODE_DEAD,
	TORUS_NODE_ALIVE,
	TORUS_NODE_FAILED,
};

/* Switches of a link, which registers of its two nodes set, and how its sender stands. */
#define TORUS_LINK_NO_RESEND	(1u << 0)	/* the sender sends nothing again */
#define TORUS_LINK_DEAF		(1u << 1)	/* the receiver takes nothing */
#define TORUS_LINK_LOOPBACK	(1u << 2)	/* the sender feeds its own node */
#define TORUS_LINK_PARKED	(1u << 3)	/* the sender gave up until the state changes */
#define TORUS_LINK_DEAD		(1u << 4)	/* TORUS_SENDER_DEAD */

/* States of a fabric. */
enum torus_fabric_state {
	TORUS_FABRIC_IDLE,		/* nothing in flight */
	TORUS_FABRIC_RUNNING,
	TORUS_FABRIC_WAITING,		/* for readers that do not read, links that are down */
	TORUS_FABRIC_DEADLOCKED,	/* the watchdog found a cycle */
	TORUS_FABRIC_FAILED,		/* out of memory: stopped */
};

/* Events of a fabric. */
enum torus_event_type {
	TORUS_EVENT_FABRIC_ADD,		/* a fabric was created */
	TORUS_EVENT_FABRIC_DEL,		/* a fabric was deleted */
	TORUS_EVENT_FABRIC_SET,		/* parameters were set */
	TORUS_EVENT_FABRIC_RESET,	/* the fabric is back at its first tick */
	TORUS_EVENT_NODE_SET,		/* owner, partition or state of a node changed */
	TORUS_EVENT_REG_SET,		/* a register was written */
	TORUS_EVENT_LINK_SET,		/* faults or the sender of a link were set */
	TORUS_EVENT_LINK_PARKED,	/* a sender waits for the link's state to change */
	TORUS_EVENT_WATCHDOG,		/* deadlock: TEXT names the cycle of waiting VCs */
	TORUS_EVENT_TRAFFIC_DONE,	/* a workload has ended */
	TORUS_EVENT_WATERMARK,		/* critical interrupt: TEXT names the FIFO; NODE GROUP */
	TORUS_EVENT_ERROR,		/* another interrupt: TEXT names its cause; NODE */
	TORUS_EVENT_ATTACH,		/* a program took a group: NODE GROUP COMMAND UID */
	TORUS_EVENT_DETACH,		/* a program left its group; SIGNAL killed it */
	TORUS_EVENT_COUNTER_RESET,	/* the counters were set to 0 */
	TORUS_EVENT_JOB_ADD,		/* a job was placed: TEXT names it */
	TORUS_EVENT_JOB_DEL,		/* a job was ended: TEXT names it */
	TORUS_EVENT_STALL,		/* virtual time stands: TEXT names the program; NODE GROUP
					 * COMMAND UID, or nothing where all programs wait
					 */
};

#define TORUS_VCS_MAX		8	/* VCs reported a link */

/* Why a packet at the head of a VC could not move at an arbitration. */
enum torus_stall {
	TORUS_STALL_TOKEN,		/* the link was free, the VC had no tokens */
	TORUS_STALL_LOST,		/* another packet won the link */
	TORUS_STALL_BUBBLE,		/* room for one packet, but entering the bubble needs two */
	TORUS_STALL_BUS,		/* both transfer buses of the receiver were busy */
	TORUS_STALL_MAX,
};

/* Why a packet was dropped; every drop is counted under one of these. */
enum torus_drop {
	TORUS_DROP_NO_LISTENER,		/* nobody holds the destination's FIFO group */
	TORUS_DROP_HOP_LIMIT,		/* misprogrammed registers sent it round */
	TORUS_DROP_RX_STALL,		/* the reader did not read for rx_stall ticks */
	TORUS_DROP_NO_ROUTE,		/* a header that leads nowhere */
	TORUS_DROP_RESET,		/* the fabric, or the part that held it, was reset */
	TORUS_DROP_ECC,			/* read from a buffer with an error beyond correction */
	TORUS_DROP_LINK_DEAD,		/* held by, or for, a link that was given up */
	TORUS_DROP_NODE_FAILED,		/* in a node that failed, or on its links */
	TORUS_DROP_MACHINE = 8,		/* from here on: the machine's own, see TORUS_A_DROPS */
	TORUS_DROP_MAX = 16,
};

/**
 * struct torus_link_counters - one link, sender's end unless said
 *
 * "[UNIT] help" makes a member of this struct and of the next ones a row of the tables that
 * torusctl, the JSON schema and the manual page share: scripts/uapi.py.
 */
struct torus_link_counters {
	__u64 packets[TORUS_VCS_MAX];	/* by VC: first transmissions */
	__u64 chunks[TORUS_VCS_MAX];	/* by VC */
	__u64 stalls[TORUS_STALL_MAX];	/* by enum torus_stall */
	__u64 busy_ticks;		/* [ticks] the link was busy, resends included */
	__u64 resends;			/* [packets] sent again */
	__u64 acks;			/* [acknowledgements] received */
	__u64 crc_header_errors;	/* [packets] received with a wrong CRC-8 in the header */
	__u64 crc_packet_errors;	/* [packets] received with a wrong CRC-24 */
	__u64 sequence_errors;		/* [packets] discarded by the receiver: out of order */
	__u64 ack_errors;		/* [acknowledgements] lost or corrupted */
	__u64 invalid;			/* [packets] arrived with the valid byte off, discarded */
	__u64 timeouts;			/* [timeouts] no acknowledgement arrived in time */
	__u64 escapes;			/* [errors] injected that CRC-24 does not find */
};

/**
 * struct torus_fifo_counters - a modelled FIFO of a node
 */
struct torus_fifo_counters {
	__u32 group;
	__u32 receive;			/* 1: a reception FIFO, 0: an injection FIFO */
	__u32 fifo;			/* its number in the group */
	__u32 watermark;		/* chunks, see poll */
	__u32 chunks;			/* held now */
	__u32 high_water;		/* most chunks held */
	__u32 checksum;			/* injection: CRC-32 of what it has accepted */
	__u32 interrupts;		/* critical interrupts raised */
	__u64 packets;			/* gone through */
};

#define TORUS_TNIS_MAX		8	/* network interfaces of a node */

/**
 * struct torus_tni_counters - a network interface of a node, where a machine has several (Tofu)
 *
 * Packets are software's, those of operations on memory, and gates', each as many bytes as it
 * has on a link; those to the own node count both ways.  All else is about operations on memory.
 */
struct torus_tni_counters {
	__u64 packets_sent;		/* [packets] into the network, or to the own node */
	__u64 bytes_sent;		/* [bytes] of these packets */
	__u64 packets_received;		/* [packets] undamaged */
	__u64 bytes_received;		/* [bytes] of these packets */
	__u64 commands;			/* [commands] taken from programs */
	__u64 notices;			/* [notices] given to programs */
	__u64 waits;			/* [packets] had to wait for free space to leave */
	__u64 errors;			/* [commands] ended with an error */
	__u64 refused;			/* [operations] of other nodes rejected here */
};

#define TORUS_HIST_BUCKETS	512
#define TORUS_HOPS_MAX		256

/**
 * struct torus_fabric_counters - a whole fabric
 *
 * Latency is from generation (the copy out of the ring, for users' packets) to
 * the last byte received, in ticks.
 */
struct torus_fabric_counters {
	__u64 clock;			/* ticks */
	__u64 tick_fs;			/* femtoseconds per tick */
	__u64 injected;			/* [packets] entered the network */
	__u64 delivered;		/* [packets] received by their destination */
	__u64 dropped[TORUS_DROP_MAX];	/* packets, by enum torus_drop */
	__u64 refused;			/* [packets] rejected at injection */
	__u64 in_flight;		/* [packets] on their way */
	__u64 hops_total;		/* packet-hops done */
	__u64 hops_delivered;		/* hops of the delivered packets */
	__u64 latency_sum;
	__u64 latency_max;
	__u64 events;			/* [events] simulated */
	__u64 resends;			/* [resends] of packets by links */
	__u64 crc_errors;		/* [errors] found by CRCs of links */
	__u64 hash;			/* delivery hash */
	__u64 hops_max;
	__u64 links;			/* [links] of the fabric */
	__u64 links_differ;		/* [links] whose two CRCs differ, at rest */
	__u64 unread;			/* [packets] delivered, but their reader left */
	__u64 reserved[7];
	/* by number of hops 0..31, the last for all beyond: packets, latency sum, max */
	__u64 hop_packets[32];
	__u64 hop_latency_sum[32];
	__u64 hop_latency_max[32];
};

/* Patterns of the core's own workload. */
enum torus_pattern {
	TORUS_PATTERN_UNIFORM,
	TORUS_PATTERN_ALLTOALL,
	TORUS_PATTERN_ALLTOALL_LINE,
	TORUS_PATTERN_ALLTOALL_PLANE,
	TORUS_PATTERN_HOTREGION,
	TORUS_PATTERN_NEIGHBOR,
	TORUS_PATTERN_TRANSPOSE,
	TORUS_PATTERN_BITCOMP,
	TORUS_PATTERN_TORNADO,
	TORUS_PATTERN_LINEFILL,
	TORUS_PATTERN_PLANEFILL,
	TORUS_PATTERN_TABLE,		/* file:NAME: pairs, see struct torus_pair */
	TORUS_PATTERN_BITREV,
	TORUS_PATTERN_SHUFFLE,
	TORUS_PATTERN_PERMUTATION,	/* one at random, of the seed */
	TORUS_PATTERN_STENCIL,
	TORUS_PATTERN_HOTSPOT,
	TORUS_PATTERN_MAX,
};

#define TORUS_HOTS_MAX		64	/* nodes of a hot spot */

/**
 * struct torus_traffic - a workload
 * @pattern: enum torus_pattern
 * @size_min: bytes of a packet that software sees, header included
 * @size_max: the same; sizes are uniform between the two
 * @load: offered load as a fraction of the pattern's peak, in units of 2^-32;
 *        0: closed loop with @packets
 * @packets: closed loop: packets for each source and destination (alltoall*,
 *           hotregion, table), for each root (fills) or for each node
 * @warmup: ticks before the measured window
 * @cycles: ticks of the measured window (open loop)
 * @region: lengths of the hot region
 * @region_at: its lowest corner; of a fill the root: x, of a plane x and y
 * @share: part of the packets that goes to the region or to the hot nodes, in units of 2^-32
 * @arrivals: 0 Poisson, 1 Bernoulli
 * @pacing: closed loop: a node's packets enter at this fraction of the pattern's peak
 *          rate, in units of 2^-32; 0: as fast as its injection FIFOs have room
 * @batches: equal parts of the window whose means tell how sure the whole is; 0: 16
 * @packet_class: class of the packets, on machines whose packets have one; else 0
 * @burst: open loop: packets of a burst in the mean; 0, 1: they come singly
 * @hots: hot nodes
 * @hot: their numbers, see struct torus_numbering
 * @reply: bytes of the packet that each delivered one makes its receiver send back; 0: none
 * @outstanding: with @reply: requests of a node that have no reply yet, at most; 0: any number
 */
struct torus_traffic {
	__u32 pattern;
	__u32 size_min;
	__u32 size_max;
	__u32 arrivals;
	__u64 load;
	__u64 packets;
	__u64 warmup;
	__u64 cycles;
	__u32 region[TORUS_DIMS_MAX];
	__u32 region_at[TORUS_DIMS_MAX];
	__u64 share;
	__u64 batches;
	__u64 pacing;
	__u64 packet_class;
	__u64 burst;
	__u64 hots;
	__u32 hot[TORUS_HOTS_MAX];
	__u64 reply;
	__u64 outstanding;
	__u64 reserved[2];
};

#define TORUS_PAIRS_MAX		(1u << 22)	/* pairs of a table */
#define TORUS_WEIGHT_MAX	1000000u

/**
 * struct torus_pair - a source of a table and one of its destinations
 * @src: number of the source, see struct torus_numbering
 * @dst: of another node
 * @weight: 1 to TORUS_WEIGHT_MAX: how often, beside the table's other pairs, in
 *          open loop; in closed loop all pairs send alike
 * @reserved: must be zero
 */
struct torus_pair {
	__u32 src;
	__u32 dst;
	__u32 weight;
	__u32 reserved;
};

/**
 * struct torus_result - what a workload measured, integers only
 *
 * "Window" is the measured window; ratios are formed by whoever prints them.
 */
struct torus_result {
	__u64 done;			/* 0: still running, 1: ended, 2: deadlocked, or
					 * with nothing in flight: nodes wait for replies
					 * that were lost, 3: failed
					 */
	__u64 clock;			/* ticks now */
	__u64 window_start;
	__u64 window_end;
	__u64 nodes;
	__u64 links;
	__u64 tick_fs;
	__u64 injected;			/* whole run */
	__u64 delivered;
	__u64 dropped;
	__u64 retransmitted;
	__u64 in_flight;
	__u64 hops_total;
	__u64 events;
	__u64 hash;
	__u64 backlog;			/* arrivals that wait at their source at the end */
	/* in the window */
	__u64 win_generated;
	__u64 win_injected;
	__u64 win_delivered;
	__u64 win_latency_sum;
	__u64 win_latency_max;
	__u64 win_latency_p50;
	__u64 win_latency_p99;
	__u64 win_network_latency_sum;	/* from the injection FIFO to the last byte */
	__u64 win_hops_sum;
	__u64 win_hops_max;
	__u64 win_busy[TORUS_DIMS_MAX];	/* link busy ticks by dimension */
	__u64 win_payload_bytes;	/* bytes of payload carried, summed over links */
	__u64 win_population_ticks;	/* integral of the packets in the network over time */
	__u64 win_half_delivered[2];	/* first and second half of the window */
	__u64 win_half_latency[2];
	__u64 dim_links[TORUS_DIMS_MAX];	/* directed links of each dimension */
	__u64 vc_packets[TORUS_VCS_MAX];
	__u64 conservation;		/* 1: injected = delivered + in flight + dropped */
	__u64 tokens;			/* 1: every token accounted for */
	__u64 peak_num;			/* ticks the busiest link or port needs for the ... */
	__u64 peak_den;			/* ... work of the run: see user/report */
	__u64 memory;			/* bytes of the fabric */
	/* chunks that all buffers of a VC hold, mean over the ends of the batches, units of 2^-8 */
	__u64 vc_occupancy[TORUS_VCS_MAX];
	__u64 deposits;			/* copies that broadcasts left on their way, whole run */
	__u64 win_bytes;		/* of the packets delivered in the window */
	/* in the window, of a workload with replies */
	__u64 win_requests;		/* received */
	__u64 win_request_latency_sum;
	__u64 win_request_latency_max;
	__u64 win_replies;		/* received */
	__u64 win_reply_latency_sum;	/* since the request was received */
	__u64 win_reply_latency_max;
	__u64 win_trip_sum;		/* from a request's generation to its reply's last byte */
	__u64 win_trip_max;
	__u64 reserved[6];
};

#endif /* _UAPI_LINUX_TORUS_H */
