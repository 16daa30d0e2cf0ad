// SPDX-License-Identifier: GPL-2.0
/* Records of the machine's own NIC that wait for their client: see told.h. */
#include "core/nic/told.h"

/**
 * torus_told_bytes() - memory for the records of a FIFO group
 * @arch: the machine
 *
 * Return: bytes; 0: its NIC has no records for clients.
 */
size_t torus_told_bytes(const struct torus_arch *arch)
{
	return arch->command ? sizeof(struct torus_tolds) : 0;
}

/**
 * torus_told_begin() - give a FIFO group memory for its records
 * @f: the fabric
 * @nic: the group, with its new client
 *
 * The client's if it lends some, see struct torus_nic_ops.
 *
 * Return: false without memory.
 */
bool torus_told_begin(const struct torus_fabric *f, struct torus_nic *nic)
{
	if (!torus_told_bytes(f->arch))
		return true;
	nic->tolds = nic->ops->told ? nic->ops->told(nic->client) :
				     torus_grow(sizeof(*nic->tolds));
	if (!nic->tolds)
		return false;
	nic->tolds->own = !nic->ops->told;
	torus_told_clear(nic);
	return true;
}

/**
 * torus_told_end() - take a FIFO group's memory for records away
 * @nic: the group; its records are lost
 */
void torus_told_end(struct torus_nic *nic)
{
	torus_told_clear(nic);
	if (nic->tolds && nic->tolds->own)
		torus_free(nic->tolds, sizeof(*nic->tolds));
	nic->tolds = NULL;
}

/**
 * torus_told_clear() - discard all records of a FIFO group
 * @nic: the group; its reception FIFOs' chunks are the caller's to count
 */
void torus_told_clear(struct torus_nic *nic)
{
	u32 i;

	for (i = 0; i < TORUS_NIC_RECEIVE_MAX; i++)
		nic->receive[i].told = TORUS_TOLD_NONE;
	if (!nic->tolds)
		return;
	nic->tolds->used = 0;
	nic->tolds->fresh = 0;
	nic->tolds->free = TORUS_TOLD_NONE;
}

/**
 * torus_told_push() - append a record to a reception FIFO
 * @nic: the group
 * @fifo: the FIFO; the record comes after all packets that are in it
 *
 * Return: the record, for the caller to fill in; NULL if all are taken.
 */
struct torus_told *torus_told_push(struct torus_nic *nic, u32 fifo)
{
	struct torus_nic_fifo *q = &nic->receive[fifo];
	struct torus_tolds *all = nic->tolds;
	struct torus_told *told;
	u16 at;

	if (!all || all->used == TORUS_TOLD_MAX)
		return NULL;
	at = all->free;
	if (at == TORUS_TOLD_NONE)
		at = (u16)all->fresh++;
	else
		all->free = all->record[at].next;
	all->used++;
	told = &all->record[at];
	told->next = TORUS_TOLD_NONE;
	told->behind = q->queued;
	if (q->told == TORUS_TOLD_NONE)
		q->told = at;
	else
		all->record[q->told_tail].next = at;
	q->told_tail = at;
	return told;
}

/**
 * torus_told_first() - find the record that is next in a reception FIFO
 * @nic: the group
 * @fifo: the FIFO
 *
 * Return: the record; NULL if a packet is before it, or none waits.
 */
struct torus_told *torus_told_first(const struct torus_nic *nic, u32 fifo)
{
	const struct torus_nic_fifo *q = &nic->receive[fifo];

	if (torus_likely(q->told == TORUS_TOLD_NONE) ||
	    nic->tolds->record[q->told].behind != q->taken)
		return NULL;
	return &nic->tolds->record[q->told];
}

/**
 * torus_told_pop() - remove the first record of a reception FIFO
 * @nic: the group
 * @fifo: the FIFO, in which at least one record waits
 */
void torus_told_pop(struct torus_nic *nic, u32 fifo)
{
	struct torus_nic_fifo *q = &nic->receive[fifo];
	struct torus_tolds *all = nic->tolds;
	u16 at = q->told;

	q->told = all->record[at].next;
	all->record[at].next = all->free;
	all->free = at;
	all->used--;
}
