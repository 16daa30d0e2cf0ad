// SPDX-License-Identifier: GPL-2.0
/*
 * List the engines (TNIs) of this process's node and their capabilities.  Query the node's
 * coordinates, and the versions of hardware and interface.
 */
#include <stdlib.h>

#include "api.h"
#include "node_lookup.h"

#define TOFU_VERSION_MAJOR	1	/* version of the machine that is modelled */
#define TOFU_VERSION_MINOR	0
#define WORDS_MAX		6
#define DOUBLES_MAX		3

static struct utofu_onesided_caps onesided_caps = {
	.flags = UTOFU_ONESIDED_CAP_FLAG_SESSION_MODE | UTOFU_ONESIDED_CAP_FLAG_ARMW,
	.armw_ops = UTOFU_ONESIDED_CAP_ARMW_OP_CSWAP | UTOFU_ONESIDED_CAP_ARMW_OP_SWAP |
		    UTOFU_ONESIDED_CAP_ARMW_OP_ADD | UTOFU_ONESIDED_CAP_ARMW_OP_XOR |
		    UTOFU_ONESIDED_CAP_ARMW_OP_AND | UTOFU_ONESIDED_CAP_ARMW_OP_OR,
	.num_cmp_ids = 8,
	.num_reserved_stags = 256,
	.cache_line_size = 256,
	.stag_address_alignment = 256,
	.max_toq_desc_size = 64,
	.max_putget_size = 16777215,
	.max_piggyback_size = 32,
	.max_edata_size = 1,
	.max_mtu = 1920,
	.max_gap = 255,
};

static struct utofu_barrier_caps barrier_caps = {
	.reduce_ops = UTOFU_BARRIER_CAP_REDUCE_OP_BARRIER | UTOFU_BARRIER_CAP_REDUCE_OP_BAND |
		      UTOFU_BARRIER_CAP_REDUCE_OP_BOR | UTOFU_BARRIER_CAP_REDUCE_OP_BXOR |
		      UTOFU_BARRIER_CAP_REDUCE_OP_MAX | UTOFU_BARRIER_CAP_REDUCE_OP_MAXLOC |
		      UTOFU_BARRIER_CAP_REDUCE_OP_SUM | UTOFU_BARRIER_CAP_REDUCE_OP_BFPSUM,
	.max_uint64_reduction = WORDS_MAX,
	.max_double_reduction = DOUBLES_MAX,
};

static int get_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis)
{
	const struct tofu_place *place;
	utofu_tni_id_t *ids;
	uint32_t i;
	int ret;

	if (!tni_ids || !num_tnis)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "%s is NULL",
				  tni_ids ? "num_tnis" : "tni_ids");
	ret = tofu_place(&place);
	if (ret)
		return ret;
	ids = malloc(place->tnis * sizeof(*ids));
	if (!ids)
		return tofu_error(UTOFU_ERR_OUT_OF_MEMORY, "out of memory for %u TNI ids",
				  place->tnis);
	for (i = 0; i < place->tnis; i++)
		ids[i] = (utofu_tni_id_t)i;
	*tni_ids = ids;
	*num_tnis = place->tnis;
	return UTOFU_SUCCESS;
}

/**
 * utofu_get_onesided_tnis - list the engines for one-sided communication
 * @tni_ids: [out] array, freed by the caller with free()
 * @num_tnis: [out] length of the array
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_OUT_OF_MEMORY, or an error of
 * tofu_place().
 */
int utofu_get_onesided_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis)
{
	return get_tnis(tni_ids, num_tnis);
}

TOFU_PROFILE(get_onesided_tnis);

/**
 * utofu_get_barrier_tnis - list the engines with barrier gates
 * @tni_ids: [out] array, freed by the caller with free()
 * @num_tnis: [out] length of the array
 *
 * Return: as utofu_get_onesided_tnis().
 */
int utofu_get_barrier_tnis(utofu_tni_id_t **tni_ids, size_t *num_tnis)
{
	return get_tnis(tni_ids, num_tnis);
}

TOFU_PROFILE(get_barrier_tnis);

static int check_tni(utofu_tni_id_t tni_id, const void *out)
{
	const struct tofu_place *place;
	int ret;

	if (!out)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "tni_caps is NULL");
	ret = tofu_place(&place);
	if (!ret && tni_id >= place->tnis)
		ret = tofu_error(UTOFU_ERR_INVALID_TNI_ID, "TNI %u of fabric %s: must be 0 to %u",
				 tni_id, place->fabric, place->tnis - 1);
	return ret;
}

/**
 * utofu_query_onesided_caps - get an engine's capabilities of one-sided communication
 * @tni_id: the engine
 * @tni_caps: [out] structure of the library, which the caller must not free
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_TNI_ID, or an error of
 * tofu_place().
 */
int utofu_query_onesided_caps(utofu_tni_id_t tni_id, struct utofu_onesided_caps **tni_caps)
{
	int ret = check_tni(tni_id, tni_caps);

	if (!ret)
		*tni_caps = &onesided_caps;
	return ret;
}

TOFU_PROFILE(query_onesided_caps);

/**
 * utofu_query_barrier_caps - get the capabilities of an engine's barrier gates
 * @tni_id: the engine
 * @tni_caps: [out] structure of the library, which the caller must not free
 *
 * Return: as utofu_query_onesided_caps().
 */
int utofu_query_barrier_caps(utofu_tni_id_t tni_id, struct utofu_barrier_caps **tni_caps)
{
	int ret = check_tni(tni_id, tni_caps);

	if (!ret)
		*tni_caps = &barrier_caps;
	return ret;
}

TOFU_PROFILE(query_barrier_caps);

/**
 * utofu_query_my_coords - get the coordinates of this process's node
 * @coords: [out] array of six: x, y, z, a, b, c
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, or an error of tofu_place().
 */
int utofu_query_my_coords(uint8_t coords[])
{
	const struct tofu_place *place;
	int ret, i;

	if (!coords)
		return tofu_error(UTOFU_ERR_INVALID_POINTER, "coords is NULL");
	ret = tofu_place(&place);
	for (i = 0; !ret && i < TOFU_AXES; i++)
		coords[i] = place->coords[i];
	return ret;
}

TOFU_PROFILE(query_my_coords);

static void put_version(int *major_ver, int *minor_ver, int major, int minor)
{
	if (major_ver)
		*major_ver = major;
	if (minor_ver)
		*minor_ver = minor;
}

/**
 * utofu_query_tofu_version - get the version of the hardware
 * @major_ver: [out] first number; may be NULL
 * @minor_ver: [out] second number; may be NULL
 */
void utofu_query_tofu_version(int *major_ver, int *minor_ver)
{
	put_version(major_ver, minor_ver, TOFU_VERSION_MAJOR, TOFU_VERSION_MINOR);
}

TOFU_PROFILE(query_tofu_version);

/**
 * utofu_query_utofu_version - get the version of the interface
 * @major_ver: [out] first number; may be NULL
 * @minor_ver: [out] second number; may be NULL
 */
void utofu_query_utofu_version(int *major_ver, int *minor_ver)
{
	put_version(major_ver, minor_ver, UTOFU_VERSION_MAJOR, UTOFU_VERSION_MINOR);
}

TOFU_PROFILE(query_utofu_version);
