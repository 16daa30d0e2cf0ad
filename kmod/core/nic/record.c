// SPDX-License-Identifier: GPL-2.0
/* Records of the machine's own NIC that wait for their client. */
#include "core/nic/record.h"

/**
 * torus_nic_record_bytes() - compute the memory for the records of a FIFO group
 * @arch: the machine
 *
 * Return: size in bytes; 0: the machine's NIC has no records for clients.
 */
size_t torus_nic_record_bytes(const struct torus_arch *arch)
{
	return arch->command ? sizeof(struct torus_nic_records) : 0;
}

/**
 * torus_nic_record_begin() - allocate the records of a FIFO group
 * @f: the fabric
 * @nic: the group, with its new client
 *
 * If the client supplies memory (struct torus_nic_ops.records), use that.
 *
 * Return: false if memory is exhausted.
 */
bool torus_nic_record_begin(const struct torus_fabric *f, struct torus_nic *nic)
{
	if (!torus_nic_record_bytes(f->arch) || nic->ops->packets_only)
		return true;
	nic->records = nic->ops->records ? nic->ops->records(nic->client) :
				     torus_grow(sizeof(*nic->records));
	if (!nic->records)
		return false;
	nic->records->own = !nic->ops->records;
	torus_nic_record_clear(nic);
	return true;
}

/**
 * torus_nic_record_end() - free the records of a FIFO group
 * @nic: FIFO group; waiting records are lost
 */
void torus_nic_record_end(struct torus_nic *nic)
{
	torus_nic_record_clear(nic);
	if (nic->records && nic->records->own)
		torus_free(nic->records, sizeof(*nic->records));
	nic->records = NULL;
}

/**
 * torus_nic_record_clear() - discard all records of a FIFO group
 * @nic: FIFO group; the caller updates the chunk counts of its reception FIFOs
 */
void torus_nic_record_clear(struct torus_nic *nic)
{
	u32 i;

	for (i = 0; i < TORUS_NIC_RECEIVE_MAX; i++)
		nic->receive[i].record = TORUS_NIC_RECORD_NONE;
	if (!nic->records)
		return;
	nic->records->used = 0;
	nic->records->fresh = 0;
	nic->records->free = TORUS_NIC_RECORD_NONE;
}

/**
 * torus_nic_record_push() - append a record to a reception FIFO
 * @nic: the FIFO group
 * @fifo: index of the FIFO; the record comes after all packets in the FIFO
 *
 * Return: the record, for the caller to fill in; NULL if all records are in use.
 */
struct torus_nic_record *torus_nic_record_push(struct torus_nic *nic, u32 fifo)
{
	struct torus_nic_fifo *q = &nic->receive[fifo];
	struct torus_nic_records *all = nic->records;
	struct torus_nic_record *record;
	u16 at;

	if (!all || all->used == TORUS_NIC_RECORDS_MAX)
		return NULL;
	at = all->free;
	if (at == TORUS_NIC_RECORD_NONE)
		at = (u16)all->fresh++;
	else
		all->free = all->record[at].next;
	all->used++;
	record = &all->record[at];
	record->next = TORUS_NIC_RECORD_NONE;
	record->behind = q->queued;
	if (q->record == TORUS_NIC_RECORD_NONE)
		q->record = at;
	else
		all->record[q->record_tail].next = at;
	q->record_tail = at;
	return record;
}

/**
 * torus_nic_record_first() - find the record at the head of a reception FIFO
 * @nic: the FIFO group
 * @fifo: index of the FIFO
 *
 * Return: the record; NULL if a packet is before it, or if no record waits.
 */
struct torus_nic_record *torus_nic_record_first(const struct torus_nic *nic, u32 fifo)
{
	const struct torus_nic_fifo *q = &nic->receive[fifo];

	if (torus_likely(q->record == TORUS_NIC_RECORD_NONE) ||
	    nic->records->record[q->record].behind != q->taken)
		return NULL;
	return &nic->records->record[q->record];
}

/**
 * torus_nic_record_pop() - remove the first record of a reception FIFO
 * @nic: the FIFO group
 * @fifo: index of the FIFO, in which at least one record waits
 */
void torus_nic_record_pop(struct torus_nic *nic, u32 fifo)
{
	struct torus_nic_fifo *q = &nic->receive[fifo];
	struct torus_nic_records *all = nic->records;
	u16 at = q->record;

	q->record = all->record[at].next;
	all->record[at].next = all->free;
	all->free = at;
	all->used--;
}
