// SPDX-License-Identifier: GPL-2.0
/*
 * Counters as text in the format OpenMetrics, for monitoring systems.
 *
 * Names, units and help texts are those of the counter tables of <linux/torus.h>. Readers of the
 * older format of Prometheus can parse the text, too: they skip the lines UNIT and EOF as comments.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../common/array.h"
#include "../config/diag.h"
#include "../config/node_addr.h"
#include "../netlink/counter.h"
#include "../netlink/tni.h"
#include "../parse/shape.h"
#include "../parse/parse.h"
#include "../report/report.h"
#include "print/drop.h"
#include "print/link.h"
#include "openmetrics.h"
#include "uapi_tables.h"

#define ALL_NODES	UINT32_MAX	/* in place of a node's number: the sum over all nodes */
#define LABELS_MAX	320	/* maximum bytes of the labels of a sample */

/**
 * struct metric - a counter or gauge
 * @offset: offset of the value in the record of its object
 * @size: bytes of the value
 * @name: name of the counter
 * @unit: unit; the last word of the metric's name
 * @type: "counter" or "gauge"
 * @help: description, without the unit
 */
struct metric {
	size_t offset;
	size_t size;
	const char *name;
	const char *unit;
	const char *type;
	const char *help;
};

struct metric_fifo {
	uint32_t node;
	struct torus_fifo_counters counters;
};

/* @node: number of the node, or ALL_NODES */
struct metric_tni {
	uint32_t node;
	uint32_t tni;
	struct torus_tni_counters counters;
};

/**
 * struct metrics - counters of a fabric and of some of its links, FIFOs and TNIs
 * @fabric: the fabric
 * @counters: its counters
 * @links: links of the nodes that were named
 * @fifos: FIFOs of these nodes that have been used
 * @sums: each TNI's sum over all nodes
 * @tnis: TNIs of the nodes that were named
 */
struct metrics {
	const struct torus_nl_fabric *fabric;
	struct torus_fabric_counters counters;
	struct torus_nl_link *links;
	size_t nlinks;
	struct metric_fifo *fifos;
	size_t nfifos;
	struct metric_tni *sums;
	size_t nsums;
	struct metric_tni *tnis;
	size_t ntnis;
};

#define ROW(record, field, ...) \
	{ offsetof(struct record, counters.field), \
	  sizeof(((struct record *)0)->counters.field), __VA_ARGS__ },
#define FABRIC(name, ...)	ROW(metrics, name, #name, __VA_ARGS__)
#define LINK(name, ...)		ROW(torus_nl_link, name, #name, __VA_ARGS__)
#define FIFO(name, ...)		ROW(metric_fifo, name, #name, __VA_ARGS__)
#define TNI(name, ...)		ROW(metric_tni, name, #name, __VA_ARGS__)

static const struct metric fabric_metrics[] = {
	TORUS_EACH_FABRIC_COUNTER(FABRIC)
	ROW(metrics, clock, "clock", "ticks", "counter", "simulated")
	ROW(metrics, hops_total, "hops", "hops", "counter", "of all packets")
	ROW(metrics, latency_sum, "latency", "ticks", "counter", "from generation to delivery")
	{ },
};

static const struct metric link_metrics[] = { TORUS_EACH_LINK_COUNTER(LINK) { } };
static const struct metric fifo_metrics[] = { TORUS_EACH_FIFO_COUNTER(FIFO) { } };
static const struct metric tni_metrics[] = { TORUS_EACH_TNI_COUNTER(TNI) { } };

/* ------------------------------------------------------------------- printing */

static bool ends_with(const char *name, const char *unit)
{
	size_t length = strlen(name), tail = strlen(unit);

	return length >= tail && !strcmp(name + length - tail, unit) &&
	       (length == tail || name[length - tail - 1] == '_');
}

/* Print the name of a metric. Its last word is the unit, as OpenMetrics requires. */
static void print_name(const char *object, const struct metric *metric)
{
	printf("torus_%s_%s", object, metric->name);
	if (!ends_with(metric->name, metric->unit))
		printf("_%s", metric->unit);
}

static void print_head(const char *object, const struct metric *metric)
{
	printf("# TYPE ");
	print_name(object, metric);
	printf(" %s\n# UNIT ", metric->type);
	print_name(object, metric);
	printf(" %s\n# HELP ", metric->unit);
	print_name(object, metric);
	printf(" %s %s\n", metric->unit, metric->help);
}

static void print_sample(const char *object, const struct metric *metric, const char *labels,
			 uint64_t value)
{
	print_name(object, metric);
	printf("%s{%s} %" PRIu64 "\n", strcmp(metric->type, "counter") ? "" : "_total", labels,
	       value);
}

static uint64_t metric_value(const struct metric *metric, const void *record)
{
	uint32_t small;
	uint64_t value;

	if (metric->size == sizeof(small)) {
		memcpy(&small, (const char *)record + metric->offset, sizeof(small));
		return small;
	}
	memcpy(&value, (const char *)record + metric->offset, sizeof(value));
	return value;
}

