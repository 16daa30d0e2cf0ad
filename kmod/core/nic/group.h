/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NIC of a node, as software sees it: FIFO groups that a client takes,
 * injects through and receives from.  Clients are the contexts of /dev/torus;
 * a network device or a driver under development may be others.
 *
 * A FIFO group has a generation, one more at every attach and detach.  A packet
 * belongs to the generation that held the destination's group when it was
 * injected; a new owner never sees its predecessor's packets.
 */
#ifndef TORUS_CORE_NIC_H
#define TORUS_CORE_NIC_H

#include "core/env.h"
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
 * struct torus_nic_ops - what a client does for its FIFO group
 *
 * Called with the fabric held, from the thread that runs the node's domain;
 * must not sleep long and must not call back into the fabric.
 *
 * @ready: may be NULL; bit i: @pull may have something of injection FIFO i, as far as can be seen
 *         at a glance.  It is not called for others
 * @pull: copy the next packet of injection FIFO @fifo into @bytes
 *        (packet_chunks_max * chunk_bytes long), whole, if it has at most @room
 *        chunks.  Return its chunks, 0 when there is none or it is too long for
 *        @room.  The core judges the copy.  @number, out: by which @lost shall call it.
 *        With TORUS_NIC_LAST there is none behind it, as far as @ready could tell
 * @refused: the packet that @pull gave last was refused with TORUS_REFUSE_* @code
 * @accepted: it was accepted
 * @push: take a received packet of @chunks into the client's memory.  Return
 *        false when there is no room: it stays in the reception FIFO.
 * @notify: something was pushed, or room was made in an injection FIFO
 * @interrupt: may be NULL; a critical interrupt that is not masked: the contents
 *             of injection FIFO @fifo fell below its watermark, or, with @receive,
 *             those of reception FIFO @fifo rose above it (core/nic/fifo_status.h)
 * @lost: may be NULL; between two runs: a packet of this client's did not arrive
 * @ended: may be NULL; between two runs, behind every @lost that belongs to it: so many
 *         packets accepted from this client have come to an end
 * @memory: may be NULL: it has none; reach into the client's memory: enum torus_access_answer
 * @records: may be NULL; at the attachment: zeroed memory of torus_nic_record_bytes(), owned by the
 *           client, which the group uses until it is detached.  Without it the core allocates that
 *           memory
 */
