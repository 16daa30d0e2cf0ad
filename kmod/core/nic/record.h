/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of the machine's own NIC that wait until their client reads them.
 *
 * A FIFO group has at most TORUS_NIC_RECORDS_MAX of them. Their memory is allocated at the
 * attachment, so a client that does not read cannot use more memory, and a record needs no memory
 * during a run.
 */
#ifndef TORUS_CORE_NIC_RECORD_H
#define TORUS_CORE_NIC_RECORD_H

#include "core/nic/group.h"

#define TORUS_NIC_RECORDS_MAX		4096u
#define TORUS_NIC_RECORD_NONE		0xffffu
#define TORUS_NIC_RECORD_BYTES	64u	/* length of the longest record */

/**
 * struct torus_nic_record - a waiting record
 * @arrived: tick of its arrival
 * @behind: number of packets that entered its reception FIFO before the record, modulo 2^32
 * @next: index of the next record of its reception FIFO, or of the free list
 * @chunks: length in chunks
 * @bytes: contents
 */
struct torus_nic_record {
	u64 arrived;
	u32 behind;
	u16 next;
	u16 chunks;
	u8 bytes[TORUS_NIC_RECORD_BYTES] __attribute__((aligned(8)));
};

/**
 * struct torus_nic_records - the records of a FIFO group
 * @used: number of waiting records
 * @fresh: number of records that were used at least once
 * @free: index of the first free record below @fresh, or TORUS_NIC_RECORD_NONE
 * @own: the group allocated this memory, not the client
 * @record: all records
 */
struct torus_nic_records {
	u32 used;
	u32 fresh;
	u16 free;
	bool own;
	struct torus_nic_record record[TORUS_NIC_RECORDS_MAX];
};

_Static_assert(TORUS_NIC_RECORDS_MAX < TORUS_NIC_RECORD_NONE, "the index of a record fits a u16");

size_t torus_nic_record_bytes(const struct torus_arch *arch);
bool torus_nic_record_begin(const struct torus_fabric *f, struct torus_nic *nic);
void torus_nic_record_end(struct torus_nic *nic);
void torus_nic_record_clear(struct torus_nic *nic);
struct torus_nic_record *torus_nic_record_push(struct torus_nic *nic, u32 fifo);
struct torus_nic_record *torus_nic_record_first(const struct torus_nic *nic, u32 fifo);
void torus_nic_record_pop(struct torus_nic *nic, u32 fifo);

/* Number of records that wait in all reception FIFOs of a group. */
torus_inline u32 torus_nic_record_used(const struct torus_nic *nic)
{
	return nic->records ? nic->records->used : 0;
}

#endif /* TORUS_CORE_NIC_RECORD_H */
