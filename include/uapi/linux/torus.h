/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The ABI of /dev/torus and of the generic netlink family "torus".
 *
 * A fabric is one simulated torus machine.  A program opens /dev/torus, takes one FIFO group
 * of one node with TORUS_IOC_ATTACH, and reads the geometry with TORUS_IOC_INFO.  Then it maps:
 *
 *   the status page      written by the kernel, read by the program
 *   the control page     written by the program, read by the kernel
 *   injection rings      written by the program: packets that it sends
 *   reception rings      written by the kernel: packets that it receives
 *   the notice ring      written by the kernel: reports of packets that did not arrive
 *   stamps, arrivals     in virtual time, one tick per chunk of each ring: struct torus_ioc_clock
 *
 * A ring is an array of chunks (32 bytes on Blue Gene/L).  Its length is a power of two.
 * Indices are free-running u32 counts of chunks.  The position in the ring is the index modulo
 * the length, so a packet may wrap at the end of the ring.
 *
 *   injection   the program writes chunks and the tail (control page), the
 *               kernel copies them and writes the head (status page)
 *   reception   the kernel writes chunks and the tail (status page), the
 *               program reads them and writes the head (control page)
 *
 * The kernel copies a packet out of the injection ring once, and validates and uses only the
 * copy.  It rejects a bad packet with a TORUS_REFUSE_* code in the status page and counts it.
 * The next packet of the FIFO is processed as usual.  Exception: if the kernel cannot find the end
 * of a bad packet (TORUS_REFUSE_TAIL, TORUS_REFUSE_SIZE), it discards all chunks before the tail.
 *
 * The end of a packet (TORUS_FEATURE_NOTICE).  A packet is identified by its injection FIFO
 * and by the free-running index of its first chunk in that ring.  Every accepted packet ends
 * in one of two ways:
 *
 *   delivered    the packet is in the reception ring of the context that owned the destination
 *                group when the packet was injected, or of the next owner if it had none (key
 *                no_listener=hold); the receiver may or may not read it
 *   lost         any other end: a struct torus_notice reports the packet and the reason
 *
 * status_notice.completed counts the packets that have ended, delivered or lost.  A broadcast is
 * counted when its last copy has ended.  All packets of a program have arrived when completed
 * equals the sum of status_inject.packets, without the commands for engines that these include,
 * and the notice ring has no notice and lost none.  The kernel writes
 * each notice before completed counts its packet.  So a program that loads completed (C) and
 * then the tail of the notice ring misses no notice.
 *
 * When nothing moves in a fabric, every end has been reported.  A packet that is not counted
 * then waits in the network, for a reader that does not read or for a link.  Ends are reported
 * between two runs of the fabric and take no simulated time.  The order of notices has no
 * meaning; their ticks do.
 *
 * If the notice ring overflows, status_notice.lost counts the discarded notices.  Then any
 * packet of the context that was in flight may be lost.
 *
 * Doorbell: when a fabric is idle, the engine sleeps and sets TORUS_STATUS_DOORBELL in
 * status.flags.  A program that has moved the tail of an injection ring calls
 * TORUS_IOC_DOORBELL only if this flag is set.  A program that has moved the head of a
 * reception ring calls it only if TORUS_STATUS_HEAD is set: a packet waits for space in a ring.
 * A kernel without TORUS_FEATURE_HEAD also needs the call after a moved head if
 * TORUS_STATUS_DOORBELL is set.  The doorbell call may run the fabric before it returns.  If
 * that takes more than one step, or continues older work, TORUS_STATUS_INLINE_RUN is set, too.
 *
 * A deleted fabric, or an evicted program: the state becomes TORUS_STATE_DEAD.  From then on ioctls
 * fail with ENODEV and poll returns EPOLLHUP.  The mappings of injection rings and stamps lead to a
 * page that only this context maps; reception rings, arrivals and notices read as zeros.
 *
 * The pages are shared without locks.  Every barrier that this needs has a letter
 * here, and the code of each side names the letter at its barrier.
 *
 *	producer of a ring              its consumer
 *
 *	if (LOAD.acq head) {    (A)     LOAD.acq tail           (C)
 *		STORE chunks            LOAD chunks
 *		STORE.rel tail  (B)     STORE.rel head          (D)
 *	}
 *
 * (B) pairs with (C): without one of them, the consumer may see the new tail and load stale
 * chunks.  (D) pairs with (A): without one of them, the producer may see the new head and
 * overwrite chunks that the consumer has not loaded yet.
 *
 *	kernel, before it sleeps        program, after it moved an index
 *
 *	STORE flags = DOORBELL          STORE tail or head
 *	full fence              (E)     full fence              (F)
 *	LOAD every tail and head        LOAD flags
 *	sleep if nothing is new         TORUS_IOC_DOORBELL if a flag asks for it
 *
 * Without (E) or (F), both sides may load the value from before the other side's store: the
 * engine goes to sleep although a packet waits, and the program does not ring the doorbell.
 *
 *	engine                          poll(2), WAIT, all in the kernel
 *
 *	STORE a ring's index            add to the waiters
 *	full fence              (G)     full fence              (H)
 *	LOAD are there waiters?         LOAD the ring's index
 *
 * Without (G) or (H), the engine finds no waiter to wake, and the waiter finds nothing to read.
 *
 *	kernel, deleting a fabric       program
 *
 *	STORE state = DEAD              LOAD indices and chunks
 *	write fence             (I)     read fence              (J)
 *	take the rings away             LOAD state
 *
 * Without (I) or (J), the program may read the page that replaces a ring, and take its contents
 * for packets.
 *
 * poll(2) returns:
 *
 *   EPOLLIN    if a reception ring has more chunks than its watermark, or no space for a packet of
 *              maximum length.  If struct torus_control_notice asks for it, also if there are
 *              notices to read, or if the requested number of packets has ended
 *   EPOLLOUT   if a normal injection ring has space for a packet of maximum length.  If the
 *              program has set control_inject.want of some rings, if one of those rings has
 *              that much space, or is empty
 *   EPOLLPRI   while the program has critical interrupts to acknowledge
 *   EPOLLERR   if none of these is true, and the fabric has stopped because it has no memory; if
 *              the file is not attached; with EPOLLHUP
 *
 * TORUS_IOC_WAIT (TORUS_FEATURE_WAIT) sleeps like poll(2), but for one file, and costs less.
 *
 * A context belongs to the process that attached it.  In every other process that has the file,
 * such as a forked child, DOORBELL, WAIT, CLOCK, REGISTER, UNREGISTER and mmap fail with ECHILD.
 * Such a process has no mappings, and two producers would corrupt a ring.  When the process that
 * attached the context ends, the kernel gives the FIFO group or the gates back, even if another
 * process has the file.  It also gives the FIFO group back when the process executes another
 * program while the context is mapped.  Packets that are in the rings are sent first, but outside
 * of virtual time for at most drain_ms (module parameter).  The file is then like that of a
 * deleted fabric.  A file that is not attached may be passed to another process.  The file sees
 * the fabrics of the network namespace in which it was opened, whatever the namespace of the
 * process that uses it.
 *
 * Critical interrupts are those of the modelled FIFOs.  The machine's watermark registers
 * define when an interrupt is raised, its interrupt masks define whether.  The status page
 * counts each interrupt.  To acknowledge interrupts, the program writes the count that it has
 * read into the control page.
 */
#ifndef _UAPI_LINUX_TORUS_H
#define _UAPI_LINUX_TORUS_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define TORUS_ABI_VERSION	1
#define TORUS_NAME_MAX		32	/* bytes of a fabric's name, including the NUL */
#define TORUS_DIMS_MAX		10
#define TORUS_INJECT_MAX	16	/* maximum number of injection FIFOs of a group */
#define TORUS_RECEIVE_MAX	32	/* maximum number of reception FIFOs of a group */

/* ------------------------------------------------------------------ ioctl */

#define TORUS_ATTACH_PRIORITY	(1u << 0)	/* request the right to inject priority packets */

/**
 * struct torus_ioc_attach - take a FIFO group of a node
 * @fabric: name of the fabric, NUL-terminated
 * @node: number of the node, see struct torus_numbering
 * @group: FIFO group, less than torus_ioc_info.groups
 * @flags: TORUS_ATTACH_*; unknown bits are rejected
 * @inject_chunks: length of each injection ring in chunks, a power of two from the longest packet
 *                 to torus_ioc_fabric.ring_chunks_max; 0: the default
 * @receive_chunks: length of each reception ring in chunks, as @inject_chunks; 0: the default
 * @generation: [out] generation of the group; a packet that was sent to an earlier owner of
 *              the group is never delivered to this one
 * @notices: length of the notice ring in notices, a power of two from TORUS_NOTICES_MIN
 *           to TORUS_NOTICES_MAX; 0: TORUS_NOTICES
 * @reserved: must be zero
 *
 * Errors:
 * - EISCONN: the file is attached or has gates; a file can be attached only once.
 * - ENOENT: there is no such fabric.
 * - EINVAL: a node, group, flag, length or reserved field is invalid, or the name has no NUL.
 * - EBUSY: another file holds the group, or packets of its last owner were still in its rings after
 *   twice drain_ms; the group is a device of /sys/bus/torus; a synthetic workload runs on the
 *   fabric; or the fabric is paused, and the rings still have packets of the last owner.
 * - EACCES: another user owns the node, or no user owns it and the fabric's key attach is owner.
 * - EPERM: the caller has no right to priority packets.
 * - EOPNOTSUPP: the machine has no FIFOs for programs.
 * - ETIME: virtual time has started, see struct torus_ioc_clock.
 * - EDQUOT, ENOSPC: the module parameter max_user_bytes, or max_bytes, is exceeded.
 * - ENODEV, also from later calls, where poll returns EPOLLHUP: the fabric was deleted, or an
 *   administrator evicted the programs that do not belong to the node's owner.
 * - ENOMEM, EINTR, EFAULT.
 *
 * After an error the file is unchanged, with one exception.  After EFAULT it is attached if the
 * memory of the argument was writable and was unmapped during the call.
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

#define TORUS_NOTICES		1024u	/* default length of the notice ring, in notices */
#define TORUS_NOTICES_MIN	64u
#define TORUS_NOTICES_MAX	65536u

/**
 * struct torus_numbering - how the nodes of a fabric are numbered
 * @last: highest number of a node; a number below it may belong to no node
 * @reserved: zero
 * @split: number of coordinates in each piece that a dimension is cut into, at least 1
 * @stride: difference of the numbers of two neighbours in one piece
 * @jump: difference of the numbers at the same place of two neighbouring pieces
 *
 * The node at coordinates c has number
 *
 *	sum over d of  c[d] % split[d] * stride[d] + c[d] / split[d] * jump[d]
 *
 * In this ABI, the number of a node is this number, for example in attribute NODE, struct
 * torus_pair, ATTACH, LOCATE and INFO.  Example: if x varies fastest and there are no gaps,
 * split[d] is the length of dimension d and stride[d] is the product of the lengths before it.
 * Other values describe group-major numbers, or regions that begin at multiples of 4096.
 *
 * To convert a number back to coordinates, take the strides of dimensions whose pieces have at
 * least two coordinates, and the jumps of dimensions that have at least two pieces.  The others may
 * be 0.  Sort them by size, largest first.  Divide the number by the first of them, the remainder
 * by the second, and so on.  A quotient is at most the number of coordinates of a piece (for a
 * stride), or of pieces (for a jump), minus 1.  If the division gives more, use this maximum; the
 * rest is the remainder.  The number belongs to no node if a remainder is left at the end, or if a
 * coordinate is not less than the length of its dimension.
 */
struct torus_numbering {
	__u32 last;
	__u32 reserved;
	__u32 split[TORUS_DIMS_MAX];
	__u32 stride[TORUS_DIMS_MAX];
	__u32 jump[TORUS_DIMS_MAX];
};

#define TORUS_FEATURE_PRIORITY	(1ull << 0)	/* this context may inject priority packets */
#define TORUS_FEATURE_WANT	(1ull << 1)	/* poll uses control_inject.want */
#define TORUS_FEATURE_TICKS	(1ull << 2)	/* the status page has busy_since and arrived */
#define TORUS_FEATURE_INTERRUPT	(1ull << 3)	/* critical interrupts: interrupts_seen, EPOLLPRI */
#define TORUS_FEATURE_NOTICE	(1ull << 4)	/* notice ring: TORUS_MAP_NOTICE */
#define TORUS_FEATURE_MEMORY	(1ull << 5)	/* memory: TORUS_IOC_REGISTER, _UNREGISTER */
#define TORUS_FEATURE_CLOCK	(1ull << 6)	/* virtual time: TORUS_IOC_CLOCK */
#define TORUS_FEATURE_HEAD	(1ull << 7)	/* the kernel sets TORUS_STATUS_HEAD */
#define TORUS_FEATURE_WAIT	(1ull << 8)	/* there is TORUS_IOC_WAIT */

