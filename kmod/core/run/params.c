// SPDX-License-Identifier: GPL-2.0
/* The common parameters: their table, search by name, and how their values are applied. */
#include "core/link/corruption.h"
#include "core/run/params.h"
#include "core/base/parse_number.h"
#include "core/link/fault.h"
#include "core/link/link.h"
#include "core/state/domain.h"

static const char *const crc_names[] = { "lazy", "full", NULL };
static const char *const listener_names[] = { "drop", "hold", NULL };
static const char *const injection_names[] = { "finite", "infinite", NULL };
static const char *const inject_names[] = { "go", "hold", "drain", NULL };
static const char *const time_names[] = { "free", "virtual", NULL };
static const char *const order_names[] = { "turn", "direction", NULL };

static const char *const attach_names[] = { "any", "owner", NULL };
static const char *const watch_names[] = { "any", "owner", "admin", NULL };
static const char *const isolate_names[] = { "off", "on", NULL };

#define PARAM_ISOLATE(def)	TORUS_PARAM_CHOICE("isolate", isolate_names, def, true,	\
	"on: partitions share no buffer; a program's packet is rejected if its path may leave "	\
	"the partition of its node")

static const struct torus_param common[TORUS_P_MACHINE] = {
	[TORUS_P_CRC] = TORUS_PARAM_CHOICE("crc", crc_names, 0, true,
		"full: compute the CRCs of every packet at every hop; lazy: only where the result "
		"can differ"),
	[TORUS_P_BER] = TORUS_PARAM_NUMBER("ber", TORUS_UNIT_FRACTION, 0, ~0ull, 0, true,
		"bit-error rate of every link, at least 0 and below 1"),
	[TORUS_P_RX_STALL] = TORUS_PARAM_NUMBER("rx_stall", TORUS_UNIT_TICKS, 0, 1ull << 48, 0,
		true, "ticks after which a packet is dropped if its reader does not read it; 0: "
		      "never"),
	[TORUS_P_NO_LISTENER] = TORUS_PARAM_CHOICE("no_listener", listener_names, 0, true,
		"packets to a FIFO group that no program has opened: drop them, or hold them in "
		"the network"),
	[TORUS_P_INJECTION] = TORUS_PARAM_CHOICE("injection", injection_names, 0, false,
		"size of the injection FIFOs of synthetic sources: finite as in the machine, or "
		"infinite"),
	[TORUS_P_HOP_LIMIT] = TORUS_PARAM_NUMBER("hop_limit", TORUS_UNIT_HOPS, 0,
		TORUS_PACKET_HOPS_MAX - 1, 0, false,
		"hops after which a packet is dropped; 0: twice the sum of the lengths of all "
		"dimensions"),
	[TORUS_P_INJECT_PACKET] = TORUS_PARAM_NUMBER("inject_packet", TORUS_UNIT_TICKS, 0, 65535,
		0, false, "ticks that a processor needs to inject a synthetic packet"),
	[TORUS_P_INJECT_CHUNK] = TORUS_PARAM_NUMBER("inject_chunk", TORUS_UNIT_TICKS, 0, 65535, 0,
		false, "additional ticks for each chunk of an injected packet"),
	[TORUS_P_RECEIVE_PACKET] = TORUS_PARAM_NUMBER("receive_packet", TORUS_UNIT_TICKS, 0, 65535,
		0, false, "ticks that a processor needs to receive a synthetic packet"),
	[TORUS_P_RECEIVE_CHUNK] = TORUS_PARAM_NUMBER("receive_chunk", TORUS_UNIT_TICKS, 0, 65535,
		0, false, "additional ticks for each chunk of a received packet"),
	[TORUS_P_INJECT] = TORUS_PARAM_CHOICE("inject", inject_names, 0, true,
		"go: packets enter the network; hold: they wait in the injection FIFOs until a "
		"user sets go; drain: they wait while torusd changes routing tables, or torusctl "
		"a unit"),
	[TORUS_P_SOURCE_FIFOS] = TORUS_PARAM_NUMBER("source_fifos", TORUS_UNIT_NONE, 0,
		TORUS_NODE_FIFOS_MAX, 0, false,
		"number of normal injection FIFOs that a synthetic source fills; 0: all of a node, "
		"or of its first two groups if it has more"),
	[TORUS_P_SOURCE_ORDER] = TORUS_PARAM_CHOICE("source_order", order_names, 0, false,
		"injection FIFO of a synthetic packet: the next in turn, or that of the direction "
		"in which the packet has most hops"),
	[TORUS_P_ATTACH] = TORUS_PARAM_CHOICE("attach", attach_names, 0, true,
		"users who may attach programs to a node without an owner: any, or only "
		"administrators (owner); a node with an owner permits only its owner"),
	[TORUS_P_WATCH] = TORUS_PARAM_CHOICE("watch", watch_names, 0, true,
		"users who may read counters, links, registers and programs: any user, the owner "
		"of a node for that node, or only administrators; with owner and admin only "
		"administrators receive events"),
	[TORUS_P_NICE] = TORUS_PARAM_NUMBER("nice", TORUS_UNIT_NONE, 0, 19, 0, true,
		"nice value of the kernel threads that run the fabric"),
	[TORUS_P_TIME] = TORUS_PARAM_CHOICE("time", time_names, 0, false,
		"free: the clock of the fabric runs freely; virtual: it advances only as far as "
		"the clocks of all programs permit"),
	[TORUS_P_PROGRAMS] = TORUS_PARAM_NUMBER("programs", TORUS_UNIT_NONE, 1,
		TORUS_PROGRAMS_MAX, 1, false,
		"number of programs with which virtual time starts; all programs of a process "
		"count as one"),
	[TORUS_P_LOOK] = TORUS_PARAM_NUMBER("look", TORUS_UNIT_TICKS, 1, ~0u, 200, false,
		"virtual time: ticks that a program's clock advances when it polls for a packet "
		"and finds none"),
	[TORUS_P_ISOLATE] = PARAM_ISOLATE(0),
};

