/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NIC of a node as software sees it: FIFO groups, to which a client attaches to inject and
 * receive packets. Clients are the contexts of /dev/torus; a network device or a driver under
 * development could be others.
 *
 * Each attachment and each detachment increments the generation of a FIFO group. A packet belongs
 * to the generation that the destination's group had at injection: a new client never receives its
 * predecessor's packets.
 */
#ifndef TORUS_CORE_NIC_H
#define TORUS_CORE_NIC_H

#include "core/platform.h"
#include "core/error.h"
#include "core/state/domain.h"

struct torus_access;
struct torus_vtime_client;
struct torus_fabric;
struct torus_domain;
struct torus_lost_packet;
struct torus_packet;
struct torus_nic_records;

/**
 * struct torus_nic_ops - operations of a client for its FIFO group
 * @packets_only: commands to the machine's own NIC are rejected with TORUS_REFUSE_COMMAND, and the
 *   group has no memory for records
 * @ready: may be NULL; return a mask of the injection FIFOs for which @pull may have a packet, from
 *   a cheap check. @pull is not called for other FIFOs
 * @pull: copy the next packet of injection FIFO @fifo, complete, into @bytes (packet_chunks_max *
 *   chunk_bytes long), if it has at most @room chunks. Return its chunks; 0 if there is no packet
 *   or @room is too small for it. The core validates the copy. @number: [out] the client's number
 *   of the packet, for @lost. Set TORUS_NIC_LAST in the result if, as far as @ready could see, no
 *   packet follows
 * @refused: the core rejected the packet that @pull returned last; @code: TORUS_REFUSE_*
 * @accepted: the core accepted the packet that @pull returned last
 * @push: copy a received packet of @chunks into the client's memory. Return false if there is no
 *   free space: the packet stays in the reception FIFO
 * @notify: wake the client: packets were pushed or pulled, or their ends were reported
 * @interrupt: may be NULL; a critical interrupt was raised and is not masked: the contents of
 *   injection FIFO @fifo fell below its watermark, or, with @receive, those of reception FIFO @fifo
 *   rose above it (core/nic/fifo_status.h)
 * @lost: may be NULL; called between two runs: a packet of this client did not arrive,
 *   or it is blocked (TORUS_NOTICE_WAITS)
 * @ended: may be NULL; called between two runs, after each @lost of the same packets: total number
 *   of packets from this client that have completed
 * @memory: access the client's memory, return enum torus_access_answer; NULL: the client has no
 *   memory for remote access
 * @records: may be NULL; called at the attachment: return zeroed memory of
 *   torus_nic_record_bytes(). The client owns it, the group uses it until the detachment. If NULL,
 *   the core allocates this memory
 *
 * Called with the fabric locked; during a run, by the thread that runs the node's domain. An
 * operation must not sleep long. It must not change the fabric, except by torus_nic_wake() and
 * torus_nic_wake_by().
 */
struct torus_nic_ops {
	bool packets_only;
	u32 (*ready)(void *client);
	u32 (*pull)(void *client, u32 fifo, u32 room, u8 *bytes, u32 *number);
	void (*refused)(void *client, u32 fifo, u32 code);
	void (*accepted)(void *client, u32 fifo);
	bool (*push)(void *client, u32 fifo, const u8 *bytes, u32 chunks);
	void (*notify)(void *client);
	void (*interrupt)(void *client, bool receive, u32 fifo);
	void (*lost)(void *client, const struct torus_lost_packet *loss);
	void (*ended)(void *client, u64 completed);
	u32 (*memory)(void *client, struct torus_access *access);
	struct torus_nic_records *(*records)(void *client);
};

#define TORUS_NIC_LAST		(1u << 31)

#define TORUS_NIC_INJECT_MAX	TORUS_INJECT_MAX
#define TORUS_NIC_RECEIVE_MAX	TORUS_RECEIVE_MAX

/* Watermark registers of a FIFO group: normal reception, priority reception, injection FIFOs. */
#define TORUS_NIC_WATERMARKS	(2 + TORUS_NIC_INJECT_MAX)