/**
 * struct torus_ioc_info - geometry of an attached context
 *
 * All offsets are in bytes.  status_*_offset is an offset in the status page, control_*_offset in
 * the control page.  The words of FIFO i are at the offset plus i times the stride.
 */
struct torus_ioc_info {
	__u32 abi_version;
	__u32 ndims;
	__u64 features;
	char fabric[TORUS_NAME_MAX];
	char arch[16];
	__u32 dims[TORUS_DIMS_MAX];	/* length of each dimension of the coordinates */
	__u32 mesh;			/* bit i: dimension i is a mesh */
	__u32 coords[TORUS_DIMS_MAX];	/* coordinates of this node */
	__u32 nodes;
	__u32 node;
	__u32 group;
	__u32 groups;			/* FIFO groups of a node */
	__u32 generation;
	__u32 chunk_bytes;
	__u32 packet_chunks_max;
	__u32 header_bytes;		/* length of a packet's hardware header */
	__u32 inject_fifos;		/* number of rings TORUS_MAP_INJECT */
	__u32 inject_priority;		/* bit i: FIFO i is the priority one */
	__u32 receive_fifos;
	__u32 receive_priority;
	__u32 inject_chunks;		/* length of each injection ring */
	__u32 receive_chunks;
	__u32 fifo_chunks;		/* capacity of the modelled FIFO of each ring */
	__u32 page_bytes;		/* length of the status and of the control mapping */
	__u32 reserved0;
	__u64 tick_fs;			/* femtoseconds per tick */
	__u32 status_state_offset;	/* u32 TORUS_STATE_* */
	__u32 status_flags_offset;	/* u32 TORUS_STATUS_* */
	__u32 status_clock_offset;	/* u64 ticks */
	__u32 status_bytes_offset;	/* the machine's status bytes, 16 per FIFO group */
	__u32 status_inject_offset;	/* struct torus_status_inject */
	__u32 status_inject_stride;
	__u32 status_receive_offset;	/* struct torus_status_receive */
	__u32 status_receive_stride;
	__u32 control_inject_offset;	/* struct torus_control_inject */
	__u32 control_inject_stride;
	__u32 control_receive_offset;	/* struct torus_control_receive */
	__u32 control_receive_stride;
	struct torus_numbering numbering;	/* how the fabric's nodes are numbered */
	__u32 nshape;			/* number of lengths in shape */
	__u32 shape[TORUS_DIMS_MAX];	/* shape as it was requested; dims is derived from it */
	__u32 notices;			/* length of the notice ring; 0: no notice ring */
	__u32 status_notice_offset;	/* struct torus_status_notice */
	__u32 control_notice_offset;	/* struct torus_control_notice */
	__u32 look_ticks;		/* virtual time: ticks of a poll without result */
	__u32 inject_packet_ticks;	/* virtual time: ticks to inject a packet */
	__u32 inject_chunk_ticks;	/* virtual time: ticks to inject a chunk */
	__u32 receive_packet_ticks;	/* virtual time: ticks to receive a packet */
	__u32 receive_chunk_ticks;	/* virtual time: ticks to receive a chunk */
	__u32 reserved[9];
};

/* Convert coordinates to a node number or back, on the context's fabric. */
struct torus_ioc_locate {
	__u32 coords[TORUS_DIMS_MAX];
	__u32 node;
	__u32 direction;	/* TORUS_LOCATE_* */
	__u32 reserved[4];
};

#define TORUS_LOCATE_NODE	0	/* coordinates to node number */
#define TORUS_LOCATE_COORDS	1	/* node number to coordinates */

/**
 * struct torus_ioc_fabric - public properties of a fabric
 * @name: [in, out] name of the fabric, NUL-terminated; empty: use @index, and return the name
 * @index: position in the list of fabrics, oldest first; used if @name is empty
 * @list: [out] number that changes when a fabric is created or deleted; then a program that walks
 *        the list must start again; 0 for a file that is attached or has gates
 * @arch: [out] the machine, NUL-terminated
 * @ndims: [out] number of dimensions
 * @mesh: [out] bit i: dimension i is a mesh
 * @dims: [out] lengths of the dimensions
 * @nshape: [out] number of lengths in @shape
 * @shape: [out] shape as it was requested
 * @numbering: [out] how the nodes are numbered
 * @nodes: [out] number of nodes
 * @groups: [out] FIFO groups of a node
 * @inject_fifos: [out] injection FIFOs of a group; 0: programs cannot attach to this machine
 * @inject_priority: [out] bit i: injection FIFO i is the priority one
 * @receive_fifos: [out] reception FIFOs of a group
 * @receive_priority: [out] bit i: reception FIFO i is the priority one
 * @chunk_bytes: [out] bytes of a chunk
 * @packet_chunks_max: [out] chunks of the longest packet
 * @fifo_chunks: [out] capacity of the modelled FIFO of each ring, in chunks
 * @inject_chunks: [out] default length of an injection ring, in chunks
 * @receive_chunks: [out] default length of a reception ring, in chunks
 * @ring_chunks_max: [out] maximum length of a ring, in chunks
 * @attached: [out] number of owned FIFO groups; 0 if the caller may not watch the fabric (its
 *            key watch)
 * @state: [out] enum torus_fabric_state
 * @hold: [out] 1: a packet for a group without an owner waits there (no_listener hold); 0: it is
 *        lost
 * @traffic: [out] 1: a synthetic workload runs, and no program may attach
 * @tick_fs: [out] femtoseconds per tick
 * @clock: [out] current tick; 0 if the caller may not watch the fabric
 * @reserved: must be zero
 *
 * The call needs no right and no ATTACH.  A file that is not attached sees the fabrics of the
 * network namespace in which it was opened.  A file that is attached or has gates sees only its
 * own fabric, by its name or as index 0.
 *
 * Errors: ENOENT there is no such fabric, or @index is past the last; EINVAL the name has no NUL,
 * or a reserved field is not zero; ENODEV the fabric was deleted; EINTR, EFAULT.
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

/* torus_group.state: may the caller attach to the group? */
#define TORUS_GROUP_FREE	0	/* yes */
#define TORUS_GROUP_HELD	1	/* no: a program of another user owns the group */
#define TORUS_GROUP_MINE	2	/* no: a program of the same user owns the group */
#define TORUS_GROUP_CLOSING	3	/* soon: the kernel still sends the packets
					 * that a closed file, or a process that has
					 * ended, left in its rings
					 */
#define TORUS_GROUP_FORBIDDEN	4	/* no: another user owns the node, or no user
					 * owns it and the fabric's key attach is owner
					 */
#define TORUS_GROUP_DRIVER	5	/* no: the group is a device of /sys/bus/torus, with a
					 * driver or without
					 */

#define TORUS_GROUP_DEAD	(1u << 0)	/* flags: the node is dead, its links are off */
#define TORUS_GROUP_PRIORITY	(1u << 1)	/* flags: TORUS_ATTACH_PRIORITY is allowed */

/**
 * struct torus_group - state of a FIFO group, as seen by the caller of TORUS_IOC_GROUPS
 * @node: number of the node
 * @partition: partition of the node; packets travel only inside a partition; 0 if the caller may
 *             neither attach to the node nor watch it
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
 * struct torus_ioc_groups - list the FIFO groups of a fabric
 * @fabric: name of the fabric, NUL-terminated
 * @first: position of the first group to return, from 0; the list is ordered by node, in an order
 *         that the fabric defines, then by number of the group
 * @count: [in] capacity of @groups; [out] number of groups returned, fewer at the end of the list
 * @groups: address of an array of struct torus_group
 * @holders: address of an array of @count __u32, or 0.  [out] a number per group that changes
 *           when an owner attaches or leaves; 0 for a group that never had an owner, or that the
 *           caller may not see
 * @reserved: must be zero
 *
 * The list is a snapshot: another program may take a group before the caller attaches to it.
 *
 * Errors: ENOMEM, and those of struct torus_ioc_fabric; EINVAL also for an empty name.
 */
struct torus_ioc_groups {
	char fabric[TORUS_NAME_MAX];
	__u32 first;
	__u32 count;
	__u64 groups;
	__u64 holders;
	__u32 reserved[6];
};

/*
 * Registered memory, which engines can access.  A STADD (address) has an offset in its low bits,
 * and a STag (number of the registration) in the bits above.
 */
#define TORUS_VCQS		8	/* number of queues of a program at an engine */
#define TORUS_STAGS		256	/* a program may choose a STag below this */
#define TORUS_STADD_BITS	40	/* bits of the offset in a STADD */

/* New value that an atomic operation of an engine stores in memory. */
enum torus_atomic {
	TORUS_ATOMIC_CSWAP,		/* the operand if the old value equals the comparand */
	TORUS_ATOMIC_SWAP,
	TORUS_ATOMIC_ADD,
	TORUS_ATOMIC_XOR,
	TORUS_ATOMIC_AND,
	TORUS_ATOMIC_OR,
	TORUS_ATOMICS,
};

#define TORUS_REGISTER_READ_ONLY	(1u << 0)	/* other programs may only read it */
#define TORUS_REGISTER_STAG		(1u << 1)	/* use the STag in the request */

/**
 * struct torus_ioc_register - let the engines of other programs access memory of this one
 * @address: first byte, with any alignment
 * @length: bytes, at least 1
 * @flags: TORUS_REGISTER_*; unknown bits are rejected
 * @fifo: injection FIFO whose engine accesses the memory
 * @vcq: queue at that engine
 * @stag: with TORUS_REGISTER_STAG: a number less than TORUS_STAGS; otherwise 0
 * @stadd: [out] STADD of the first byte
 * @reserved: must be zero
 *
 * The kernel pins the memory and counts it against RLIMIT_MEMLOCK.  A page counts once for each
 * file of the device, however often it is registered.  Private memory stays private: a forked child
 * has its own copy.  The memory is unpinned by TORUS_IOC_UNREGISTER, when the file is closed, when
 * the process that attached the context ends, when the program is evicted, and when the fabric is
 * deleted.
 *
 * Errors:
 * - EOPNOTSUPP: the machine has no such engines, or the memory is a shared mapping of a file that
 *   is neither in a tmpfs nor of huge pages.
 * - EINVAL: a length, flag, FIFO, queue, STag or reserved field is invalid.
 * - EFAULT: the memory is not mapped, or not writable.  With TORUS_REGISTER_READ_ONLY private
 *   memory needs to be readable only; shared memory must be writable.
 * - ENOMEM: RLIMIT_MEMLOCK is exceeded, the pages of all registrations add up to more than 8 times
 *   that limit, or the kernel has no memory.  CAP_IPC_LOCK lifts both limits.
 * - EADDRINUSE: the STag is in use on this queue.
 * - ENOSPC: the file has registered 16384 pieces of memory.
 * - ENOTCONN, ENODEV, ECHILD, EINTR.
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
 * struct torus_ioc_unregister - end the access of engines to registered memory
 * @stadd: STADD that TORUS_IOC_REGISTER returned
 * @fifo: injection FIFO of the registration, or another one of the same engine
 * @vcq: queue at that engine
 * @reserved: must be zero
 *
 * Engines finish the packet that they process; operations that are not complete then fail.
 *
 * Errors: ENOENT no such memory is registered on that queue; EINVAL a FIFO, queue or reserved
 * field is invalid; EOPNOTSUPP the machine has no such engines; ENOTCONN, ENODEV, ECHILD, EFAULT.
 */
struct torus_ioc_unregister {
	__u64 stadd;
	__u32 fifo;
	__u32 vcq;
	__u64 reserved[2];
};

/* Operations of TORUS_IOC_CLOCK, and the events that a program in virtual time can wait for. */
#define TORUS_CLOCK_MOVE	0	/* advance the clock by computation */
#define TORUS_CLOCK_WAIT	1	/* advance the clock, then wait for an event */

#define TORUS_CLOCK_ARRIVAL	(1u << 0)	/* EPOLLIN of poll, for reception rings */
#define TORUS_CLOCK_ROOM	(1u << 1)	/* EPOLLOUT of poll */
#define TORUS_CLOCK_NOTICE	(1u << 2)	/* EPOLLIN of poll, for control_notice */