struct torus_nic_ops {
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

/* Watermark registers of a FIFO group: pool and priority of reception, then injection FIFOs. */
#define TORUS_NIC_WATERMARKS	(2 + TORUS_NIC_INJECT_MAX)

/**
 * struct torus_nic_fifo - what a modelled reception FIFO holds
 * @head: first packet, TORUS_NONE if empty
 * @tail: last packet
 * @chunks: chunks held or reserved
 * @whole: chunks held of packets that are there to their last byte
 * @high_water: most chunks held or reserved
 * @interrupts: critical interrupts that its watermark has raised
 * @packets: packets that went through
 * @arrived: tick when the last byte of the packet came that was handed over last
 * @blocked_since: tick since which the client has had no room; 0: it has
 * @stall_told: the node has been looked at since that has lasted for rx_stall
 * @queued: number of packets that have come, modulo 2^32
 * @taken: number of those that are not there any more, modulo 2^32
 * @record: index of the first record of the machine's own NIC, see core/nic/record.h
 * @record_tail: index of the last one
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
	bool stall_told;
	u32 queued;
	u32 taken;
	u16 record;
	u16 record_tail;
};

/**
 * struct torus_nic_inject - what is counted of an injection FIFO, see core/nic/fifo_status.h
 * @packets: packets accepted
 * @busy_since: tick when it last became non-empty
 * @high_water: most chunks held
 * @level: chunks held when it was last looked at
 * @checksum: of what was accepted
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
 * struct torus_nic - a FIFO group of a node, from when it is first attached to or set up
 * @ops: the client's, NULL when nobody holds the group
 * @client: the client
 * @generation: see above
 * @vtime: its program's client of virtual time; NULL: it has none
 * @epoch: the fabric's when the group was taken
 * @left: the fabric's when the group was last given back
 * @sequence: of the next packet
 * @priority: the client may inject priority packets
 * @leaving: the client reads no more
 * @reported: completions or losses were reported since it was last notified
 * @waits: bit i: a packet waits in reception FIFO i
 * @accepted: packets taken from the client
 * @ended: those that have ended, broadcasts without their copies
 * @completed: packets reported to it as completed
 * @node: the node
 * @group: the group
 * @records: records of the machine's own NIC that wait; NULL if it has none, or the group has no
 *           client
 * @receive: reception FIFOs
 * @inject: injection FIFOs
 * @watermark: of TORUS_NIC_WATERMARK_*, in chunks
 * @marked: bit i: injection FIFO i has one
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
 * torus_nic_attach() - take a FIFO group
 * @f: the fabric, held and at rest between two runs
 * @node: number of the node
 * @group: FIFO group
 * @priority: with the right to inject priority packets
 * @ops: the client's operations
 * @client: handed to them
 * @generation: out: the group's new generation
 * @err: why it was refused
 *
 * If several processes simulate the fabric, each calls it for all groups that any of them takes,
 * in the same order.  Groups of another process's nodes are only marked as held; @ops is never
 * called for them.
 *
 * Return: 0, -EINVAL for a node or group outside the machine, -EBUSY when the
 * group is taken, -ENOMEM.
 */
int torus_nic_attach(struct torus_fabric *f, u32 node, u32 group, bool priority,
		     const struct torus_nic_ops *ops, void *client, u32 *generation,
		     struct torus_error *err);

/**
 * torus_nic_leave() - a client's program has gone, and reads no more
 * @f: the fabric, held
 * @node: number of the node
 * @group: FIFO group
 *
 * What it wants injected is still taken, until torus_nic_detach(); what waits in its
 * reception FIFOs, and what comes, is thrown away and told to its senders.
 */
void torus_nic_leave(struct torus_fabric *f, u32 node, u32 group);

/**
 * torus_nic_detach() - give a FIFO group back
 * @f: the fabric, held
 * @node: number of the node
 * @group: FIFO group
 *
 * What the group has injected still arrives; what waits in its reception FIFOs
 * is counted as unread.
 */
void torus_nic_detach(struct torus_fabric *f, u32 node, u32 group);

/**
 * torus_nic_poll() - look at every client's rings
 * @f: the fabric, held
 *
 * Takes what clients want injected while the modelled FIFOs have room, hands received
 * packets to clients that have room again, and tells what has become of the packets sent.
 *
 * Return: true if anything moved.
 */
bool torus_nic_poll(struct torus_fabric *f);

/**
 * torus_nic_look() - look at one client's rings
 * @f: the fabric, held
 * @node: number of the node
 * @group: FIFO group
 *
 * As torus_nic_poll(), of one group alone.
 *
 * Return: true if anything moved.
 */
bool torus_nic_look(struct torus_fabric *f, u32 node, u32 group);

/**
 * torus_nic_left() - were packets left in a ring, though there was room for them?
 * @f: the fabric, held
 *
 * A look takes so many, and no more; and so does a node that refills its FIFOs.
 *
 * Return: true if so since this was last asked.
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

/* Clients' requests that wait for memory. */
enum torus_wanting {
	TORUS_WANTING_NONE,
	TORUS_WANTING_SOME,	/* some wait */
	TORUS_WANTING_AGAIN,	/* the next run tries them again */
};

/**
 * torus_nic_wants() - check whether clients' requests wait for memory
 * @f: the fabric, held
 *
 * torus_nic_poll() tries them again.  Memory may come free in another fabric, so it has to be
 * called now and then while this is true, also if nothing moves.
 *
 * Return: true if so.
 */
bool torus_nic_wants(const struct torus_fabric *f);

/**
 * torus_nic_kept_bytes() - memory that a FIFO group's requests take of the fabric's in any case
 * @arch: the machine
 *
 * Return: bytes.
 */
size_t torus_nic_kept_bytes(const struct torus_arch *arch);

/* Packets that wait in its reception FIFOs go to a client while it has room (held). */
bool torus_nic_drain(struct torus_fabric *f, struct torus_nic *nic);

/* Tick at a node: inside a client's operation, the tick being simulated. */
u64 torus_nic_clock(struct torus_fabric *f, u32 node);

/* True if a received packet waits for a client that has no room (fabric held). */
torus_inline bool torus_nic_blocked(struct torus_fabric *f)
{
	u32 i;

	for (i = 0; i < f->nattached; i++)
		if (f->nic[f->attached[i]]->waits)
			return true;
	return false;
}

/* What waits in a node's reception FIFOs is lost: unread (fabric held). */
void torus_nic_flush(struct torus_fabric *f, u32 node);

/* What the fabric's reset and its counters' do to FIFO groups (held). */
void torus_nic_reset(struct torus_fabric *f);

/* The group's FIFOs, NULL where nothing has ever been attached or set. */
torus_inline struct torus_nic *torus_nic_get(struct torus_fabric *f, u32 node, u32 group)
{
	return f->nic ? f->nic[torus_group_index(f, node, group)] : NULL;
}

/* Chunks that a reception FIFO of a node now holds. */
torus_inline u32 torus_nic_receive_chunks(struct torus_fabric *f, u32 node, u32 group, u32 fifo)
{
	const struct torus_nic *nic = torus_nic_get(f, node, group);

	return nic && nic->ops ? nic->receive[fifo].chunks : 0;
}

/* The same, made if need be (held); NULL: no memory. */
struct torus_nic *torus_nic_make(struct torus_fabric *f, u32 node, u32 group);

/* The router's side (domain's thread). */
bool torus_nic_admit(struct torus_domain *d, u32 node, struct torus_packet *p, u32 fifo,
		     u32 *drop);
void torus_nic_receive(struct torus_domain *d, u32 node, u32 pkt, u32 fifo);

bool torus_nic_tell(struct torus_domain *d, const struct torus_packet *record, u32 fifo,
		    const u8 *bytes);

#endif /* TORUS_CORE_NIC_H */
