// SPDX-License-Identifier: GPL-2.0
/* CRC-32s of the packets and messages of a job. */
#include "check.h"
#include "crc.h"

/**
 * torus_job_check() - compute the start value of the CRC-32 in the headers of packets to a rank
 * @job: the job
 * @session: session of the job; 0 for wire-up packets
 * @dest: the rank, or BROADCAST_RANK
 *
 * Return: CRC-32.
 */
uint32_t torus_job_check(const struct torus_job *job, uint32_t session, uint32_t dest)
{
	unsigned char fields[8];

	torus_store_be32(fields, job->config.key ^ session);
	torus_store_be32(fields + 4, dest);
	return torus_lib_crc32(0, fields, sizeof(fields));
}

/**
 * torus_message_crc() - compute the CRC-32 that follows a message
 * @job: the job
 * @source: rank of the sender
 * @dest: rank of the receiver
 * @number: number of the message
 * @tag: tag of the message
 * @data: the message
 * @length: length of the message in bytes
 *
 * Return: the CRC.
 */
uint32_t torus_message_crc(const struct torus_job *job, uint32_t source, uint32_t dest,
			   uint32_t number, uint32_t tag, const void *data, uint32_t length)
{
	unsigned char fields[24];

	torus_store_be32(fields, job->config.key);
	torus_store_be32(fields + 4, source);
	torus_store_be32(fields + 8, dest);
	torus_store_be32(fields + 12, number);
	torus_store_be32(fields + 16, length);
	torus_store_be32(fields + 20, tag);
	return torus_lib_crc32(torus_lib_crc32(0, fields, sizeof(fields)), data, length);
}