/**
 * struct torus_ioc_clock - the clock of a program in virtual time
 * @op: TORUS_CLOCK_MOVE or TORUS_CLOCK_WAIT
 * @wants: for WAIT: TORUS_CLOCK_ARRIVAL ...; 0: only synchronize, and continue at @clock
 * @clock: [in, out] the program's clock in ticks; an earlier tick than the kernel knows is
 *         replaced by the one that the kernel knows
 * @until: for WAIT: tick at which the wait times out; ~0: never
 * @got: [out] events of @wants that happened; 0: the wait timed out
 * @reserved: must be zero
 *
 * In a fabric with time=virtual, time starts when as many processes have attached as the
 * fabric's key `programs` says.  A process has one clock for all its contexts.  After the start,
 * ATTACH fails with ETIME until the fabric is reset, except in a process that has a context and has
 * not called CLOCK yet.  The fabric simulates all events before the smallest clock of the processes
 * that compute.
 *
 * The status page, rings and notices show the state at the program's clock when WAIT returns, and
 * until the next call.  At other times their contents are undefined.
 *
 * A packet enters its injection FIFO at the tick of its stamp.  TORUS_MAP_STAMP has a __u64 for
 * each chunk of the injection ring; the stamp of a packet's first chunk counts.  The program
 * writes the stamp before the tail.  The stamp must not be less than the clock that the kernel
 * knows, nor less than the previous packet's stamp.  It must not be greater than the clock in the
 * next call.  Otherwise the packet is rejected (TORUS_REFUSE_STAMP).  TORUS_MAP_ARRIVAL has, for
 * each packet in a reception ring, the tick in which its last byte arrived.  A packet that
 * arrives in tick t is visible from tick t + 1 on.
 *
 * A waiting process sleeps.  A signal ends the sleep with EINTR.  Signals are not part of the
 * simulation, so the tick at which one ends a wait is not reproducible.
 *
 * Threads: while a thread sleeps in WAIT, another thread of the process may call WAIT with the
 * same @wants, @clock and @until, and gets the same result.  Every other CLOCK call of the
 * process, on any of its contexts, fails with EBUSY and changes nothing.
 *
 * Errors:
 * - EOPNOTSUPP: the fabric has time=free.
 * - EINVAL: an unknown op or bit, or a reserved field that is not zero.
 * - ERANGE: @clock is more than 2^40 ticks after the clock that the kernel knows, or above 2^60.
 * - EBUSY: another thread of the process waits.
 * - EIO: the fabric has stopped because it has no memory; a reset restarts it.
 * - EINTR, ENOTCONN, ENODEV, ECHILD, EFAULT.
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
 * struct torus_ioc_wait - events that the caller of TORUS_IOC_WAIT sleeps for
 * @events: some of EPOLLIN, EPOLLOUT, EPOLLPRI, EPOLLRDNORM and EPOLLWRNORM
 * @timeout_ms: time-out in milliseconds, which may end late by two kernel timer ticks, or by an
 *              eighth if it is long; 0: do not sleep; less than 0: no time-out
 *
 * The call returns the requested events that are present, or 0 after the time-out.  If the process
 * was stopped and continues, the time-out starts again.
 *
 * Errors: EINVAL @events; EFAULT, ENOTCONN, ECHILD, ENODEV; EINTR a signal arrived; EIO none of the
 * events is present, and the fabric has stopped because it has no memory.
 */
struct torus_ioc_wait {
	__u32 events;
	__s32 timeout_ms;
};

#define TORUS_IOC_MAGIC		0xB6
/* Take a FIFO group of a node. */
#define TORUS_IOC_ATTACH	_IOWR(TORUS_IOC_MAGIC, 0x00, struct torus_ioc_attach)
/* Read the geometry of the attached fabric, and the offsets in the mapped pages. */
#define TORUS_IOC_INFO		_IOR(TORUS_IOC_MAGIC, 0x01, struct torus_ioc_info)
/* Run the fabric after an index of a ring was moved. */
#define TORUS_IOC_DOORBELL	_IO(TORUS_IOC_MAGIC, 0x02)
/* Convert coordinates to the number of a node, or back. */
#define TORUS_IOC_LOCATE	_IOWR(TORUS_IOC_MAGIC, 0x03, struct torus_ioc_locate)
/* Read public properties of a fabric, found by its name or by its place in the list. */
#define TORUS_IOC_FABRIC	_IOWR(TORUS_IOC_MAGIC, 0x04, struct torus_ioc_fabric)
/* List the FIFO groups of a fabric, and whether the caller may attach to them. */
#define TORUS_IOC_GROUPS	_IOWR(TORUS_IOC_MAGIC, 0x05, struct torus_ioc_groups)
/* Let the engines of other programs access memory. */
#define TORUS_IOC_REGISTER	_IOWR(TORUS_IOC_MAGIC, 0x06, struct torus_ioc_register)
/* End the access of engines to registered memory. */
#define TORUS_IOC_UNREGISTER	_IOW(TORUS_IOC_MAGIC, 0x07, struct torus_ioc_unregister)
/* Advance the clock of a process in virtual time, or wait at it for events. */
#define TORUS_IOC_CLOCK		_IOWR(TORUS_IOC_MAGIC, 0x08, struct torus_ioc_clock)
/* Sleep until an event occurs in this file. */
#define TORUS_IOC_WAIT		_IOW(TORUS_IOC_MAGIC, 0x0a, struct torus_ioc_wait)

/* ---------------------------------------------------------------- capture */

#define TORUS_WIRE_AGAIN	(1u << 0)	/* a retransmission */
#define TORUS_WIRE_HEADER	(1u << 1)	/* the receiver finds a wrong header CRC */
#define TORUS_WIRE_CRC		(1u << 2)	/* the receiver finds a wrong packet CRC or
						 * valid byte
						 */
#define TORUS_WIRE_LOST		(1u << 3)	/* the packet does not arrive: the link is down */
#define TORUS_WIRE_ESCAPED	(1u << 4)	/* damaged, but no CRC detects the damage */
#define TORUS_WIRE_INVALID	(1u << 5)	/* a node forwarded it before it found the damage */

/**
 * struct torus_wire - a packet on a link
 * @tick: tick in which the first byte leaves the sending node
 * @node: number of the node that sends the packet over the link
 * @peer: number of the node at the other end of the link
 * @src: number of the packet's source node
 * @dst: number of the packet's destination node
 * @seq: sequence number of the packet at its source
 * @link_seq: sequence number of the packet on the link
 * @bytes: length of header, payload, packet CRC and valid byte (0xff, or 0 with
 *         TORUS_WIRE_INVALID); if @crc_bytes is 0, packets of the machine have only a payload
 * @dir: direction of the link, 0 = x+, 1 = x- ..
 * @vc: VC of the receiver's buffer
 * @attempt: 1 for the first transmission; 255 for the 255th and all later ones
 * @flags: TORUS_WIRE_*
 * @header_bytes: length of the machine's header
 * @crc_bytes: length of the packet CRC
 * @crc_at: 0: the CRC follows the payload; otherwise the CRC's offset in the header
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
 * struct torus_wire_head - header of each packet in a capture file (pcapng, USER0)
 * @version: TORUS_WIRE_VERSION
 * @head_bytes: bytes in front of the packet's own bytes, including this struct
 * @tick_fs: femtoseconds per tick
 * @wire: the packet
 *
 * All fields are little endian.  After this struct, up to @head_bytes, follow the coordinates of
 * @wire.node, @wire.src and @wire.dst.  Each coordinate has 16 bits, and each node has a third of
 * the space.  Then follow the @wire.bytes of the packet, or as many of them as were requested.
 */
struct torus_wire_head {
	__u16 version;
	__u16 head_bytes;
	__u32 tick_fs;
	struct torus_wire wire;
};

#define TORUS_WIRE_VERSION	1

#define TORUS_CAPTURE_ANY	(~0u)
#define TORUS_CAPTURE_BUFFER	(4u << 20)	/* default length of a capture's buffer, in bytes */
#define TORUS_CAPTURE_BUFFER_MIN	(64u << 10)
#define TORUS_CAPTURE_BUFFER_MAX	(256u << 20)

/**
 * struct torus_ioc_capture - record the packets on links, or the events of packets
 * @fabric: name of the fabric, NUL-terminated
 * @node: record only links of this sending node, or events at this node; TORUS_CAPTURE_ANY: of all
 *        nodes
 * @dir: record only links in this direction, or TORUS_CAPTURE_ANY; with TORUS_CAPTURE_EVENTS
 *       TORUS_CAPTURE_ANY
 * @src: record only packets from this node, or TORUS_CAPTURE_ANY
 * @dst: record only packets to this node, or TORUS_CAPTURE_ANY
 * @bytes: record at most this number of bytes of each packet; 0: all; with TORUS_CAPTURE_EVENTS 0
 * @buffer: length of the buffer in bytes, a power of two; 0: TORUS_CAPTURE_BUFFER
 * @fd: [out] file descriptor from which the records are read
 * @flags: TORUS_CAPTURE_EVENTS, or 0
 * @reserved: must be zero
 *
 * The file of the call has no FIFO group and no gates, and does not change.  A read() of @fd
 * returns whole records, each a struct torus_capture_record.  It waits until there is a record, and
 * returns 0 when the fabric has been deleted.  If the buffer is full, packets or events are lost
 * and counted.
 *
 * Errors:
 * - EPERM: the caller lacks CAP_NET_ADMIN in the initial user namespace.
 * - ENOENT: there is no such fabric; ENODEV: it is being deleted.
 * - EINVAL: a node, direction, length, flag or reserved field is invalid.
 * - EISCONN: the file is attached or has gates.
 * - ENOSPC: the module parameter max_bytes is exceeded.
 * - ENOMEM, EMFILE, EFAULT.
 *
 * Errors of read(): EMSGSIZE the next record does not fit into the caller's buffer; EAGAIN, EINTR,
 * EFAULT.
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
	__u32 flags;
	__u32 reserved[8];
};

#define TORUS_CAPTURE_EVENTS	(1u << 0)	/* record events of packets, not packets on links */

enum torus_capture_kind {
	TORUS_CAPTURE_PACKET,	/* a struct torus_wire, then the packet's bytes */
	TORUS_CAPTURE_MARK,	/* a struct torus_capture_mark */
	TORUS_CAPTURE_EVENT,	/* a struct torus_packet_event */
};

/**
 * struct torus_capture_record - header of a record
 * @bytes: length of the record, including this header: a multiple of 8
 * @kind: enum torus_capture_kind; a reader must skip unknown kinds
 * @captured: for a packet: number of its bytes in the record
 */
struct torus_capture_record {
	__u32 bytes;
	__u16 kind;
	__u16 captured;
};

/**
 * struct torus_capture_mark - all packets that left, or events that happened, before @clock are
 *                              recorded, or lost
 * @clock: tick of the mark.  Records before the mark are not sorted; packets of records after the
 *         mark leave at @clock or later, and their events happen at @clock or later
 * @lost: packets or events since the previous mark that did not fit into the buffer
 */
struct torus_capture_mark {
	__u64 clock;
	__u64 lost;
};

/* Open a stream of the packets that links carry, or of events of packets.  Needs CAP_NET_ADMIN. */
#define TORUS_IOC_CAPTURE	_IOWR(TORUS_IOC_MAGIC, 0x09, struct torus_ioc_capture)

/* ---------------------------------------------------------- barrier gates */

/*
 * Barrier gates of a node's engines (Tofu).  A gate waits for a signal of another gate of its
 * engine, for a packet of any gate, or for both.  It combines their data, then signals and sends
 * to its destinations.  The network does this without the programs.  Gates form chains.  The first
 * TORUS_GATE_ENDS gates of an engine can start and end a chain; the others are relays.
 *
 * The id of a gate is unique in the machine: bits 63-61 the engine, 59 c, 58-57 b, 56 a, 55-48 z,
 * 47-40 y, 39-32 x of its node, 5-0 the number of the gate, all other bits 0.
 *
 * A program opens the device and selects a node with TORUS_IOC_GATES_OPEN.  Then it allocates,
 * sets, starts and polls gates.  It needs no FIFO group: a file has either gates or a group.
 * Closing the file frees its gates.  Only the process that opened the gates may use them; for any
 * other process, such as a forked child, calls fail with ECHILD.  A gate drops packets of gates in
 * another partition.
 *
 * A member leaves a chain when its gates are freed: by FREE, because its process ends, or because
 * it is evicted.  All other members get a report.  POLL of an operation that the member had not
 * completed returns TORUS_GATE_LEFT, and so does POLL of each later operation until the gates are
 * set again.  The same holds for an operation that starts when the gate of a member is not
 * allocated, or is set to send elsewhere.  An operation that the member had completed ends
 * normally.
 *
 * In virtual time, the gates of a process with a clock leave together with the clock.  So the tick
 * is the same in each run, whichever file is closed first.  From then on, calls on the other gate
 * files of the process fail with ENODEV.  If such a process closes a gate file itself, it frees
 * that file's gates at once.
 *
 * ALLOC, FREE, SET, START and POLL return 0 or an enum torus_gate_answer, or fail with:
 * - ENODEV: the fabric was deleted, or the gates were taken away.
 * - ENOTCONN: the file has no gates.
 * - EINVAL: a reserved field is not zero, or an engine or a count is out of range.
 * - ENOMEM: the kernel has no memory, or the memory cgroup is full.
 * - EDQUOT, ENOSPC (ALLOC): the module parameter max_user_bytes, or max_bytes, is exceeded.
 * - EIO (not FREE): the fabric has stopped because it has no memory.
 * - EFAULT.
 */
