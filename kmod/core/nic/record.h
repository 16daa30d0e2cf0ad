/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Records of the machine's own NIC that wait until their client reads them.
 *
 * A FIFO group may have TORUS_NIC_RECORDS_MAX of them.  Their memory is allocated when the group is
 * attached: a client that reads nothing takes no more, and a record never needs memory in the
 * middle of a run.
 */
#ifndef TORUS_CORE_NIC_RECORD_H
#define TORUS_CORE_NIC_RECORD_H

#include "core/nic/group.h"

#define TORUS_NIC_RECORDS_MAX		4096u
#define TORUS_NIC_RECORD_NONE		0xffffu
#define TORUS_NIC_RECORD_BYTES	64u	/* length of the longest record */

/**
 * struct torus_nic_record - a record that waits
 * @arrived: tick when it came
 * @behind: number of packets that came before it into its reception FIFO, modulo 2^32
 * @next: index of the record after it in its reception FIFO, or of a free one
 * @chunks: its length
 * @bytes: its contents
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
 * @used: number of records that wait
 * @fresh: number of records that have been used at least once
 * @free: index of a free record below @fresh, TORUS_NIC_RECORD_NONE: none
 * @own: the memory is the group's own, not its client's
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
