// SPDX-License-Identifier: GPL-2.0
/* Compose and parse ids of VCQs and gates: see id.h. */
#include "api.h"
#include "id.h"

enum { X, Y, Z, A, B, C };

#define VCQ_BIT		(1ull << 60)
#define PATH_BIT	(1ull << 31)
#define VCQ_BITS	0xfffffffff800ffffull
#define VBG_BITS	0xefffffff0000003full

static uint64_t place_bits(const uint8_t *coords, uint16_t tni)
{
	return (uint64_t)tni << 61 | (uint64_t)coords[C] << 59 | (uint64_t)coords[B] << 57 |
	       (uint64_t)coords[A] << 56 | (uint64_t)coords[Z] << 48 |
	       (uint64_t)coords[Y] << 40 | (uint64_t)coords[X] << 32;
}

/* Parse coordinates and engine of an id.  Return: false if no node has such a place or engine. */
static bool place_parse(uint64_t id, uint8_t *coords, uint16_t *tni)
{
	coords[X] = id >> 32 & 0xff;
	coords[Y] = id >> 40 & 0xff;
	coords[Z] = id >> 48 & 0xff;
	coords[A] = id >> 56 & 1;
	coords[B] = id >> 57 & 3;
	coords[C] = id >> 59 & 1;
	*tni = id >> 61;
	return coords[B] < 3 && *tni < TOFU_TNI_IDS;
}

/**
 * tofu_vcq_id - compose a VCQ id
 * @vcq: fields of the id, each in its range
 *
 * Return: the id.
 */
uint64_t tofu_vcq_id(const struct tofu_vcq *vcq)
{
	uint64_t id = place_bits(vcq->coords, vcq->tni) | VCQ_BIT | (uint64_t)vcq->cq << 8 |
		      vcq->cmp;

	if (vcq->path == TOFU_PATHS)
		return id;
	return id | PATH_BIT | (uint64_t)(vcq->path / 6) << 30 |
	       (uint64_t)(vcq->path / 2 % 3) << 28 | (uint64_t)(vcq->path % 2) << 27;
}

/**
 * tofu_vcq_parse - parse a VCQ id
 * @id: the id
 * @vcq: [out] fields of the id
 *
 * Return: false if no VCQ has that id.
 */
bool tofu_vcq_parse(uint64_t id, struct tofu_vcq *vcq)
{
	uint16_t a = id >> 27 & 1, b = id >> 28 & 3, c = id >> 30 & 1;

	vcq->cq = id >> 8 & 0xff;
	vcq->cmp = id & 0xff;
	vcq->path = id & PATH_BIT ? a + 2 * (b + 3 * c) : TOFU_PATHS;
	if (!place_parse(id, vcq->coords, &vcq->tni) || id & ~VCQ_BITS || !(id & VCQ_BIT))
		return false;
	if (id & PATH_BIT ? b > 2 : a || b || c)
		return false;
	return vcq->cq < TOFU_CQ_IDS && vcq->cmp < TOFU_CMP_IDS;
}

/**
 * tofu_vbg_parse - parse a VBG id
 * @id: the id
 * @coords: [out] array of the node's six coordinates
 * @tni: [out] engine
 * @gate: [out] number of the gate in the engine
 *
 * Return: false if no gate has that id.
 */
bool tofu_vbg_parse(uint64_t id, uint8_t *coords, uint16_t *tni, uint16_t *gate)
{
	*gate = id & 0x3f;
	return place_parse(id, coords, tni) && !(id & ~VBG_BITS) && *gate < TOFU_GATE_IDS;
}

/**
 * tofu_path_parse - get the number of a path from the coordinates of its relay
 * @path_coords: a, b, c of the relay; NULL, or UTOFU_PATH_COORD_NULL as first element: no relay is
 *               named
 * @path: [out] number of the path; TOFU_PATHS if no relay is named
 *
 * Return: false if there is no such relay.
 */
bool tofu_path_parse(const uint8_t *path_coords, uint16_t *path)
{
	*path = TOFU_PATHS;
	if (!path_coords || path_coords[0] == UTOFU_PATH_COORD_NULL)
		return true;
	if (path_coords[0] > 1 || path_coords[1] > 2 || path_coords[2] > 1)
		return false;
	*path = path_coords[0] + 2 * (path_coords[1] + 3 * path_coords[2]);
	return true;
}

/* ------------------------------------------------------------- the functions */