#define TORUS_GATES		48u	/* gates of an engine */
#define TORUS_GATES_NODE	384u	/* maximum gates of a node, and of a SET or FREE call */
#define TORUS_GATE_ENDS		16u
#define TORUS_GATE_WORDS	6u	/* maximum integers of a reduction; doubles: 3 */
#define TORUS_GATE_QUEUED	4u	/* packets of a gate that may wait to be sent */
#define TORUS_GATE_NONE		(~0ull)	/* no gate */
#define TORUS_GATE_PATH_DEFAULT	0xffu

enum torus_gate_answer {
	TORUS_GATE_FINE,
	TORUS_GATE_RUNNING,	/* POLL: a signal or packet has not arrived yet */
	TORUS_GATE_IDLE,	/* POLL: no operation was started */
	TORUS_GATE_BUSY,	/* START: the previous result was not polled, or a gate
				 * would have more than TORUS_GATE_QUEUED packets that wait
				 * to be sent
				 */
	TORUS_GATE_FULL,	/* ALLOC: fewer than @count are free; none is allocated */
	TORUS_GATE_BAD_ID,	/* the gate is not this file's, or is a relay but must be an
				 * end
				 */
	TORUS_GATE_BAD_PATH,	/* SET: there is no such path */
	TORUS_GATE_BAD_OP,	/* START: there is no such operation */
	TORUS_GATE_BAD_COUNT,	/* START: @count is invalid for the operation */
	TORUS_GATE_MISMATCH,	/* POLL: members started different operations or counts */
	TORUS_GATE_LOST,	/* POLL: a packet was lost or malformed */
	TORUS_GATE_UNSET,	/* START: the gate was never set */
	TORUS_GATE_LEFT,	/* POLL: a member left the chain; @node is its node */
};

/* Operations of a reduction. */
enum torus_gate_op {
	TORUS_GATE_BARRIER = 1,	/* no data */
	TORUS_GATE_BAND,
	TORUS_GATE_BOR,
	TORUS_GATE_BXOR,
	TORUS_GATE_MAX,		/* unsigned */
	TORUS_GATE_MAXLOC,	/* pairs of value and index; a tie takes the lower index */
	TORUS_GATE_SUM,		/* modulo 2^64 */
	TORUS_GATE_BFPSUM,	/* sum of doubles; the result does not depend on the order */
};

/**
 * struct torus_ioc_gates_open - use this file for gates of a node
 * @fabric: name of the fabric, NUL-terminated
 * @node: number of the node
 * @engines: [out] number of engines of a node, each with its own gates
 * @coords: [out] the node's coordinates
 * @reserved: must be zero
 *
 * A user who may attach to the node may use its gates.  This call allocates no gate.
 *
 * Errors:
 * - EISCONN: the file is attached or has gates.
 * - ENOENT: there is no such fabric.
 * - EINVAL: there is no such node, the name has no NUL, or a reserved field is not zero.
 * - EOPNOTSUPP: the machine has no gates.
 * - EACCES: another user owns the node, or no user owns it and the fabric's key attach is owner.
 * - EBUSY: a synthetic workload runs on the fabric.
 * - ENODEV: the fabric is being deleted.
 * - ENOMEM, EFAULT.
 */
struct torus_ioc_gates_open {
	char fabric[TORUS_NAME_MAX];
	__u32 node;
	__u32 engines;
	__u32 coords[TORUS_DIMS_MAX];
	__u32 reserved[4];
};

/**
 * struct torus_ioc_gates - ALLOC: allocate gates of an engine, all or none; FREE: free gates
 * @engine: ALLOC: number less than torus_ioc_gates_open.engines; FREE: zero
 * @count: ALLOC: 1 to TORUS_GATES; FREE: 1 to TORUS_GATES_NODE
 * @ids: address of @count ids.  ALLOC [out]: first a gate that starts and ends a chain, then
 *       relays.  FREE [in]: if a gate is not this file's, none is freed
 * @reserved: must be zero
 */
struct torus_ioc_gates {
	__u32 engine;
	__u32 count;
	__u64 ids;
	__u32 reserved[4];
};

/**
 * struct torus_gate_setting - sources and destinations of a gate
 * @gate: id of the gate
 * @local_source: gate of the same engine whose signal it waits for, or TORUS_GATE_NONE
 * @remote_source: gate whose packet it waits for, or TORUS_GATE_NONE if @local_source is a gate
 * @local_dest: gate of the same engine that it signals, or TORUS_GATE_NONE
 * @remote_dest: gate that it sends a packet to, or TORUS_GATE_NONE
 * @path: path of that packet, as in a packet's header, or TORUS_GATE_PATH_DEFAULT
 * @reserved: must be zero
 *
 * Local gates must belong to the same file.
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
 * SET discards the data and the operation of a gate.  Members start the chain only after all
 * members have set their gates: a packet for a gate that is not set is dropped.
 */
struct torus_ioc_gates_set {
	__u64 settings;
	__u32 count;
	__u32 reserved[5];
};

/**
 * struct torus_ioc_gate - START: start an operation; POLL: take its result
 * @gate: id of a gate that starts and ends a chain
 * @op: [in for START, out for POLL] enum torus_gate_op
 * @count: [in for START, out for POLL] number of elements in @value
 * @value: [in for START, out for POLL] integers, or the bits of doubles
 * @node: must be zero; [out for POLL] with TORUS_GATE_LEFT: number of the node of the member that
 *        left
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

/* Use the file for barrier gates of a node. */
#define TORUS_IOC_GATES_OPEN	_IOWR(TORUS_IOC_MAGIC, 0x10, struct torus_ioc_gates_open)
/* Allocate gates of an engine. */
#define TORUS_IOC_GATES_ALLOC	_IOWR(TORUS_IOC_MAGIC, 0x11, struct torus_ioc_gates)
/* Free gates. */
#define TORUS_IOC_GATES_FREE	_IOW(TORUS_IOC_MAGIC, 0x12, struct torus_ioc_gates)
/* Set the sources and destinations of gates. */
#define TORUS_IOC_GATES_SET	_IOW(TORUS_IOC_MAGIC, 0x13, struct torus_ioc_gates_set)
/* Start a barrier or a reduction. */
#define TORUS_IOC_GATE_START	_IOW(TORUS_IOC_MAGIC, 0x14, struct torus_ioc_gate)
/* Take the result of a barrier or a reduction. */
#define TORUS_IOC_GATE_POLL	_IOWR(TORUS_IOC_MAGIC, 0x15, struct torus_ioc_gate)

/* ------------------------------------------------------------------- mmap */

/*
 * The offset argument of mmap is a token: kind of the mapping in bits 32 and above, index of the
 * ring in bits 24..31.
 */
#define TORUS_MAP_STATUS	1	/* PROT_READ, page_bytes */
#define TORUS_MAP_CONTROL	2	/* PROT_READ | PROT_WRITE, page_bytes */
#define TORUS_MAP_INJECT	3	/* PROT_READ | PROT_WRITE, inject_chunks * chunk_bytes */
#define TORUS_MAP_RECEIVE	4	/* PROT_READ, receive_chunks * chunk_bytes */
#define TORUS_MAP_NOTICE	5	/* PROT_READ, notices * sizeof(struct torus_notice) */
#define TORUS_MAP_STAMP		6	/* PROT_READ | PROT_WRITE, inject_chunks * 8: ticks */
#define TORUS_MAP_ARRIVAL	7	/* PROT_READ, receive_chunks * 8: ticks */
/* The kernel rounds the length of each mapping up to whole pages. */
#define TORUS_MAP_TOKEN(kind, index) \
	(((__u64)(kind) << 32) | ((__u64)(index) << 24))

#define TORUS_STATE_ALIVE	0x41	/* status.state */
#define TORUS_STATE_DEAD	0x44	/* the fabric was deleted, or the group taken away */

#define TORUS_STATUS_DOORBELL	(1u << 0)	/* ring the doorbell after moving a tail */
#define TORUS_STATUS_HEAD	(1u << 1)	/* ring the doorbell also after moving a head */
#define TORUS_STATUS_INLINE_RUN	(1u << 2)	/* a program's doorbell call runs the fabric */

/* Why a packet was rejected at injection (status_inject.refuse_code). */
enum torus_refuse {
	TORUS_REFUSE_NONE,
	TORUS_REFUSE_SIZE,		/* the packet exceeds the tail, or its size is illegal, or
					 * (Cray XT) contradicts the tail bit
					 */
	TORUS_REFUSE_TAIL,		/* tail - head is more than the ring's length */
	TORUS_REFUSE_HINTS,		/* both hints of a dimension, or no link for a hint */
	TORUS_REFUSE_DESTINATION,	/* the destination is outside the machine */
	TORUS_REFUSE_VC,		/* unknown VC, or one that contradicts the Dynamic bit or
					 * (Cray XT) the FIFO, or a reserved bit is set (Cray XT)
					 */
	TORUS_REFUSE_PRIORITY,		/* no right to use priority, or the wrong FIFO for it */
	TORUS_REFUSE_SELF,		/* a packet to its own node, without a hint bit */
	TORUS_REFUSE_DEPOSIT,		/* deposit bit, but the path is not a straight line */
	TORUS_REFUSE_PARTITION,		/* the destination, or a node on a broadcast's way, is in
					 * another partition
					 */
	TORUS_REFUSE_UNREACHABLE,	/* a dimension with hops has no hint, a hint leads off a
					 * mesh, or no path leads around dead nodes
					 */
	TORUS_REFUSE_NO_TABLE,		/* no routing table is loaded */
	TORUS_REFUSE_PATH,		/* unknown path or FIFO, or a reserved bit is set */
	TORUS_REFUSE_COMMAND,		/* engine command: bad operation, length, queue or flag */
	TORUS_REFUSE_STAMP,		/* virtual time: the stamp is before the clock or the
					 * FIFO's previous stamp, or after the next clock
					 */
	TORUS_REFUSE_ISOLATE,		/* key isolate: a path may leave the node's partition */
	TORUS_REFUSE_MAX,
};

/**
 * struct torus_status_inject - part of an injection ring that the kernel writes
 * @head: chunks taken out of the ring
 * @refuse_code: TORUS_REFUSE_* of the last rejected packet
 * @refuse_index: chunk index where that packet begins
 * @fifo_chunks: chunks in the modelled FIFO; the count may be a few simulation steps old
 * @refused: packets rejected
 * @packets: packets accepted, and commands for engines
 * @busy_since: tick when the modelled FIFO last became non-empty
 * @interrupts: number of critical interrupts: the modelled FIFO fell below its watermark
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
 * struct torus_status_receive - part of a reception ring that the kernel writes
 * @tail: chunks written into the ring
 * @fifo_chunks: chunks in the modelled FIFO that wait for space in the ring; the count may be a
 *               few simulation steps old
 * @packets: packets written into the ring, and notices of engines
 * @arrived: tick when the last byte of the newest packet in the ring arrived, or when the newest
 *           notice was created
 * @interrupts: number of critical interrupts: the modelled FIFO rose above its watermark
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
 * struct torus_status_notice - part of the notice ring that the kernel writes
 * @tail: notices written into the ring, free-running
 * @reserved: zero
 * @completed: accepted packets of this context that have ended, delivered or lost
 * @lost: notices discarded because the ring was full
 */
struct torus_status_notice {
	__u32 tail;
	__u32 reserved;
	__u64 completed;
	__u64 lost;
};

/**
 * struct torus_control_inject - part of an injection ring that the program writes
 * @tail: chunks written into the ring
 * @want: poll returns EPOLLOUT if this ring has space for @want chunks, or is empty; 0: poll
 *        ignores this ring, unless @want of every ring is 0: see poll(2) above
 * @interrupts_seen: acknowledges critical interrupts: status_inject.interrupts as read
 * @reserved: zero
 */
struct torus_control_inject {
	__u32 tail;
	__u32 want;
	__u32 interrupts_seen;
	__u32 reserved;
};

/**
 * struct torus_control_receive - part of a reception ring that the program writes
 * @head: chunks read from the ring
 * @watermark: poll returns EPOLLIN if the ring has more chunks than this, or has no space for a
 *             packet of maximum length; 0: any number of chunks
 * @interrupts_seen: acknowledges critical interrupts: status_receive.interrupts as read
 * @reserved: zero
 */
struct torus_control_receive {
	__u32 head;
	__u32 watermark;
	__u32 interrupts_seen;
	__u32 reserved;
};