/**
 * struct torus_nic_fifo - state of a modelled reception FIFO
 * @head: first packet, TORUS_NONE if empty
 * @tail: last packet
 * @chunks: chunks in use or reserved
 * @whole: chunks of complete packets, and of records of the machine's own NIC
 * @high_water: maximum of @chunks when space for a packet was reserved
 * @interrupts: critical interrupts that its watermark has raised
 * @packets: number of packets and records that were delivered to the client
 * @arrived: tick at which the packet or record arrived that was last offered to the client
 * @blocked_since: tick, rounded up to an odd one, since which the first packet or record has waited
 *   for free space of the client; 0: none waits
 * @stall_reported: @blocked_since is older than rx_stall, and the node has been touched so that the
 *   router notices
 * @queued: number of packets that have entered, modulo 2^32
 * @taken: number of packets that have left, modulo 2^32
 * @record: index of the first record of the machine's own NIC, see core/nic/record.h
 * @record_tail: index of the last record
 */
struct torus_nic_fifo {
	u32 head;
	u32 tail;
	u32 chunks;
	u32 whole;
	u32 high_water;
	u32 interrupts;
	u64 packets;
	u64 arrived;
	u64 blocked_since;
	bool stall_reported;
	u32 queued;
	u32 taken;
	u16 record;
	u16 record_tail;
};

/**
 * struct torus_nic_inject - counters of an injection FIFO, see core/nic/fifo_status.h
 * @packets: number of accepted packets
 * @busy_since: tick at which it last became non-empty
 * @high_water: maximum of its chunks
 * @level: chunks at the last injection, or setting or check of the watermark
 * @checksum: checksum of the accepted packets
 * @interrupts: critical interrupts that its watermark has raised
 */
struct torus_nic_inject {
	u64 packets;
	u64 busy_since;
	u32 high_water;
	u32 level;
	u32 checksum;
	u32 interrupts;
};

/**
 * struct torus_nic - a FIFO group of a node; exists from its first attachment or watermark on
 * @ops: operations of the client; NULL if no client is attached
 * @client: argument of @ops
 * @generation: generation of the group at the last attachment
 * @vtime: virtual-time client of the group's program, or NULL
 * @epoch: epoch of the fabric at the attachment
 * @left: epoch of the fabric at the last detachment
 * @sequence: sequence number of the next packet
 * @priority: the client may inject priority packets
 * @leaving: the client's program has left and reads no more packets
 * @reported: completions or losses were reported, and the client was not notified yet
 * @waits: bit i: a packet or record waits in reception FIFO i
 * @accepted: number of the client's packets that the core has accepted; commands do not count
 * @ended: number of these packets that have ended; broadcasts count without their copies
 * @completed: number of packets reported to the client as completed
 * @node: index of the node
 * @group: index of the group in the node
 * @records: waiting records of the machine's own NIC; NULL if the machine has none, if no client is
 *   attached, if the client takes only packets, or for a program that has left virtual time
 * @receive: reception FIFOs
 * @inject: injection FIFOs
 * @watermark: watermarks in chunks, by TORUS_NIC_WATERMARK_*
 * @marked: bit i: injection FIFO i has a watermark
 */
struct torus_nic {
	const struct torus_nic_ops *ops;
	void *client;
	struct torus_vtime_client *vtime;
	u32 generation;
	u32 epoch;
	u32 left;
	u32 sequence;
	bool priority;
	bool leaving;
	bool reported;
	u32 waits;
	u64 accepted;
	u64 ended;
	u64 completed;
	u32 node;
	u32 group;
	struct torus_nic_records *records;
	struct torus_nic_fifo receive[TORUS_NIC_RECEIVE_MAX];
	struct torus_nic_inject inject[TORUS_NIC_INJECT_MAX];
	u32 watermark[TORUS_NIC_WATERMARKS];
	u32 marked;
};

/**
 * torus_nic_attach() - attach a client to a FIFO group
 * @f: the fabric, locked and idle between two runs
 * @node: index of the node
 * @group: FIFO group
 * @priority: the client may inject priority packets
 * @ops: the client's operations
 * @client: argument of @ops
 * @generation: [out] new generation of the group
 * @err: [out] reason of a failure
 *
 * If several processes simulate the fabric, each process calls this function for all groups that
 * any of them attaches, in the same order. Groups on nodes of another process are only marked as
 * attached; @ops is never called for them.
 *
 * Return: 0, -EINVAL for a node or group outside the machine, -EBUSY if a group on a node of this
 * process has a client or the fabric runs a workload, -EOPNOTSUPP if the machine has no FIFOs for
 * programs, -ENOMEM.
 */
int torus_nic_attach(struct torus_fabric *f, u32 node, u32 group, bool priority,
		     const struct torus_nic_ops *ops, void *client, u32 *generation,
		     struct torus_error *err);

/**
 * torus_nic_leave() - stop delivering to a client whose program leaves
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group
 *
 * Packets of the client are still injected until torus_nic_detach(). Packets in its reception
 * FIFOs, and packets that arrive later, are discarded and reported to their senders.
 */