/*
 * Print the metrics of objects of one kind. @labels: writes the labels of a record of @size bytes.
 */
static void print_metrics(const char *object, const struct metric *metric,
			  const struct metrics *m, const void *records, size_t count, size_t size,
			  void (*labels)(const struct metrics *m, const void *record, char *text))
{
	char text[LABELS_MAX];
	size_t i;

	for (; count && metric->name; metric++) {
		print_head(object, metric);
		for (i = 0; i < count; i++) {
			const char *record = (const char *)records + i * size;

			labels(m, record, text);
			print_sample(object, metric, text, metric_value(metric, record));
		}
	}
}

/* Write the label of the fabric, whose name has no character that must be escaped. */
static size_t fabric_label(const struct metrics *m, char *text)
{
	return (size_t)snprintf(text, LABELS_MAX, "fabric=\"%s\"", m->fabric->name);
}

static size_t node_label(const struct metrics *m, uint32_t node, char *text)
{
	size_t used = fabric_label(m, text);
	char place[PLACE_TEXT_MAX];

	return used + (size_t)snprintf(text + used, LABELS_MAX - used, ",node=\"%s\"",
				       place_text(m->fabric, node, place, sizeof(place)));
}

static void fabric_labels(const struct metrics *m, const void *record, char *text)
{
	(void)record;
	fabric_label(m, text);
}

static void link_labels(const struct metrics *m, const void *record, char *text)
{
	const struct torus_nl_link *link = record;
	size_t used = node_label(m, link->node, text);
	char dir[PARSE_DIR_MAX];

	snprintf(text + used, LABELS_MAX - used, ",dir=\"%s\"",
		 parse_dir_name(link->dir, dir, sizeof(dir)));
}

static void fifo_labels(const struct metrics *m, const void *record, char *text)
{
	const struct metric_fifo *fifo = record;
	size_t used = node_label(m, fifo->node, text);

	snprintf(text + used, LABELS_MAX - used, ",group=\"%" PRIu32 "\",kind=\"%s\",fifo=\"%"
		 PRIu32 "\"", fifo->counters.group,
		 fifo->counters.receive ? "reception" : "injection", fifo->counters.fifo);
}

static void tni_labels(const struct metrics *m, const void *record, char *text)
{
	const struct metric_tni *tni = record;
	size_t used = tni->node == ALL_NODES ? fabric_label(m, text) :
						node_label(m, tni->node, text);

	snprintf(text + used, LABELS_MAX - used, ",tni=\"%" PRIu32 "\"", tni->tni);
}

static void print_drops(const struct metrics *m)
{
	static const struct metric metric = {
		.name = "dropped", .unit = "packets", .type = "counter",
		.help = "dropped, by reason",
	};
	char text[LABELS_MAX], name[DROP_NAME_MAX];
	unsigned int i;
	size_t used;

	print_head("fabric", &metric);
	for (i = 0; i < TORUS_DROP_MAX; i++) {
		if (!drop_name(m->fabric->drops, i, name))
			continue;
		used = fabric_label(m, text);
		snprintf(text + used, LABELS_MAX - used, ",reason=\"%s\"", name);
		print_sample("fabric", &metric, text, m->counters.dropped[i]);
	}
}

/*
 * Print an array of counters of each link. @key: name of the label that distinguishes the elements.
 * @word: returns its value for an element, in @text if necessary.
 */
static void print_link_array(const struct metrics *m, const struct metric *metric,
			     const char *key, unsigned int count,
			     const char *(*word)(const struct torus_nl_fabric *fabric,
						 unsigned int i, char *text, size_t size))
{
	char text[LABELS_MAX], name[16];
	unsigned int i;
	size_t used, at;

	if (!m->nlinks)
		return;
	print_head("link", metric);
	for (at = 0; at < m->nlinks; at++) {
		link_labels(m, &m->links[at], text);
		used = strlen(text);
		for (i = 0; i < count; i++) {
			struct metric one = *metric;

			one.offset += i * sizeof(uint64_t);
			snprintf(text + used, LABELS_MAX - used, ",%s=\"%s\"", key,
				 word(m->fabric, i, name, sizeof(name)));
			print_sample("link", metric, text, metric_value(&one, &m->links[at]));
		}
	}
}