/**
 * struct torus_control_notice - part of the notice ring that the program writes
 * @head: notices read from the ring
 * @want: TORUS_NOTICE_WANT: poll returns EPOLLIN while there are notices to read; 0: poll ignores
 *        notices
 * @completed: poll returns EPOLLIN when status_notice.completed has reached this count; 0: poll
 *             ignores the count
 *
 * Write @want and @completed before calling poll: a later store does not wake a thread that
 * already sleeps in poll.
 */
struct torus_control_notice {
	__u32 head;
	__u32 want;
	__u64 completed;
};

#define TORUS_NOTICE_WANT	(1u << 0)

/* ---------------------------------------------------------------- notices */

/*
 * Why a packet did not arrive (torus_notice.reason).  A value less than TORUS_DROP_MAX is an enum
 * torus_drop; TORUS_DROP_NO_LISTENER means that the group had no owner when the packet was sent
 * (of a broadcast: no owner that received the copy).  Other values are:
 */
#define TORUS_NOTICE_READER_GONE	0x40	/* the owner left before the packet arrived */
/* The ring had no space: the packet was in the modelled FIFO when its reader left or at a reset. */
#define TORUS_NOTICE_READER_GONE_UNREAD	0x41
#define TORUS_NOTICE_LINK	0x42	/* the packet waits for links that are all dead or parked */
#define TORUS_NOTICE_UNKNOWN	0x43	/* the kernel could not store the reasons, or a notice of
					 * an engine (with ALL), or had no memory to run the
					 * fabric until a reset (with ALL and WAITS)
					 */
#define TORUS_NOTICE_REFUSED	0x80	/* the packet was rejected; enum torus_refuse is added */

#define TORUS_NOTICE_COPY	(1u << 0)	/* flags: the copy of a broadcast for @node was
						 * lost; the broadcast continues
						 */
#define TORUS_NOTICE_ALL	(1u << 1)	/* flags: the notice stands for every accepted
						 * packet of the context that had not ended:
						 * @fifo, @index and @dest have no meaning
						 */
#define TORUS_NOTICE_WAITS	(1u << 2)	/* flags: the packet has not ended, is not
						 * counted in completed, and arrives if the
						 * links that it waits for come back
						 */

/**
 * struct torus_notice - report of a packet that did not arrive
 * @fifo: injection FIFO of the packet
 * @index: chunk index in that ring where the packet begins
 * @reason: enum torus_drop or TORUS_NOTICE_READER_GONE ...
 * @node: number of the node where the packet ended
 * @tick: tick when the packet ended
 * @dest: number of the packet's destination node
 * @group: FIFO group at the destination
 * @flags: TORUS_NOTICE_COPY ...
 *
 * A rejected packet (TORUS_NOTICE_REFUSED) is counted by status_inject.refused, not by
 * status_notice.completed.  Its @node and @dest are the sender's node.
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
 *           15 Pid (FIFO group), 16-18 chunks - 1, 19-20 for software,
 *           21 Dynamic, 22-23 VC, 24-31 destination X
 *   word 1  0-7 destination Y, 8-15 destination Z, 16-23 sequence number,
 *           24-31 header CRC-8 (the hardware ignores and overwrites the
 *           sequence number and the CRC of a program's packet)
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
	TORUS_BGL_BN,		/* bubble VC, normal priority: deterministic, and the escape */
	TORUS_BGL_BP,		/* bubble VC, high priority */
};

/*
 * FIFOs of a group.  Reception FIFOs 0..5 = X+ X- Y+ Y- Z+ Z- receive packets by the direction in
 * which they travelled; 6 has high priority.  Injection FIFOs 0..2 are normal, 3 has priority.
 */
#define TORUS_BGL_RECEIVE_FIFOS		7
#define TORUS_BGL_RECEIVE_PRIORITY	6
#define TORUS_BGL_INJECT_FIFOS		4
#define TORUS_BGL_INJECT_PRIORITY	3

/*
 * Cray XT (SeaStar): the header flit's 8 bytes are two big-endian 32-bit words; bit 0 is
 * the most significant.  The real machine has destination, age, VC and tail (Abts et al. (2007),
 * figure 1); this project added the other fields.
 *
 *   word 0  0-14 destination (NID), 15-25 age, 26-28 VC, 29 tail, 30 FIFO group, 31 zero
 *   word 1  0-3 flits - 1, 4-15 for software, 16-23 sequence number, 24-31 header CRC-8
 *           (the hardware ignores and overwrites age, sequence number and CRC)
 *
 * Software selects the packet's class by the VC: 0 for the first class, 2 for the second.  The
 * tail bit means that the packet has no other flit.
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

/* Each class has one injection FIFO and one reception FIFO in a group. */
#define TORUS_XT_RECEIVE_FIFOS		2
#define TORUS_XT_INJECT_FIFOS		2

/*
 * An entry of a routing table: the output port of the packet, and the VC of its class on which it
 * enters a dimension.  Ports 0..5 are x+ x- y+ .., 6 is the processor's port.
 */
#define TORUS_XT_PORT			0x07
#define TORUS_XT_VC1			0x08
#define TORUS_XT_PROCESSOR		6
#define TORUS_XT_MISSING		0xff
#define TORUS_XT_PAGE			64	/* entries per page, and pages per table */

/**
 * struct torus_xt_table - a routing table
 * @page: page numbers of the local entries, indexed by destination[11:6]
 * @global: entries indexed by destination[14:12] and, as the lowest bit, destination[0]
 * @partition: value of destination[14:12] that selects the local entries
 * @reserved: must be zero
 */
struct torus_xt_table {
	__u16 page[TORUS_XT_PAGE];
	__u8 global[16];
	__u8 partition;
	__u8 reserved[7];
};

/**
 * struct torus_xt_routes - header of the image with all routing tables of a machine
 * @version: TORUS_XT_ROUTES_VERSION
 * @nodes: number of nodes of the machine
 * @tables: number of struct torus_xt_table
 * @pages: number of pages of TORUS_XT_PAGE entries
 * @dateline: coordinate of each dimension's dateline node, ~0: none
 * @reserved: must be zero
 *
 * Three arrays follow without gaps.  The first has a __u32 for each node (x fastest) and input:
 * the number of the input's table.  Inputs 0..5 are the links' ports, 6 is the processor's.  The
 * second array has the tables, the third the pages.
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
 * significant.  This project defines the fields.
 *
 *   word 0  0-7 x, 8-15 y, 16-23 z, 24 a, 25-26 b, 27 c of the destination, 28-30 its
 *           reception FIFO, 31 the low bit of its FIFO group
 *   word 1  0-3 path, 4 order, 5 the high bit of the FIFO group, 6-9 zero, 10-15 chunks - 1,
 *           16-31 for software
 *   word 2  0-15 sequence number, 16-23 zero, 24-31 header CRC-8
 *   word 3  packet CRC-32C
 *           (the hardware ignores and overwrites order, word 2 and word 3)
 *
 * Path:
 * - 0..11: the a + 2 (b + 3 c) of the relay node, through which the packet travels.
 * - 15: the path that the fabric's key `path` selects.
 * - 14: the fixed path of the pair; its relay has the same a, b, c as the destination.
 * - 13: one of the four or five paths of the pair that share no link, selected by the number of
 *   the reception FIFO.
 *
 * If the path of 13, 14 or 15 meets a dead node, the hardware takes another path.  If a path
 * 0..11 meets one, the packet is rejected.
 *
 * Reception FIFO:
 * - 0..5: that FIFO; 7: the FIFO of each engine in turn.
 * - 6: not a FIFO.  The software bits have the kind of packet above TORUS_TOFU_KIND_SHIFT, and
 *   an engine at the destination below it.  Only the hardware sends packets of kinds GATE and
 *   ENGINE.  A program writes a COMMAND into an injection ring, and reads a NOTICE from a
 *   reception ring.
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
#define TORUS_TOFU_GROUP		(1u << 0)	/* set for FIFO groups 1 and 3 */
#define TORUS_TOFU_PATH_SHIFT		28	/* word 1 */
#define TORUS_TOFU_PATH_MASK		0xf
#define TORUS_TOFU_PATH_ANY		15	/* the fabric's key `path` selects the path */
#define TORUS_TOFU_PATH_FIXED		14	/* the fixed path, regardless of `path` */
#define TORUS_TOFU_PATH_APART		13	/* one of the disjoint paths, by FIFO number */
#define TORUS_TOFU_Z_LAST		(1u << 27)
#define TORUS_TOFU_GROUP_HIGH		(1u << 26)	/* set for FIFO groups 2 and 3 */
#define TORUS_TOFU_RESERVED		(0xfu << 22)
#define TORUS_TOFU_CHUNKS_SHIFT		16
#define TORUS_TOFU_CHUNKS_MASK		0x3f
#define TORUS_TOFU_SW_MASK		0xffff
#define TORUS_TOFU_KIND_SHIFT		8	/* position in the software bits, with FIFO 6 */
#define TORUS_TOFU_KIND_GATE		0
#define TORUS_TOFU_KIND_ENGINE		1
#define TORUS_TOFU_KIND_COMMAND		2	/* a struct torus_tofu_command follows */
#define TORUS_TOFU_KIND_NOTICE		3	/* a struct torus_tofu_notice follows */
#define TORUS_TOFU_SEQ_SHIFT		16	/* word 2 */
#define TORUS_TOFU_CRC_SHIFT		0
#define TORUS_TOFU_HEADER_BYTES		16
#define TORUS_TOFU_CRC_AT		12	/* offset of the packet CRC in bytes */

/*
 * A node has four FIFO groups, one for each process that programs of Tofu's successor run on a
 * node.  A group has six injection and six reception FIFOs, because a node has six engines (TNIs).
 * Number the FIFOs of all groups of a node from 0: FIFO i belongs to engine i modulo `tnis`.
 */
#define TORUS_TOFU_GROUPS		4
#define TORUS_TOFU_FIFOS		6

/*
 * Tofu's engines write and read the memory of programs on other nodes (TORUS_FEATURE_MEMORY).
 *
 * A program registers memory for one of its queues.  A queue is an engine, given by the FIFO's
 * number (see above), and one of the program's TORUS_VCQS queues there.  The program gets a STADD.
 * Other programs address the memory by the STADD, the node, the FIFO group and the queue.  The
 * low TORUS_STADD_BITS of a STADD are an offset into the memory.  The bits above are the STag
 * with a generation, so that a STADD of unregistered memory is rejected.  A program may add to an
 * offset; bytes before the first and after the last are rejected.  STags less than TORUS_STAGS
 * are chosen by the program and have no generation: their STADD is
 * (stag << TORUS_STADD_BITS) + offset in every program.
 *
 * A command is a record of TORUS_TOFU_COMMAND_CHUNKS chunks in the injection ring of a FIFO of the
 * engine.  The record is a header with FIFO 6 and TORUS_TOFU_KIND_COMMAND, then a struct
 * torus_tofu_command.  The header has the other program's coordinates, FIFO group, and the path:
 * 0..11, or 14 or 15 for the fixed path.  The engine takes the commands of a FIFO in their order,
 * up to TORUS_TOFU_COMMANDS of a program at once.  In addition it takes up to TORUS_TOFU_WAITING
 * commands of all of the program's queues that wait for a step of their session, or follow a
 * waiting command.  Further commands stay in the ring, and commands for which memory is short.  An
 * invalid command is rejected with TORUS_REFUSE_COMMAND, or with the code of a packet if its header
 * is wrong.  status_notice.completed does not count commands.
 *
 * Notices are records of TORUS_TOFU_NOTICE_CHUNKS chunks in the reception ring of the engine's
 * first FIFO.  A record is a header with FIFO 6 and TORUS_TOFU_KIND_NOTICE, then a struct
 * torus_tofu_notice.  A notice that does not fit into the ring waits.  While 512 notices wait for
 * one ring of a program, or 3072 for all its rings, the engine takes no commands of the program.
 * If 3072 wait, another program's operation that would create a notice fails with TORUS_TOFU_OTHER
 * before its last bytes are written.  At most 4096 are kept.  If more are discarded, the program's
 * notice ring has a TORUS_NOTICE_ALL.
 *
 * An engine sends its replies to the programs in turn, one packet each.  For each program it keeps
 * up to TORUS_TOFU_GETS gets whose replies are not complete; one more get fails with
 * TORUS_TOFU_BUSY.  A program's own engine has at most TORUS_TOFU_GETS operations open, and takes
 * the next command when one of them ends.  So only a program that sends gets to one engine
 * through several of its own engines can exceed the limit.  When a program has left, its
 * commands and the replies to it are dropped.  A put to it is cut short and fails with
 * TORUS_TOFU_PEER.
 *
 * The bytes of a command arrive in rising order.  Commands from one queue to one other queue on
 * one path arrive in the order in which they were posted, and so do their notices.  An operation
 * that fails is reported once, even if the program requested no notice: by its TCQ notice if it
 * failed at the sender, otherwise by its LCL_ notice.  If it failed at the sender and requested
 * both notices, both report it.  The other side omits a report that was not requested while 4096 of
 * its engine's replies wait, or memory is short.
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
	TORUS_TOFU_NOP,			/* no operation, only the TCQ notice */
	TORUS_TOFU_PUT,
	TORUS_TOFU_PIGGYBACK,		/* a put of bytes in the command itself */
	TORUS_TOFU_GET,
	TORUS_TOFU_ATOMIC,
	TORUS_TOFU_OPS,
};

