// SPDX-License-Identifier: GPL-2.0
/*
 * The machines' packet headers. <linux/torus.h> describes their bits under "packet headers". All
 * packets are routed in order: a fragment that overtakes another would look like a lost one.
 */
#include "header.h"

/* Units of two bytes: the injection checksum omits the header. */
#define BGL_CSUM_SKIP	(TORUS_BGL_HEADER_BYTES / 2)

static void header_store(u8 *bytes, u32 word)
{
	bytes[0] = (u8)(word >> 24);
	bytes[1] = (u8)(word >> 16);
	bytes[2] = (u8)(word >> 8);
	bytes[3] = (u8)word;
}

/* The bubble VC, which is deterministic; the hardware computes the hint bits. */
static void header_bgl(u8 *bytes, const u32 *dest, u32 node, u32 group, u32 chunks)
{
	header_store(bytes, (u32)BGL_CSUM_SKIP << TORUS_BGL_CSUM_SKIP_SHIFT |
			    (group ? TORUS_BGL_PID : 0) |
			    (chunks - 1) << TORUS_BGL_CHUNKS_SHIFT |
			    (u32)TORUS_BGL_BN << TORUS_BGL_VC_SHIFT |
			    dest[0] << TORUS_BGL_X_SHIFT);
	header_store(bytes + 4, dest[1] << TORUS_BGL_Y_SHIFT | dest[2] << TORUS_BGL_Z_SHIFT);
}

/* The first class, that of injection FIFO 0. */
static void header_xt(u8 *bytes, const u32 *dest, u32 node, u32 group, u32 chunks)
{
	header_store(bytes, node << TORUS_XT_DEST_SHIFT | (group ? TORUS_XT_GROUP : 0) |
			    (chunks == 1 ? TORUS_XT_TAIL : 0));
	header_store(bytes + 4, (chunks - 1) << TORUS_XT_FLITS_SHIFT);
}

/* The fixed path of the pair, and the first reception FIFO. */
static void header_tofu(u8 *bytes, const u32 *dest, u32 node, u32 group, u32 chunks)
{
	header_store(bytes, dest[0] << TORUS_TOFU_X_SHIFT | dest[1] << TORUS_TOFU_Y_SHIFT |
			    dest[2] << TORUS_TOFU_Z_SHIFT | dest[3] << TORUS_TOFU_A_SHIFT |
			    dest[4] << TORUS_TOFU_B_SHIFT | dest[5] << TORUS_TOFU_C_SHIFT |
			    (group & 1 ? TORUS_TOFU_GROUP : 0));
	header_store(bytes + 4, (u32)TORUS_TOFU_PATH_FIXED << TORUS_TOFU_PATH_SHIFT |
				(group & 2 ? TORUS_TOFU_GROUP_HIGH : 0) |
				(chunks - 1) << TORUS_TOFU_CHUNKS_SHIFT);
	header_store(bytes + 8, 0);
	header_store(bytes + 12, 0);
}

static const struct torus_net_machine header_machines[] = {
	{ "bgl", TORUS_BGL_HEADER_BYTES, header_bgl },
	{ "xt", TORUS_XT_HEADER_BYTES, header_xt },
	{ "tofu", TORUS_TOFU_HEADER_BYTES, header_tofu },
};

/**
 * torus_net_machine_find() - find a machine by its name
 * @name: the name
 *
 * Return: the machine, or NULL if its nodes cannot have an interface.
 */
const struct torus_net_machine *torus_net_machine_find(const char *name)
{
	u32 i;

	for (i = 0; i < sizeof(header_machines) / sizeof(*header_machines); i++)
		if (!strcmp(header_machines[i].name, name))
			return &header_machines[i];
	return NULL;
}