void torus_nic_leave(struct torus_fabric *f, u32 node, u32 group);

/**
 * torus_nic_detach() - detach the client of a FIFO group
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group
 *
 * Packets that the group has injected still arrive. Packets in its reception FIFOs are discarded
 * and counted as unread.
 */
void torus_nic_detach(struct torus_fabric *f, u32 node, u32 group);

/**
 * torus_nic_poll() - poll the rings of all clients
 * @f: the fabric, locked
 *
 * Inject packets of clients while the modelled FIFOs have space, up to a limit. Deliver received
 * packets to clients that have space again, and report completions and losses.
 *
 * Return: true if a packet was moved or rejected.
 */
bool torus_nic_poll(struct torus_fabric *f);

/**
 * torus_nic_look() - poll the rings of one client
 * @f: the fabric, locked
 * @node: index of the node
 * @group: FIFO group
 *
 * Does the same as torus_nic_poll() for one group, but reports completions and losses to all
 * clients, and retries no requests that wait for memory.
 *
 * Return: true if a packet was moved or rejected.
 */
bool torus_nic_look(struct torus_fabric *f, u32 node, u32 group);

/**
 * torus_nic_left() - check whether a limit may have left packets in a ring
 * @f: the fabric, locked
 *
 * A poll, and a node that refills its FIFOs, takes a limited number of packets.
 *
 * Return: true if a limit was reached since the last call.
 */
torus_inline bool torus_nic_left(struct torus_fabric *f)
{
	bool left = false;
	u32 i;

	for (i = 0; i < f->ndomains; i++) {
		left |= f->domain[i].left;
		f->domain[i].left = false;
	}
	return left;
}

/* State of clients' requests that wait for memory. */
enum torus_wanting {
	TORUS_WANTING_NONE,
	TORUS_WANTING_SOME,	/* some requests wait */
	TORUS_WANTING_AGAIN,	/* the next run retries the requests that wait */
};

/**
 * torus_nic_wants() - check whether clients' requests wait for memory
 * @f: the fabric, locked
 *
 * torus_nic_poll() retries them. Another fabric may free memory, so while this function returns
 * true the caller must poll from time to time, even if no packet moves.
 */
bool torus_nic_wants(const struct torus_fabric *f);

/**
 * torus_nic_kept_bytes() - compute the memory that the fabric reserves for a FIFO group's requests
 *
 * Return: size in bytes.
 */
size_t torus_nic_kept_bytes(const struct torus_arch *arch);

/*
 * Deliver the packets in a group's reception FIFOs while its client has free space (fabric locked).
 */
bool torus_nic_drain(struct torus_fabric *f, struct torus_nic *nic);

/* Current tick of a node; in a client's operation, the tick that is being simulated. */
u64 torus_nic_clock(struct torus_fabric *f, u32 node);

/* Check whether a received packet or record waits for free space of a client (fabric locked). */
torus_inline bool torus_nic_blocked(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->nattached; i++)
		if (f->nic[f->attached[i]]->waits)
			return true;
	return false;
}

/* Discard the packets and records in a node's reception FIFOs as unread (fabric locked). */
void torus_nic_flush(struct torus_fabric *f, u32 node);

/* Reset the FIFO groups when the fabric is reset (fabric locked). */
void torus_nic_reset(struct torus_fabric *f);

/* Find a FIFO group; NULL if it was never attached or set up. */
torus_inline struct torus_nic *torus_nic_get(struct torus_fabric *f, u32 node, u32 group)
{
	return f->nic ? f->nic[torus_group_index(f, node, group)] : NULL;
}

/* Number of chunks in a reception FIFO of a node, including reserved ones. */
torus_inline u32 torus_nic_receive_chunks(struct torus_fabric *f, u32 node, u32 group, u32 fifo)
{
	const struct torus_nic *nic = torus_nic_get(f, node, group);

	return nic && nic->ops ? nic->receive[fifo].chunks : 0;
}

/* Find a FIFO group, or create it (fabric locked); NULL if memory is exhausted. */
struct torus_nic *torus_nic_make(struct torus_fabric *f, u32 node, u32 group);

/* Called in the domain's thread. */
bool torus_nic_admit(struct torus_domain *d, u32 node, struct torus_packet *p, u32 fifo,
		     u32 *drop);
void torus_nic_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo);

bool torus_nic_report(struct torus_domain *d, const struct torus_packet *record, u32 fifo,
		      const u8 *bytes);

#endif /* TORUS_CORE_NIC_H */