/* torus_tofu_command.flags */
#define TORUS_TOFU_TELL_TCQ	(1u << 0)	/* TCQ notice: the source may be reused */
#define TORUS_TOFU_TELL_LOCAL	(1u << 1)	/* LCL_* notice: the other side replied */
#define TORUS_TOFU_TELL_REMOTE	(1u << 2)	/* RMT_* notice at the other side */
#define TORUS_TOFU_SESSION	(1u << 3)	/* wait for a step that a put brings */

/**
 * struct torus_tofu_command - a command for an engine
 * @op: enum torus_tofu_op
 * @atomic: enum torus_atomic
 * @size: atomic operation: 4 or 8 bytes
 * @vcq: queue of this program that posts the command, less than TORUS_VCQS
 * @peer_engine: engine of the other program
 * @peer_vcq: queue of the other program at that engine
 * @edata: copied into the notices
 * @steps: put: number of commands of the other queue that may start, up to TORUS_TOFU_STEPS_MAX;
 *         steps that no command waits for are kept
 * @flags: TORUS_TOFU_TELL_TCQ ..
 * @reserved: must be zero
 * @length: bytes of a put or get, 1 to TORUS_TOFU_LENGTH_MAX, of a piggyback at most
 *          TORUS_TOFU_PIGGYBACK_MAX; 0 for other operations
 * @local: STADD of @vcq in this program: a put reads from it, a get writes to it; otherwise 0
 * @remote: STADD of @peer_vcq in the other program
 * @cookie: copied into the TCQ notice
 * @data: atomic operation: the operand, then the comparand of CSWAP (4-byte values in the low
 *        bytes); piggyback: its bytes
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

/* torus_tofu_notice.type; uTofu defines the numbers of the first six */
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
 * torus_tofu_notice.code.  With every code other than TORUS_TOFU_FINE, nothing was written.
 * Exception: an operation of several packets that fails under way may have written a part of its
 * bytes; with LOST, also all of them, if only the reply was lost.
 */
enum torus_tofu_code {
	TORUS_TOFU_FINE,
	TORUS_TOFU_STADD,		/* no such STag, memory unregistered, or word not aligned */
	TORUS_TOFU_LENGTH,		/* bytes before the first or after the last */
	TORUS_TOFU_MEMORY,		/* the memory is read-only */
	TORUS_TOFU_PEER,		/* no program, a different one, or another partition */
	TORUS_TOFU_OTHER,		/* too many notices wait at the other side */
	TORUS_TOFU_LOST,		/* a packet of the operation or its reply was lost */
	TORUS_TOFU_BUSY,		/* TORUS_TOFU_GETS gets of this program are open there */
	TORUS_TOFU_CODES,
};

/**
 * struct torus_tofu_notice - report of an engine to a program
 * @type: enum torus_tofu_type
 * @code: enum torus_tofu_code
 * @remote_code: 1: the other side detected the error in @code
 * @vcq: queue of this program that receives the notice
 * @peer_engine: engine of the other side
 * @peer_vcq: queue of the other side
 * @peer_group: FIFO group of the other side
 * @edata: as in the command
 * @peer_node: number of the other side's node
 * @length: bytes of a put or get; size of an atomic operation
 * @cookie: TCQ notice: as in the command; otherwise 0
 * @value: LCL_ATOMIC: the previous value; otherwise 0
 * @local: STADD at the poster, one past the last byte; 0 if there is none
 * @remote: STADD at the operation's target, which is the receiver of an RMT_ notice: one past the
 *          last byte, or of an atomic operation: of its word
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
 * Group for events of fabrics that only the owner or an administrator may watch, except their
 * creation and deletion.  Joining it needs CAP_NET_ADMIN in the user namespace of the socket's
 * network namespace.  The kernel sends these events only in network namespaces that belong to the
 * initial user namespace.
 */
#define TORUS_GENL_MCGRP_EVENTS_ADMIN	"events-admin"

enum torus_cmd {
	TORUS_CMD_UNSPEC,
	TORUS_CMD_FABRIC_ADD,		/* admin: NAME ARCH DIMS.. PARAM.. [TIED] */
	TORUS_CMD_FABRIC_DEL,		/* admin: NAME [UNUSED] */
	TORUS_CMD_FABRIC_GET,		/* do: NAME; dump: all fabrics */
	TORUS_CMD_FABRIC_SET,		/* admin: NAME PARAM.. */
	TORUS_CMD_FABRIC_RESET,		/* admin: NAME [SEED] */
	TORUS_CMD_NODE_GET,		/* do: NAME NODE; dump: NAME [NODE] [CHANGED] */
	TORUS_CMD_NODE_SET,		/* admin: NAME NODE UID|PARTITION|NODE_STATE|EVICT|DRIVER
					 * [GROUP]
					 */
	TORUS_CMD_REG_GET,		/* do: NAME NODE REG|REG_NAME; dump: NAME [NODE] .. */
	TORUS_CMD_REG_SET,		/* admin: NAME NODE REG REG_VALUE */
	TORUS_CMD_LINK_GET,		/* do: NAME NODE DIR; dump: NAME [NODE] [CHANGED] .. */
	TORUS_CMD_LINK_SET,		/* admin: NAME [NODE] [DIR] FAULT.. (absent = all) */
	TORUS_CMD_LINK_CHECK,		/* dump: NAME [NODE]: idle links whose two CRCs differ */
	TORUS_CMD_COUNTER_GET,		/* do: NAME: the fabric; NAME NODE DIR: a link; dump: NAME
					 * [NODE]: links
					 */
	TORUS_CMD_COUNTER_RESET,	/* admin: NAME */
	TORUS_CMD_TRAFFIC_START,	/* admin: NAME TRAFFIC [SEED]; resets a used fabric; it must
					 * have no contexts and no gates
					 */
	TORUS_CMD_TRAFFIC_GET,		/* do: NAME: progress, or the result */
	TORUS_CMD_TRAFFIC_STOP,		/* admin: NAME */
	TORUS_CMD_EVENT,		/* notification only */
	TORUS_CMD_TRAFFIC_PAIRS,	/* admin: NAME VALUE: begin an upload of VALUE pairs;
					 * NAME PAIRS: a part of it
					 */
	TORUS_CMD_FAULT_GET,		/* dump: NAME: faults that begin or end at a later tick */
	TORUS_CMD_CONTEXT_GET,		/* dump: NAME [NODE]: owners of FIFO groups and gates */
	TORUS_CMD_PARAM_GET,		/* dump: ARCH: parameters of a machine */
	TORUS_CMD_ROUTE_LOAD,		/* admin: NAME VALUE: begin an upload of VALUE bytes;
					 * NAME ROUTES: a part of it; NAME [ROUTES_AT]: commit it
					 */
	TORUS_CMD_ROUTE_GET,		/* do: NAME [VALUE]: the tables' bytes from VALUE on */
	TORUS_CMD_JOB_ADD,		/* admin: NAME JOB MEMBERS [VIEW] */
	TORUS_CMD_JOB_DEL,		/* admin: NAME JOB */
	TORUS_CMD_JOB_GET,		/* do: NAME JOB; dump: NAME: all jobs without MEMBERS */
	TORUS_CMD_STATE_SAVE,		/* admin: NAME OPTIONS: save the state of this tick */
	TORUS_CMD_STATE_GET,		/* admin: NAME [VALUE]: the saved bytes from VALUE on */
	TORUS_CMD_STATE_WRITE,		/* admin: NAME VALUE: begin an upload of VALUE bytes;
					 * NAME FABRIC_STATE: a part of it
					 */
	TORUS_CMD_STATE_COMMIT,		/* admin: NAME TRAFFIC: load the upload into a new fabric */
	TORUS_CMD_FABRIC_PAUSE,		/* admin: NAME */
	TORUS_CMD_FABRIC_RESUME,	/* admin: NAME */
	TORUS_CMD_RUN_BEGIN,		/* admin: NAME VALUE: pause the fabric, and begin a run of
					 * VALUE ticks; CLOCK: to this tick; STOP_EVENT
					 * [STOP_CAUSE] [REG_NAME] [REG_VALUE] [STOP_NODES]: to the
					 * end of the tick of an event; RECORD: record events of
					 * packets. Closing the socket ends it
					 */
	TORUS_CMD_RUN_NEXT,		/* admin: NAME: do a piece of the run, or get the records
					 * that are left of it; repeat until DONE
					 */
	TORUS_CMD_NODE_INJECT,		/* admin: NAME NODE INJECT [VALUE] [GROUP]: a fault of a
					 * device, to test its driver
					 */
	__TORUS_CMD_MAX,
};

#define TORUS_CMD_MAX (__TORUS_CMD_MAX - 1)

