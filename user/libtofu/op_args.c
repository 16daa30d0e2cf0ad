// SPDX-License-Identifier: GPL-2.0
/* Validate the arguments of operations. */
#include <string.h>

#include "id.h"
#include "node_lookup.h"
#include "op_args.h"

#define MTU_MAX		1920
#define GAP_MAX		255
#define FLAGS		(UTOFU_ONESIDED_FLAG_STRONG_ORDER | UTOFU_ONESIDED_FLAG_PACKET_RESPONSE | \
			 UTOFU_ONESIDED_FLAG_REMOTE_MRQ_NOTICE | UTOFU_ONESIDED_FLAG_PADDING | \
			 UTOFU_ONESIDED_FLAG_CACHE_INJECTION | UTOFU_ONESIDED_FLAG_DELAY_START | \
			 UTOFU_ONESIDED_FLAG_TCQ_NOTICE | UTOFU_ONESIDED_FLAG_LOCAL_MRQ_NOTICE)
#define PATH_SHIFT	28
#define STEPS_SHIFT	24

_Static_assert(sizeof(struct tofu_operation) == 64, "what a prepared operation takes");

/**
 * tofu_bad_length - reject a length
 * @length: length in bytes
 * @most: greatest valid length
 *
 * Return: UTOFU_ERR_INVALID_SIZE.
 */
int tofu_bad_length(size_t length, size_t most)
{
	return tofu_error(UTOFU_ERR_INVALID_SIZE, "%zu bytes: must be 1 to %zu", length, most);
}

/**
 * tofu_piggyback - copy the bytes of a piggyback put into the operation
 * @op: [out] the operation
 * @data: the bytes
 * @length: number of bytes
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_SIZE.
 */
int tofu_piggyback(struct tofu_operation *op, const void *data, size_t length)
{
	if (!data)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "lcl_data is NULL");
	if (!length || length > TORUS_TOFU_PIGGYBACK_MAX)
		return tofu_bad_length(length, TORUS_TOFU_PIGGYBACK_MAX);
	memcpy(op->data, data, length);
	return UTOFU_SUCCESS;
}

/**
 * tofu_bad_armw - validate the number of an atomic operation
 * @armw_op: the number
 *
 * Return: UTOFU_SUCCESS or UTOFU_ERR_INVALID_OP.
 */
int tofu_bad_armw(enum utofu_armw_op armw_op)
{
	if (armw_op >= UTOFU_ARMW_OP_SWAP && armw_op <= UTOFU_ARMW_OP_OR)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_INVALID_OP, "atomic operation %d: must be 1 to 5",
			  (int)armw_op);
}

/**
 * tofu_bad_gap - validate the hints for an operation's packets
 * @mtu: longest packet
 * @gap: pause between packets
 *
 * Return: UTOFU_SUCCESS or UTOFU_ERR_INVALID_SIZE.
 */
int tofu_bad_gap(size_t mtu, size_t gap)
{
	if (mtu <= MTU_MAX && gap <= GAP_MAX)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_INVALID_SIZE, "mtu %zu, gap %zu: must be at most %u and %u",
			  mtu, gap,
			  MTU_MAX, GAP_MAX);
}

static int bad_sizes(const struct tofu_operation *op, size_t length)
{
	bool moves = op->op == TORUS_TOFU_PUT || op->op == TORUS_TOFU_GET;

	if (moves && (!length || length > TORUS_TOFU_LENGTH_MAX))
		return tofu_bad_length(length, TORUS_TOFU_LENGTH_MAX);
	if (moves && !op->blocks)
		return tofu_error(UTOFU_ERR_INVALID_NUMBER, "0 blocks");
	/* a STADD without a stag does not show its alignment: the remote engine checks it */
	if (op->op == TORUS_TOFU_ATOMIC &&
	    op->remote >> TORUS_STADD_BITS < TORUS_STAGS && op->remote % op->size)
		return tofu_error(UTOFU_ERR_INVALID_STADD, "STADD %#llx: must be a multiple of %u",
				  (unsigned long long)op->remote, op->size);
	return UTOFU_SUCCESS;
}

/* Check that the fabric has the node and the engine of a remote VCQ. */
static int bad_peer(uint64_t id)
{
	const struct tofu_place *place;
	struct tofu_vcq peer;
	int ret, i;

	if (!tofu_vcq_parse(id, &peer))
		return tofu_error(UTOFU_ERR_INVALID_VCQ_ID, "VCQ id %#llx: no VCQ has this id",
				  (unsigned long long)id);
	ret = tofu_place(&place);
	if (ret)
		return ret;
	for (i = 0; i < TOFU_AXES; i++)
		if (peer.coords[i] >= place->lengths[i])
			break;
	if (i == TOFU_AXES && peer.tni < place->tnis)
		return UTOFU_SUCCESS;
	return tofu_error(UTOFU_ERR_INVALID_VCQ_ID, "VCQ id %#llx: fabric %s has no such node or "
			  "TNI", (unsigned long long)id, place->fabric);
}

/**
 * tofu_operation_fill - validate an operation, and fill in its common fields
 * @op: [in, out] the operation, with the fields of its kind
 * @length: length of each block of the operation in bytes
 * @edata: value for the notices, 0 to 255
 * @flags: UTOFU_ONESIDED_FLAG_*
 *
 * Return: UTOFU_SUCCESS, the error of the invalid argument, or an error of tofu_place().
 */
int tofu_operation_fill(struct tofu_operation *op, size_t length, uint64_t edata,
			unsigned long flags)
{
	bool puts = op->op == TORUS_TOFU_PUT || op->op == TORUS_TOFU_PIGGYBACK;
	const struct tofu_place *place;
	unsigned long path = flags >> PATH_SHIFT, steps = flags >> STEPS_SHIFT &
							  TORUS_TOFU_STEPS_MAX;
	int ret = bad_sizes(op, length);

	if (ret)
		return ret;
	if (edata > UINT8_MAX)
		return tofu_error(UTOFU_ERR_INVALID_EDATA, "edata %llu: must be 0 to 255",
				  (unsigned long long)edata);
	if (flags & ((1ul << STEPS_SHIFT) - 1) & ~FLAGS)
		return tofu_error(UTOFU_ERR_INVALID_FLAGS,
				  "flags %#lx: unknown flags of an operation",
				  flags);
	if (steps && !puts)
		return tofu_error(UTOFU_ERR_INVALID_FLAGS,
				  "flags %#lx: steps are allowed only for puts", flags);
	if (path > TOFU_PATHS)
		return tofu_error(UTOFU_ERR_INVALID_PATH_ID, "path id %lu: must be 0 to %u", path,
				  TOFU_PATHS);
	ret = op->op == TORUS_TOFU_NOP ? tofu_place(&place) : bad_peer(op->peer);
	if (ret)
		return ret;
	op->length = (uint32_t)length;
	op->flags = (uint16_t)(flags & FLAGS);
	op->edata = (uint8_t)edata;
	op->path = (uint8_t)path;
	op->steps = (uint8_t)steps;
	op->mark = TOFU_OPERATION_MARK;
	return UTOFU_SUCCESS;
}