/* Parameter `isolate` of a machine that isolates partitions by default. */
static const struct torus_param isolated = PARAM_ISOLATE(1);

static const struct torus_lack *find_lack(const struct torus_arch *arch, u32 param)
{
	u32 i;

	for (i = 0; i < arch->nlacks; i++)
		if (arch->lacks[i].param == param)
			return &arch->lacks[i];
	return NULL;
}

u32 torus_param_count(const struct torus_arch *arch)
{
	return TORUS_P_MACHINE + arch->nparams;
}

const struct torus_param *torus_param_at(const struct torus_arch *arch, u32 i)
{
	if (i >= TORUS_P_MACHINE)
		return &arch->params[i - TORUS_P_MACHINE];
	if (find_lack(arch, i))
		return NULL;
	return i == TORUS_P_ISOLATE && arch->isolates ? &isolated : &common[i];
}

#define KEY_LENGTH	32	/* a longer key cannot be a mistyped parameter */

/*
 * Return the edit distance: the number of letters to insert, delete or change to turn @word into
 * @key. Return KEY_LENGTH if one of them is longer than KEY_LENGTH.
 */
static u32 key_distance(const char *word, const char *key)
{
	u32 length = (u32)strlen(key), cost[KEY_LENGTH + 1], before, above, i, j;

	if (strlen(word) > KEY_LENGTH || length > KEY_LENGTH)
		return KEY_LENGTH;
	for (j = 0; j <= length; j++)
		cost[j] = j;
	for (i = 0; word[i]; i++) {
		before = cost[0]++;
		for (j = 0; j < length; j++) {
			above = cost[j + 1];
			before += word[i] != key[j];
			if (before > above + 1)
				before = above + 1;
			if (before > cost[j] + 1)
				before = cost[j] + 1;
			cost[j + 1] = before;
			before = above;
		}
	}
	return cost[length];
}

/*
 * Return the parameter that the mistyped @word is nearest to, or NULL. Accept up to two wrong
 * letters, or one wrong letter in a word of at most four letters.
 */
static const char *find_nearest(const struct torus_arch *arch, const char *word)
{
	u32 best = strlen(word) > 4 ? 3 : 2, distance, i;
	const struct torus_param *param;
	const char *nearest = NULL;

	for (i = 0; i < torus_param_count(arch); i++) {
		param = torus_param_at(arch, i);
		distance = param ? key_distance(word, param->name) : best;
		if (distance >= best)
			continue;
		best = distance;
		nearest = param->name;
	}
	return nearest;
}