/* Attributes; u32 and u64 are native-endian, strings NUL-terminated. */
enum torus_attr {
	TORUS_A_UNSPEC,
	TORUS_A_PAD,
	TORUS_A_FABRIC,			/* string 31: name of a fabric */
	TORUS_A_ARCH,			/* string: name of the machine, for example bgl */
	TORUS_A_DIMS,			/* binary: u32 x n: lengths of the dimensions; FABRIC_ADD:
					 * the requested shape
					 */
	TORUS_A_MESH,			/* u32: bit i: dimension i is a mesh */
	TORUS_A_SEED,			/* u64: seed of all random streams */
	TORUS_A_DOMAINS,		/* u32: number of parts that are simulated in parallel */
	TORUS_A_PARAM,			/* nest repeated: a parameter: KEY and its VALUE or TEXT */
	TORUS_A_NODE,			/* u32: number of a node, see struct torus_numbering */
	TORUS_A_DIR,			/* u32: direction: 0 = x+, 1 = x-, 2 = y+ .. */
	TORUS_A_GROUP,			/* u32: FIFO group of a node */
	TORUS_A_UID,			/* u32: user who owns a node, and may attach to it; or user
					 * of a program
					 */
	TORUS_A_PARTITION,		/* u32: partition of a node; packets stay inside a partition
					 */
	TORUS_A_COORDS,			/* binary: u32 x ndims: coordinates of a node */
	TORUS_A_REG,			/* u32: offset of a register */
	TORUS_A_REG_NAME,		/* string: name of a register */
	TORUS_A_REG_VALUE,		/* u32: contents of a register */
	TORUS_A_REG_FLAGS,		/* u32: TORUS_REG_* */
	TORUS_A_LINK_STATE,		/* u32 0..1: 0 down, 1 up */
	TORUS_A_LINK_BER,		/* u64: bit-error rate in units of 2^-64 */
	TORUS_A_LINK_CORRUPT,		/* u32: the next N packets get a wrong bit */
	TORUS_A_LINK_ESCAPE,		/* u32: the next N packets get an error that the packet CRC
					 * does not detect
					 */
	TORUS_A_LINK_DROP_ACK,		/* u32: the next N acknowledgements are lost */
	TORUS_A_LINK_CORRUPT_ACK,	/* u32: the next N acknowledgements arrive corrupted */
	TORUS_A_LINK_DELAY,		/* u64: extra delay of a link in ticks */
	TORUS_A_LINK_AT,		/* u64: tick when the fault takes effect; absent: now */
	TORUS_A_LINK_FOR,		/* u64: ticks until the fault is undone; absent: never */
	TORUS_A_LINK_PEER,		/* u32: number of the node at the other end */
	TORUS_A_LINK_TX_CRC,		/* u32: the sender's 32-bit link CRC */
	TORUS_A_LINK_RX_CRC,		/* u32: the receiver's 32-bit link CRC */
	TORUS_A_COUNTERS,		/* binary: torus_fabric_counters of a fabric,
					 * torus_link_counters of a link
					 */
	TORUS_A_NODES,			/* u32: nodes of a fabric */
	TORUS_A_MEMORY,			/* u64: bytes of memory that a fabric uses, approximately */
	TORUS_A_CONTEXTS,		/* u32: number of attached contexts: owned FIFO groups */
	TORUS_A_CLOCK,			/* u64: clock in ticks */
	TORUS_A_TICK_FS,		/* u64: femtoseconds per tick */
	TORUS_A_IN_FLIGHT,		/* u64: packets in flight */
	TORUS_A_STATE,			/* u32: enum torus_fabric_state */
	TORUS_A_KEY,			/* string: name of a parameter, inside PARAM */
	TORUS_A_VALUE,			/* u64: value of a parameter (inside PARAM), or a number as
					 * the command says
					 */
	TORUS_A_TEXT,			/* string: value of a parameter (inside PARAM), message of
					 * an event
					 */
	TORUS_A_EVENT,			/* u32: enum torus_event_type */
	TORUS_A_TRAFFIC,		/* binary: struct torus_traffic */
	TORUS_A_RESULT,			/* binary: struct torus_result */
	TORUS_A_DONE,			/* flag: the workload, or the run, has ended */
	TORUS_A_GENERATION,		/* u32: changes when a fabric is created or deleted */
	TORUS_A_FIFOS,			/* binary: struct torus_fifo_counters x n, of the FIFO
					 * groups that have been used
					 */
	TORUS_A_PAIRS,			/* binary: struct torus_pair x n */
	TORUS_A_LINK_SENDER,		/* u32: enum torus_sender_state; in replies 0 or 1 */
	TORUS_A_NODE_STATE,		/* u32 0..2: enum torus_node_state */
	TORUS_A_VCS,			/* string: names of the VCs, separated by blanks */
	TORUS_A_REG_HELP,		/* string: one-line description of a register */
	TORUS_A_LINK_ECC_SINGLE,	/* u32: the next N packets read from the link's VC buffers
					 * have one wrong bit
					 */
	TORUS_A_LINK_ECC_DOUBLE,	/* u32: the next N packets read from the link's VC buffers
					 * have two wrong bits, which cannot be corrected
					 */
	TORUS_A_LINK_PARITY,		/* u32: the next N packets have a wrong parity bit */
	TORUS_A_LINK_CONTROL,		/* u32: TORUS_LINK_* */
	TORUS_A_SHAPE,			/* binary: u32 x n: the shape as it was requested */
	TORUS_A_NUMBERING,		/* binary: struct torus_numbering */
	TORUS_A_DROPS,			/* string: names of the drop reasons, in the order of enum
					 * torus_drop, separated by blanks; "-": unused number
					 */
	TORUS_A_UNIT,			/* string: unit of VALUE, inside PARAM; absent: no unit */
	TORUS_A_LIVE,			/* flag: the parameter can be set after creation, inside
					 * PARAM
					 */
	TORUS_A_TIED,			/* flag: delete the fabric when the socket that created it
					 * is closed
					 */
	TORUS_A_CHANGED,		/* flag: dump only objects that differ from their start:
					 * nodes with an owner or a partition, or dead; links with a
					 * fault or a switch; registers with another value
					 */
	TORUS_A_LINK_BASE,		/* nest: STATE, BER and DELAY of the link without temporary
					 * faults; absent: none of them differs now
					 */
	TORUS_A_BEGUN,			/* flag: the fault is in effect */
	TORUS_A_REG_BOOT,		/* u32: initial contents of the register */
	TORUS_A_DEFAULT,		/* string: default value of a parameter, inside PARAM */
	TORUS_A_VALUES,			/* string: permitted values of a parameter, separated by
					 * blanks
					 */
	TORUS_A_MINIMUM,		/* u64: minimum VALUE of a numeric parameter */
	TORUS_A_MAXIMUM,		/* u64: maximum VALUE of a numeric parameter */
	TORUS_A_HELP,			/* string: one-line description of a parameter */
	TORUS_A_PID,			/* u32: process id, in the receiver's PID namespace */
	TORUS_A_COMMAND,		/* string: name of the process */
	TORUS_A_SIGNAL,			/* u32: signal that killed the process */
	TORUS_A_ROUTES,			/* binary: part of an image with header struct
					 * torus_xt_routes
					 */
	TORUS_A_ROUTES_AT,		/* u64: tick from which routers use the tables; absent: at
					 * once; in replies: the next tick at which new
					 * tables take effect
					 */
	TORUS_A_LINK_DROP_NACK,		/* u32: the next N nacks are lost, on machines with nacks */
	TORUS_A_TNIS,			/* binary: struct torus_tni_counters x n; of a fabric: each
					 * TNI's sum over all nodes
					 */
	TORUS_A_JOB,			/* string 31: name of a job */
	TORUS_A_VIEW,			/* binary: u32 x n: lengths of the axes of a job's view, the
					 * fastest first
					 */
	TORUS_A_MEMBERS,		/* binary: u32 x n: node number of each rank of a job */
	TORUS_A_EVICT,			/* flag: take FIFO groups and gates away from programs at
					 * the node that do not belong to its owner, and its
					 * devices away unless root owns it
					 */
	TORUS_A_TIME_HELD,		/* nest: NODE GROUP UID COMMAND PID CLOCK of the program
					 * that virtual time waits for, and VALUE: milliseconds
					 * since its clock moved; absent: none
					 */
	TORUS_A_FABRIC_STATE,		/* binary: part of a fabric's state, in the format of
					 * torus-sim's checkpoints
					 */
	TORUS_A_OPTIONS,		/* binary: options of a run in a torus-sim checkpoint, as
					 * JSON
					 */
	TORUS_A_DRIVER,			/* u32: 1: make FIFO group GROUP of the node, or all its
					 * groups, devices of /sys/bus/torus; 0: take them away.
					 * In replies 1: COMMAND is a driver, not a program
					 */
	TORUS_A_PAUSED,			/* nest: UID COMMAND PID of the process that paused the
					 * fabric, and TEXT: why it has stopped; absent: not paused
					 */
	TORUS_A_STOP_EVENT,		/* string 15: event of a packet, interrupt, access or notice
					 * that ends or has ended a run
					 */
	TORUS_A_STOP_NODES,		/* binary: u32 x n: nodes whose events end a run; absent:
					 * all nodes
					 */
	TORUS_A_RECORD,			/* flag: record the events of packets in a run */
	TORUS_A_RECORDS,		/* binary: struct torus_packet_event x n, in any order
					 * within a piece of a run
					 */
	TORUS_A_LOST,			/* u64: events that were not recorded, for want of memory
					 * or because too many waited
					 */
	TORUS_A_EARLY,			/* flag: the run has ended before its tick or its event */
	TORUS_A_UNUSED,			/* flag: fail with EBUSY if the fabric is in use:
					 * a program, a driver or gates are attached, packets are
					 * captured, a workload runs, the fabric is paused, or its
					 * life is TIED to a socket
					 */
	TORUS_A_STOP_CAUSE,		/* string 15: cause of the interrupt that ends or has ended
					 * a run
					 */
	TORUS_A_INJECT,			/* string 15: irq-lost, irq-spurious or dma-fault: VALUE
					 * times, by default once; fifo-stuck: VALUE 1 begins it, 0
					 * ends it; unplug: without VALUE
					 */
	__TORUS_A_MAX,
};

#define TORUS_A_MAX (__TORUS_A_MAX - 1)

/* Flags of a register: the accesses that it allows. */
#define TORUS_REG_READ_ONLY	(1u << 0)
#define TORUS_REG_READ_CLEARS	(1u << 1)
#define TORUS_REG_WRITE_CLEARS	(1u << 2)	/* writing a 1 clears a bit; reads return 0 */
#define TORUS_REG_RESET_CLEARS	(1u << 3)	/* only a reset of the registers clears it */

/* State of a link's sender. */
enum torus_sender_state {
	TORUS_SENDER_OFF,		/* starts no packet; packets for the link wait */
	TORUS_SENDER_ON,
	TORUS_SENDER_DEAD,		/* off; drops its packets and all packets for the link */
};

/**
 * enum torus_node_state - state of a node, set by an administrator
 * @TORUS_NODE_DEAD: the senders of its links and of the links to it are off
 * @TORUS_NODE_ALIVE: the node sends, forwards and receives packets
 * @TORUS_NODE_FAILED: dead, and the packets in it or on its links are dropped as node_failed
 */
enum torus_node_state {
	TORUS_NODE_DEAD,
	TORUS_NODE_ALIVE,
	TORUS_NODE_FAILED,
};

/* Switches of a link, set by registers of its two nodes; and the state of its sender. */
#define TORUS_LINK_NO_RESEND	(1u << 0)	/* the sender does not retransmit */
#define TORUS_LINK_DEAF		(1u << 1)	/* the receiver ignores all packets */
#define TORUS_LINK_LOOPBACK	(1u << 2)	/* the sender sends to its own node */
#define TORUS_LINK_PARKED	(1u << 3)	/* the sender waits for a change of state */
#define TORUS_LINK_DEAD		(1u << 4)	/* TORUS_SENDER_DEAD */

/* States of a fabric. */
enum torus_fabric_state {
	TORUS_FABRIC_IDLE,		/* no packet is in flight */
	TORUS_FABRIC_RUNNING,
	TORUS_FABRIC_WAITING,		/* packets wait, for example for readers, or for links that
					 * are down
					 */
	TORUS_FABRIC_DEADLOCKED,	/* the watchdog found a cycle */
	TORUS_FABRIC_FAILED,		/* stopped because it has no memory */
};

/* Events of a fabric. */
enum torus_event_type {
	TORUS_EVENT_FABRIC_ADD,		/* a fabric was created */
	TORUS_EVENT_FABRIC_DEL,		/* a fabric was deleted */
	TORUS_EVENT_FABRIC_SET,		/* parameters were set */
	TORUS_EVENT_FABRIC_RESET,	/* the fabric was reset to its first tick, or a saved state
					 * was loaded
					 */
	TORUS_EVENT_NODE_SET,		/* owner, partition, state or devices of a node were set, or
					 * programs were evicted from it
					 */
	TORUS_EVENT_REG_SET,		/* a register was written */
	TORUS_EVENT_LINK_SET,		/* faults, or the state of the sender, of a link were set */
	TORUS_EVENT_LINK_PARKED,	/* a sender stopped retrying until its link's state changes
					 */
	TORUS_EVENT_WATCHDOG,		/* TEXT names the cycle of waiting VCs of a deadlock, or
					 * reports that memory is exhausted
					 */
	TORUS_EVENT_TRAFFIC_DONE,	/* a workload has ended */
	TORUS_EVENT_WATERMARK,		/* critical interrupt of a FIFO: TEXT names it; NODE GROUP
					 */
	TORUS_EVENT_ERROR,		/* another interrupt: TEXT names its cause; NODE [DIR] */
	TORUS_EVENT_ATTACH,		/* a program or driver took a group: NODE GROUP COMMAND UID
					 * [DRIVER]
					 */
	TORUS_EVENT_DETACH,		/* a program or driver left its group: as ATTACH; SIGNAL:
					 * the one that killed the program
					 */
	TORUS_EVENT_COUNTER_RESET,	/* the counters were set to 0 */
	TORUS_EVENT_JOB_ADD,		/* a job was placed: TEXT names it */
	TORUS_EVENT_JOB_DEL,		/* a job was deleted: TEXT names it */
	TORUS_EVENT_STALL,		/* virtual time does not advance: TEXT names the program
					 * that it waits for; NODE GROUP COMMAND UID, or nothing if
					 * all programs wait
					 */
	TORUS_EVENT_FABRIC_PAUSE,	/* the fabric is paused, and has stopped for the reason
					 * TEXT; COMMAND UID of the process that paused it
					 */
	TORUS_EVENT_FABRIC_RESUME,	/* the fabric runs again after a pause */
};

#define TORUS_VCS_MAX		8	/* VCs reported per link */

/* Events of packets that are recorded. */
enum torus_packet_event_type {
	TORUS_PACKET_EVENT_INJECT,	/* the packet enters an injection FIFO of its source */
	TORUS_PACKET_EVENT_ROUTE,	/* it is routed as the head of a queue */
	TORUS_PACKET_EVENT_STALL,	/* arbitration grants it nothing */
	TORUS_PACKET_EVENT_HOP,		/* a link is granted to it */
	TORUS_PACKET_EVENT_ERROR,	/* the receiver finds a wrong CRC */
	TORUS_PACKET_EVENT_RESEND,	/* the sender retransmits it */
	TORUS_PACKET_EVENT_DELIVER,	/* its last byte was received */
	TORUS_PACKET_EVENT_DROP,	/* it is dropped, or a broadcast leaves no copy at the node
					 */
};

/**
 * struct torus_packet_event - an event of a packet
 * @tick: tick of the event
 * @about: INJECT: ticks since the packet was generated; ROUTE: mask of its alternatives, bit
 *         dir * VCs + vc, 0 at its destination; STALL: enum torus_stall; HOP: ticks until the
 *         transmission begins, 0 with bounded link queues; DROP: enum torus_drop
 * @node: number of the node
 * @src: number of the packet's source
 * @seq: sequence number at the source, from 0
 * @dst: number of its destination
 * @hops: number of links that were granted to it so far
 * @event: enum torus_packet_event_type
 * @dir: direction of the link
 * @vc: VC of the link
 * @chunks: length of the packet in chunks
 * @invalid: 1: the packet was forwarded before an error was found in it
 * @reserved: 0
 */