static int bad_vcq(utofu_vcq_id_t id)
{
	return tofu_error(UTOFU_ERR_INVALID_VCQ_ID, "VCQ id %#llx: no VCQ has this id",
			  (unsigned long long)id);
}

static int is_null(const char *what)
{
	return tofu_error(UTOFU_ERR_INVALID_POINTER, "%s is NULL", what);
}

/**
 * utofu_construct_vcq_id - compose the id of a VCQ of this or another process
 * @coords: x, y, z, a, b, c of its node
 * @tni_id: its engine
 * @cq_id: its hardware queue
 * @cmp_id: its component id
 * @vcq_id: [out] the id, with no path embedded
 *
 * Return: UTOFU_SUCCESS, or the error of the argument that is NULL or out of range.
 */
int utofu_construct_vcq_id(uint8_t coords[], utofu_tni_id_t tni_id, utofu_cq_id_t cq_id,
			   utofu_cmp_id_t cmp_id, utofu_vcq_id_t *vcq_id)
{
	struct tofu_vcq vcq = { .tni = tni_id, .cq = cq_id, .cmp = cmp_id, .path = TOFU_PATHS };
	int i;

	if (!coords || !vcq_id)
		return is_null(coords ? "vcq_id" : "coords");
	if (coords[A] > 1 || coords[B] > 2 || coords[C] > 1)
		return tofu_error(UTOFU_ERR_INVALID_COORDS, "coordinates %u,%u,%u,%u,%u,%u: a must "
				  "be 0 to 1, b 0 to 2, c 0 to 1", coords[X], coords[Y], coords[Z],
				  coords[A], coords[B], coords[C]);
	if (tni_id >= TOFU_TNI_IDS)
		return tofu_error(UTOFU_ERR_INVALID_TNI_ID, "TNI %u: must be 0 to %u", tni_id,
				  TOFU_TNI_IDS - 1);
	if (cq_id >= TOFU_CQ_IDS)
		return tofu_error(UTOFU_ERR_INVALID_CQ_ID, "CQ %u: must be 0 to %u", cq_id,
				  TOFU_CQ_IDS - 1);
	if (cmp_id >= TOFU_CMP_IDS)
		return tofu_error(UTOFU_ERR_INVALID_CMP_ID, "component id %u: must be 0 to %u",
				  cmp_id,
				  TOFU_CMP_IDS - 1);
	for (i = 0; i < TOFU_COORDS; i++)
		vcq.coords[i] = coords[i];
	*vcq_id = tofu_vcq_id(&vcq);
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(construct_vcq_id);

/**
 * utofu_query_vcq_info - parse a VCQ id
 * @vcq_id: the id, with or without an embedded path
 * @coords: [out] x, y, z, a, b, c of its node; may be NULL
 * @tni_id: [out] its engine; may be NULL
 * @cq_id: [out] its hardware queue; may be NULL
 * @extra_val: [out] its component id; may be NULL
 *
 * Return: UTOFU_SUCCESS or UTOFU_ERR_INVALID_VCQ_ID.
 */
int utofu_query_vcq_info(utofu_vcq_id_t vcq_id, uint8_t coords[], utofu_tni_id_t *tni_id,
			 utofu_cq_id_t *cq_id, uint16_t *extra_val)
{
	struct tofu_vcq vcq;
	int i;

	if (!tofu_vcq_parse(vcq_id, &vcq))
		return bad_vcq(vcq_id);
	for (i = 0; coords && i < TOFU_COORDS; i++)
		coords[i] = vcq.coords[i];
	if (tni_id)
		*tni_id = vcq.tni;
	if (cq_id)
		*cq_id = vcq.cq;
	if (extra_val)
		*extra_val = vcq.cmp;
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(query_vcq_info);

static int bad_path(const uint8_t *path_coords)
{
	return tofu_error(UTOFU_ERR_INVALID_PATH,
			  "path %u,%u,%u: a must be 0 to 1, b 0 to 2, c 0 to 1",
			  path_coords[0], path_coords[1], path_coords[2]);
}

/**
 * utofu_set_vcq_id_path - embed a path into the id of a remote VCQ
 * @vcq_id: [in, out] the id
 * @path_coords: a, b, c of the path's relay; NULL: the default path
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_VCQ_ID,
 * UTOFU_ERR_INVALID_PATH.
 */
int utofu_set_vcq_id_path(utofu_vcq_id_t *vcq_id, uint8_t path_coords[])
{
	struct tofu_vcq vcq;

	if (!vcq_id)
		return is_null("vcq_id");
	if (!tofu_vcq_parse(*vcq_id, &vcq))
		return bad_vcq(*vcq_id);
	if (!tofu_path_parse(path_coords, &vcq.path))
		return bad_path(path_coords);
	*vcq_id = tofu_vcq_id(&vcq);
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(set_vcq_id_path);

/**
 * utofu_get_path_id - get the path id for UTOFU_ONESIDED_FLAG_PATH()
 * @vcq_id: id of the remote VCQ
 * @path_coords: a, b, c of the path's relay; NULL: no relay is named
 * @path_id: [out] 1 + a + 2 (b + 3 c) for a named relay.  Without a relay 0: this id stands for the
 *           path embedded in the VCQ id, or the default path
 *
 * Return: as utofu_set_vcq_id_path().
 */
int utofu_get_path_id(utofu_vcq_id_t vcq_id, uint8_t path_coords[], utofu_path_id_t *path_id)
{
	struct tofu_vcq vcq;
	uint16_t path;

	if (!path_id)
		return is_null("path_id");
	if (!tofu_vcq_parse(vcq_id, &vcq))
		return bad_vcq(vcq_id);
	if (!tofu_path_parse(path_coords, &path))
		return bad_path(path_coords);
	*path_id = path == TOFU_PATHS ? 0 : path + 1;
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(get_path_id);

/**
 * utofu_get_path_coords - get the relay of a path
 * @vcq_id: id of the remote VCQ
 * @path_id: from utofu_get_path_id(); 0: the path embedded in the VCQ id.  If none is embedded, it
 *           is the default path, whose relay has the a, b, c of the VCQ's node
 * @path_coords: [out] a, b, c of the relay
 *
 * Return: UTOFU_SUCCESS, UTOFU_ERR_INVALID_POINTER, UTOFU_ERR_INVALID_VCQ_ID,
 * UTOFU_ERR_INVALID_PATH_ID.
 */
int utofu_get_path_coords(utofu_vcq_id_t vcq_id, utofu_path_id_t path_id, uint8_t path_coords[])
{
	struct tofu_vcq vcq;
	uint16_t path;

	if (!path_coords)
		return is_null("path_coords");
	if (!tofu_vcq_parse(vcq_id, &vcq))
		return bad_vcq(vcq_id);
	if (path_id > TOFU_PATHS)
		return tofu_error(UTOFU_ERR_INVALID_PATH_ID, "path id %u: must be 0 to %u", path_id,
				  TOFU_PATHS);
	path = path_id ? path_id - 1 : vcq.path;
	if (path == TOFU_PATHS)
		path = vcq.coords[A] + 2 * (vcq.coords[B] + 3 * vcq.coords[C]);
	path_coords[0] = path % 2;
	path_coords[1] = path / 2 % 3;
	path_coords[2] = path / 6;
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(get_path_coords);

/**
 * utofu_query_vbg_info - parse a VBG id
 * @vbg_id: the id
 * @coords: [out] x, y, z, a, b, c of its node; may be NULL
 * @tni_id: [out] its engine; may be NULL
 * @bg_id: [out] number of the gate in the engine; may be NULL
 * @extra_val: [out] zero; may be NULL
 *
 * Return: UTOFU_SUCCESS or UTOFU_ERR_INVALID_VBG_ID.
 */
int utofu_query_vbg_info(utofu_vbg_id_t vbg_id, uint8_t coords[], utofu_tni_id_t *tni_id,
			 utofu_bg_id_t *bg_id, uint16_t *extra_val)
{
	uint8_t at[TOFU_COORDS];
	uint16_t tni, gate;
	int i;

	if (!tofu_vbg_parse(vbg_id, at, &tni, &gate))
		return tofu_error(UTOFU_ERR_INVALID_VBG_ID, "VBG id %#llx: no gate has this id",
				  (unsigned long long)vbg_id);
	for (i = 0; coords && i < TOFU_COORDS; i++)
		coords[i] = at[i];
	if (tni_id)
		*tni_id = tni;
	if (bg_id)
		*bg_id = gate;
	if (extra_val)
		*extra_val = 0;
	return UTOFU_SUCCESS;
}

TOFU_PROFILE(query_vbg_info);