static void metrics_print(const struct metrics *m)
{
#define ARRAY(name, unit, help) \
	(&(const struct metric){ offsetof(struct torus_nl_link, counters.name), sizeof(__u64), \
				 #name, unit, "counter", help })
	unsigned int vcs = link_vcs(m->fabric);

	print_metrics("fabric", fabric_metrics, m, m, 1, sizeof(*m), fabric_labels);
	print_drops(m);
	print_metrics("fabric_tni", tni_metrics, m, m->sums, m->nsums, sizeof(*m->sums),
		      tni_labels);
	print_metrics("link", link_metrics, m, m->links, m->nlinks, sizeof(*m->links),
		      link_labels);
	print_link_array(m, ARRAY(packets, "packets", "transmitted first, by VC"), "vc", vcs,
			 link_vc_name);
	print_link_array(m, ARRAY(chunks, "chunks", "transmitted first, by VC"), "vc", vcs,
			 link_vc_name);
	print_link_array(m, ARRAY(stalls, "stalls", "of packets at the head of a VC, by reason"),
			 "reason", TORUS_STALL_MAX, link_stall_name);
	print_metrics("fifo", fifo_metrics, m, m->fifos, m->nfifos, sizeof(*m->fifos),
		      fifo_labels);
	print_metrics("tni", tni_metrics, m, m->tnis, m->ntnis, sizeof(*m->tnis), tni_labels);
	printf("# EOF\n");
}

/* ----------------------------------------------------------------- collecting */

static int no_memory(struct ctl *ctl)
{
	ctl_error(ctl, "out of memory for the counters");
	return CTL_FAILED;
}

static int collect_links(struct ctl *ctl, struct target *target, struct metrics *m)
{
	struct torus_nl_link *links = NULL, one, *kept;
	size_t count = 1, i;
	int error;

	if (target->has_dir)
		error = torus_nl_counter_link(ctl->nl, target->name, target->node, target->dir,
					      &one);
	else
		error = torus_nl_counter_dump(ctl->nl, target->name, &target->node, &links,
					      &count);
	/* in a range of nodes, those at the edge of a mesh have no such link */
	if (error == -ENOLINK && target->nodes.count > 1)
		return CTL_OK;
	if (error)
		return ctl_failed(ctl);
	for (i = 0; i < count; i++) {
		kept = torus_array_add(&m->links, &m->nlinks);
		if (!kept)
			break;
		*kept = links ? links[i] : one;
	}
	free(links);
	return i == count ? CTL_OK : no_memory(ctl);
}

static int collect_fifos(struct ctl *ctl, struct target *target, struct metrics *m)
{
	struct torus_fifo_counters *fifos;
	struct metric_fifo *kept;
	size_t count, i;

	if (torus_nl_node_fifos(ctl->nl, target->name, target->node, &fifos, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count; i++) {
		if (!fifos[i].packets && !fifos[i].high_water && !fifos[i].interrupts)
			continue;
		kept = torus_array_add(&m->fifos, &m->nfifos);
		if (!kept)
			break;
		*kept = (struct metric_fifo){ .node = target->node, .counters = fifos[i] };
	}
	free(fifos);
	return i == count ? CTL_OK : no_memory(ctl);
}

/* @node: number of a node; NULL: collect the sums over all nodes */
static int collect_tnis(struct ctl *ctl, const char *fabric, const uint32_t *node,
			struct metric_tni **array, size_t *total)
{
	struct metric_tni *kept;
	struct torus_nl_tnis tnis;
	unsigned int i;

	if (torus_nl_tnis_get(ctl->nl, fabric, node, &tnis))
		return ctl_failed(ctl);
	for (i = 0; i < tnis.count; i++) {
		kept = torus_array_add(array, total);
		if (!kept)
			return no_memory(ctl);
		*kept = (struct metric_tni){
			.node = node ? *node : ALL_NODES, .tni = i, .counters = tnis.tni[i],
		};
	}
	return CTL_OK;
}

static int collect_node(struct ctl *ctl, struct target *target, void *arg)
{
	struct metrics *m = arg;
	int status = collect_links(ctl, target, m);

	if (target->has_dir)
		return status;
	if (!status)
		status = collect_fifos(ctl, target, m);
	if (!status)
		status = collect_tnis(ctl, target->name, &target->node, &m->tnis, &m->ntnis);
	return status;
}

static int collect_all(struct ctl *ctl, struct target *target, struct metrics *m)
{
	struct torus_nl_node *nodes;
	int status = CTL_OK;
	size_t count, i;

	if (torus_nl_node_dump(ctl->nl, target->name, &nodes, &count))
		return ctl_failed(ctl);
	for (i = 0; i < count && !status; i++) {
		target->node = nodes[i].node;
		status = collect_node(ctl, target, m);
	}
	free(nodes);
	return status;
}

/**
 * openmetrics_show - print the counters of a fabric as OpenMetrics
 * @target: the fabric, from target_find(). If it names nodes, also their links, FIFOs and TNIs are
 *    printed; if it names a direction, only their links. With option --details, those of all nodes
 *
 * Return: CTL_OK, or CTL_FAILED after an error message.
 */
int openmetrics_show(struct ctl *ctl, struct target *target)
{
	struct metrics m = { .fabric = &target->fabric };
	int status;

	if (torus_nl_counter_get(ctl->nl, target->name, &m.counters))
		status = ctl_failed(ctl);
	else
		status = collect_tnis(ctl, target->name, NULL, &m.sums, &m.nsums);
	if (!status && target->has_node)
		status = target_each(ctl, target, collect_node, &m);
	else if (!status && ctl->details)
		status = collect_all(ctl, target, &m);
	if (!status)
		metrics_print(&m);
	free(m.links);
	free(m.fifos);
	free(m.sums);
	free(m.tnis);
	return status ? status : ctl_done(ctl);
}