struct torus_packet_event {
	__u64 tick;
	__u64 about;
	__u32 node;
	__u32 src;
	__u32 seq;
	__u32 dst;
	__u16 hops;
	__u8 event;
	__u8 dir;
	__u8 vc;
	__u8 chunks;
	__u8 invalid;
	__u8 reserved;
};

#define TORUS_RECORDS_PART	160u	/* maximum number of events in a reply */

/* Why arbitration did not move the packet at the head of a VC. */
enum torus_stall {
	TORUS_STALL_TOKEN,		/* the link was free, but the VC had too few tokens */
	TORUS_STALL_LOST,		/* another packet won the link */
	TORUS_STALL_BUBBLE,		/* space for one packet, but entry to the bubble VC needs
					 * two
					 */
	TORUS_STALL_BUS,		/* both transfer buses of the receiver were busy; on Cray
					 * XT: the output's queue had no space
					 */
	TORUS_STALL_MAX,
};

/* Why a packet was dropped; each drop is counted under one of these reasons. */
enum torus_drop {
	TORUS_DROP_NO_LISTENER,		/* the destination's FIFO group has no owner, or another one
					 * than when the packet was sent
					 */
	TORUS_DROP_HOP_LIMIT,		/* more hops than hop_limit: misprogrammed registers */
	TORUS_DROP_RX_STALL,		/* the reader did not read for rx_stall ticks */
	TORUS_DROP_NO_ROUTE,		/* the header leads to no output */
	TORUS_DROP_RESET,		/* the fabric, or the part with the packet, was reset */
	TORUS_DROP_ECC,			/* read from a buffer with an uncorrectable error */
	TORUS_DROP_LINK_DEAD,		/* in a link with a dead sender, or waiting for it */
	TORUS_DROP_NODE_FAILED,		/* in a node that failed, or on its links */
	TORUS_DROP_MACHINE = 8,		/* first reason of the machine's own: TORUS_A_DROPS */
	TORUS_DROP_MAX = 16,
};

/**
 * struct torus_link_counters - counters of a link, at the sender unless the text says otherwise
 *
 * In this struct, torus_fifo_counters, torus_tni_counters and torus_fabric_counters a comment
 * "[UNIT] help" adds the counter to the tables that torusctl, the JSON schema and the manual page
 * share (scripts/uapi.py).  "[UNIT now] help" is a value that also decreases.
 */
struct torus_link_counters {
	__u64 packets[TORUS_VCS_MAX];	/* first transmissions, by VC */
	__u64 chunks[TORUS_VCS_MAX];	/* chunks of first transmissions, by VC */
	__u64 stalls[TORUS_STALL_MAX];	/* stalls, by enum torus_stall */
	__u64 busy_ticks;		/* [ticks] the link was busy, including retransmissions */
	__u64 resends;			/* [packets] retransmitted */
	__u64 acks;			/* [acknowledgements] received */
	__u64 crc_header_errors;	/* [packets] received with a wrong CRC-8 in the header */
	__u64 crc_packet_errors;	/* [packets] received with a wrong packet CRC */
	__u64 sequence_errors;		/* [packets] discarded by the receiver as out of order */
	__u64 ack_errors;		/* [acknowledgements] lost or corrupted */
	__u64 invalid;			/* [packets] discarded because the valid byte was cleared */
	__u64 timeouts;			/* [timeouts] waiting for an acknowledgement */
	__u64 escapes;			/* [errors] injected that the packet CRC does not detect */
};

/**
 * struct torus_fifo_counters - counters of a modelled FIFO of a node
 */
struct torus_fifo_counters {
	__u32 group;
	__u32 receive;			/* 1: a reception FIFO, 0: an injection FIFO */
	__u32 fifo;			/* number of the FIFO in its group */
	__u32 watermark;		/* chunks: watermark of its critical interrupts */
	__u32 chunks;			/* [chunks now] in the FIFO */
	__u32 high_water;		/* [chunks now] maximum so far */
	__u32 checksum;			/* injection: CRC-32 of the accepted packets */
	__u32 interrupts;		/* [interrupts] critical interrupts raised */
	__u64 packets;			/* [packets] injection: accepted; reception: delivered, with
					 * notices of engines
					 */
};

#define TORUS_TNIS_MAX		8	/* maximum number of network interfaces of a node */

/**
 * struct torus_tni_counters - counters of one of a node's network interfaces (Tofu)
 *
 * The packets and bytes are those of software, of memory operations and of gates.  A packet has as
 * many bytes as on a link.  A packet to its own node counts as sent and as received.  The other
 * counters are about memory operations only.
 */
struct torus_tni_counters {
	__u64 packets_sent;		/* [packets] sent to other nodes or to the own node */
	__u64 bytes_sent;		/* [bytes] of the packets sent */
	__u64 packets_received;		/* [packets] received without damage */
	__u64 bytes_received;		/* [bytes] of the packets received */
	__u64 commands;			/* [commands] of programs, accepted for execution */
	__u64 notices;			/* [notices] written to reception rings of programs */
	__u64 waits;			/* [packets] that waited for space to enter the network */
	__u64 errors;			/* [commands] that ended with an error */
	__u64 refused;			/* [operations] of other nodes rejected by this node */
};

#define TORUS_HIST_BUCKETS	512
#define TORUS_HOPS_MAX		256

/**
 * struct torus_fabric_counters - counters of a fabric
 *
 * Latency is measured in ticks, from the packet's generation to its last byte received.  A user's
 * packet is generated when the kernel copies it out of the ring.
 */
struct torus_fabric_counters {
	__u64 clock;			/* ticks */
	__u64 tick_fs;			/* femtoseconds per tick */
	__u64 injected;			/* [packets] entered the network */
	__u64 delivered;		/* [packets] received by their destination */
	__u64 dropped[TORUS_DROP_MAX];	/* packets dropped, by enum torus_drop */
	__u64 refused;			/* [packets] rejected at injection */
	__u64 in_flight;		/* [packets now] in flight */
	__u64 hops_total;		/* hops of all packets so far */
	__u64 hops_delivered;		/* hops of the delivered packets */
	__u64 latency_sum;
	__u64 latency_max;
	__u64 events;			/* [events] simulated */
	__u64 resends;			/* [resends] of packets by links */
	__u64 crc_errors;		/* [errors] found by CRCs of links */
	__u64 hash;			/* delivery hash */
	__u64 hops_max;
	__u64 links;			/* [links now] of the fabric */
	__u64 links_differ;		/* [links now] that are idle and have two different CRCs */
	__u64 unread;			/* [packets] delivered, but not read before their reader
					 * left
					 */
	__u64 reserved[7];
	/* by number of hops, 0..31, the last element for 31 and more: packets, latency sum, max */
	__u64 hop_packets[32];
	__u64 hop_latency_sum[32];
	__u64 hop_latency_max[32];
};

/* Patterns of the synthetic workload. */
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
	TORUS_PATTERN_TABLE,		/* file:NAME, a list of struct torus_pair */
	TORUS_PATTERN_BITREV,
	TORUS_PATTERN_SHUFFLE,
	TORUS_PATTERN_PERMUTATION,	/* a random permutation from the seed */
	TORUS_PATTERN_STENCIL,
	TORUS_PATTERN_HOTSPOT,
	TORUS_PATTERN_MAX,
};

#define TORUS_HOTS_MAX		64	/* maximum number of nodes of a hot spot */

/**
 * struct torus_traffic - a synthetic workload
 * @pattern: enum torus_pattern
 * @size_min: minimum bytes of a packet that software sees, header included
 * @size_max: maximum bytes of a packet; sizes are uniformly distributed
 * @load: offered load as a fraction of the pattern's peak, in units of 2^-32;
 *        0: closed loop with @packets
 * @packets: closed loop: packets for each source and destination (alltoall*,
 *           hotregion, file), for each root (fills) or for each node
 * @warmup: ticks before the measured window
 * @cycles: ticks of the measured window; 0, in closed loop only: until all packets have ended
 * @region: lengths of the hot region
 * @region_at: lowest corner of the hot region; root of a fill: x for linefill, x and y for
 *             planefill
 * @share: fraction of the packets that goes to the region or to the hot nodes, in units of 2^-32
 * @arrivals: 0 Poisson, 1 Bernoulli
 * @pacing: closed loop: injection rate of a node as a fraction of the pattern's peak rate, in
 *          units of 2^-32; 0: limited only by free space in the injection FIFOs
 * @batches: number of equal parts of the window; the spread of their means gives the confidence
 *           interval, at most 4096 and one per tick; 0: 16, or @cycles if that is less, at least 1
 * @packet_class: class of the packets, 0 on machines without classes
 * @burst: open loop: mean number of packets in a burst; 0, 1: no bursts
 * @hots: number of hot nodes
 * @hot: numbers of the hot nodes, see struct torus_numbering
 * @reply: bytes of the reply that the receiver of each packet sends; 0: no replies
 * @outstanding: with @reply: maximum number of a node's requests without a reply; 0: no limit
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

#define TORUS_PAIRS_MAX		(1u << 22)	/* maximum number of pairs in a list */
#define TORUS_WEIGHT_MAX	1000000u

/**
 * struct torus_pair - a source and one of its destinations, in the list of pattern file:NAME
 * @src: number of the source node, see struct torus_numbering
 * @dst: number of the destination node, which must differ from @src
 * @weight: 1 to TORUS_WEIGHT_MAX: open loop: packet rate of the pair relative to the other pairs;
 *          closed loop: ignored, all pairs send the same number
 * @reserved: must be zero
 */
struct torus_pair {
	__u32 src;
	__u32 dst;
	__u32 weight;
	__u32 reserved;
};

/**
 * struct torus_result - measurements of a workload
 *
 * All values are integers: programs that print ratios compute them.  Members win_* count only the
 * measured window.
 */
struct torus_result {
	__u64 done;			/* 0: still running, 1: ended, 2: stuck: no packet in flight
					 * can move, or nodes wait for lost replies, 3: failed
					 */
	__u64 clock;			/* current tick */
	__u64 window_start;
	__u64 window_end;
	__u64 nodes;
	__u64 links;
	__u64 tick_fs;
	__u64 injected;			/* members from here to @backlog count the whole run */
	__u64 delivered;
	__u64 dropped;
	__u64 retransmitted;
	__u64 in_flight;
	__u64 hops_total;
	__u64 events;
	__u64 hash;
	__u64 backlog;			/* packets that still wait at their source */
	/* counted in the measured window */
	__u64 win_generated;
	__u64 win_injected;
	__u64 win_delivered;
	__u64 win_latency_sum;
	__u64 win_latency_max;
	__u64 win_latency_p50;
	__u64 win_latency_p99;
	__u64 win_network_latency_sum;	/* from the injection FIFO to the last byte received */
	__u64 win_hops_sum;
	__u64 win_hops_max;
	__u64 win_busy[TORUS_DIMS_MAX];	/* ticks that links are busy, summed by dimension */
	__u64 win_payload_bytes;	/* payload bytes transmitted, summed over links */
	__u64 win_population_ticks;	/* packets in the network, summed over all ticks */
	__u64 win_half_delivered[2];	/* packets of each half of the window */
	__u64 win_half_latency[2];
	__u64 dim_links[TORUS_DIMS_MAX];	/* number of directed links of each dimension */
	__u64 vc_packets[TORUS_VCS_MAX];
	__u64 conservation;		/* 1: injected + deposits =
					 * delivered + in flight + dropped
					 */
	__u64 tokens;			/* 1: no token is missing or extra, and each bubble ring has
					 * its free space
					 */
	__u64 peak_num;			/* num / den: ticks that the busiest link or port needs for
					 * one packet per node (open loop), or for all packets
					 */
	__u64 peak_den;			/* denominator of peak_num */
	__u64 memory;			/* bytes of memory that the fabric uses, approximately */
	/* mean chunks in all buffers of a VC, sampled at each end of a batch, in units of 2^-8 */
	__u64 vc_occupancy[TORUS_VCS_MAX];
	__u64 deposits;			/* broadcast copies left at nodes, whole run */
	__u64 win_bytes;		/* bytes of the packets delivered in the window */
	/* counted in the measured window of a workload with replies */
	__u64 win_requests;		/* requests received */
	__u64 win_request_latency_sum;
	__u64 win_request_latency_max;
	__u64 win_replies;		/* replies received */
	__u64 win_reply_latency_sum;	/* from the request's last byte to the reply's last byte */
	__u64 win_reply_latency_max;
	__u64 win_trip_sum;		/* from the request's generation to the reply's last byte */
	__u64 win_trip_max;
	__u64 reserved[6];
};

#endif /* _UAPI_LINUX_TORUS_H */