int torus_param_find(const struct torus_arch *arch, const char *key, struct torus_error *err)
{
	const struct torus_lack *lack;
	char word[TORUS_WORD];
	const char *nearest;
	u32 i;

	for (i = 0; i < arch->nparams; i++)
		if (!strcmp(arch->params[i].name, key))
			return (int)(TORUS_P_MACHINE + i);
	for (i = 0; i < TORUS_P_MACHINE; i++) {
		if (strcmp(common[i].name, key))
			continue;
		lack = find_lack(arch, i);
		return lack ? torus_fail(err, EOPNOTSUPP, "%s: %s %s", key, arch->name, lack->why) :
			      (int)i;
	}
	nearest = err ? find_nearest(arch, key) : NULL;
	return torus_fail(err, ENOENT, "unknown key '%s' for %s%s%s%s", torus_word(key, word),
			  arch->name, nearest ? " (nearest: " : "", nearest ? nearest : "",
			  nearest ? ")" : "");
}

const char *torus_param_unit(const struct torus_param *param)
{
	static const char *const names[TORUS_UNIT_MAX] = {
		[TORUS_UNIT_TICKS] = "ticks",
		[TORUS_UNIT_BYTES] = "bytes",
		[TORUS_UNIT_HOPS] = "hops",
		[TORUS_UNIT_PERCENT] = "percent",
		[TORUS_UNIT_MBPS] = "MB/s",
		[TORUS_UNIT_FRACTION] = "2^-64",
	};

	return param->values ? NULL : names[param->unit];
}

void torus_params_apply(struct torus_fabric *f)
{
	const u64 *p = f->cfg.params;
	u32 dim, sum = 0;

	for (dim = 0; dim < f->cfg.geo.ndims; dim++)
		sum += f->cfg.geo.dims[dim];
	f->hop_limit = p[TORUS_P_HOP_LIMIT] ? (u32)p[TORUS_P_HOP_LIMIT] : 2 * sum;
	f->rx_stall = p[TORUS_P_RX_STALL];
	f->hold = p[TORUS_P_NO_LISTENER];
	f->crc_full = p[TORUS_P_CRC];
	f->injection_infinite = p[TORUS_P_INJECTION];
	f->ber = p[TORUS_P_BER];
	f->injection_held = p[TORUS_P_INJECT];
	f->isolate = p[TORUS_P_ISOLATE];
	f->cost = (struct torus_cost){
		.inject_packet = (u32)p[TORUS_P_INJECT_PACKET],
		.inject_chunk = (u32)p[TORUS_P_INJECT_CHUNK],
		.receive_packet = (u32)p[TORUS_P_RECEIVE_PACKET],
		.receive_chunk = (u32)p[TORUS_P_RECEIVE_CHUNK],
	};
}

/* Set the bit-error rate of each link, overriding rates of single links. */
static int ber_changed(struct torus_fabric *f, struct torus_error *err)
{
	struct torus_fault fault = {
		.what = TORUS_FAULT_BER, .node = TORUS_NONE, .dir = TORUS_NONE, .ber = f->ber,
	};

	return torus_fault_set(f, &fault, err);
}

static int crc_changed(struct torus_fabric *f, struct torus_error *err)
{
	if (!f->crc_full)
		return 0;
	torus_packets_widen(f);
	if (!torus_link_crcs_init(f)) {
		torus_packets_uncount(f);
		return 0;
	}
	f->crc_full = false;
	f->cfg.params[TORUS_P_CRC] = 0;
	return torus_fail(err, ENOMEM, "no memory for the CRCs of the links of %u nodes",
			  f->nodes);
}

/*
 * Refill all routers after `inject` has changed, because waiting packets may enter the network
 * now.
 */
static int inject_changed(struct torus_fabric *f)
{
	u32 node;

	for (node = 0; !f->injection_held && node < f->nodes; node++)
		if (torus_node_here(f, node))
			f->router->refill(f, node);
	return 0;
}

int torus_param_changed(struct torus_fabric *f, u32 i, struct torus_error *err)
{
	switch (i) {
	case TORUS_P_BER:
		return ber_changed(f, err);
	case TORUS_P_CRC:
		return crc_changed(f, err);
	case TORUS_P_INJECT:
		return inject_changed(f);
	default:
		return 0;
	}
}
