// SPDX-License-Identifier: GPL-2.0
/*
 * Division of the nodes among domains: each node is in one domain, no domain is empty, and domains
 * are blocks where the shape permits. Mail also arrives from a domain without a link to the
 * receiver.
 */
#include "core/run/windows.h"
#include "core/state/mail.h"
#include "arch/tests/bgl_rig.h"

static struct torus_fabric *divided(const char *shape, u32 domains)
{
	char text[32];

	snprintf(text, sizeof(text), "domains=%u", domains);
	return rig_make(shape, text);
}

/* Check that each node is in the list of its domain, and in no other list. */
static void check_lists(struct torus_fabric *f)
{
	u32 i, j, node, seen = 0;

	for (i = 0; i < f->ndomains; i++) {
		struct torus_domain *d = &f->domain[i];

		assert_true(d->count > 0);
		for (j = 0; j < d->count; j++, seen++) {
			node = torus_domain_nth(d, j);
			assert_ptr_equal(torus_domain_of(f, node), d);
			assert_true(torus_domain_has(d, node));
			assert_int_equal(torus_domain_local(d, node), j);
			assert_true(!j || torus_domain_nth(d, j - 1) < node);
		}
	}
	assert_int_equal(seen, f->nodes);
}

/* Count the links between different domains. */
static u32 links_between(struct torus_fabric *f)
{
	u32 node, dir, peer, n = 0;

	for (node = 0; node < f->nodes; node++)
		for (dir = 0; dir < f->dirs; dir++) {
			peer = torus_geometry_neighbor(&f->cfg.geo, node, dir);
			if (peer == TORUS_NONE || torus_domain_of(f, peer) ==
			    torus_domain_of(f, node))
				continue;
			assert_true(torus_domain_of(f, peer)->senders >>
				    torus_domain_of(f, node)->index & 1);
			n++;
		}
	return n;
}

static void test_every_number_of_domains(void **state)
{
	static const char *const shapes[] = { "4x4x4", "3x3x1", "5x1x1", "7x3mx2", "2x2x9m" };
	u32 i, domains;

	for (i = 0; i < COUNT(shapes); i++)
		for (domains = 1; domains <= TORUS_DOMAINS_MAX; domains++) {
			struct torus_fabric *f = divided(shapes[i], 1);
			u32 nodes = f->nodes;

			torus_fabric_destroy(f);
			if (domains > nodes)
				break;
			f = divided(shapes[i], domains);
			check_lists(f);
			links_between(f);
			torus_fabric_destroy(f);
		}
}

static void check_blocks(const char *shape, u32 domains, u32 count, u32 links)
{
	struct torus_fabric *f = divided(shape, domains);
	u32 i;

	check_lists(f);
	for (i = 0; i < domains; i++)
		assert_int_equal(f->domain[i].count, count);
	assert_int_equal(links_between(f), links);
	torus_fabric_destroy(f);
}

/* Domains are equal and compact blocks: links leave them only through their faces. */
static void test_blocks(void **state)
{
	/* eight cubes of 4x4x4: six faces of 16 links each */
	check_blocks("8x8x8", 8, 64, 8 * 6 * 16);
	/* 64 cubes of 2x2x2 */
	check_blocks("8x8x8", 64, 8, 64 * 6 * 4);
	/* two slabs: two faces of 64 links each */
	check_blocks("8x8x8", 2, 256, 2 * 2 * 64);
	/* the longest dimension is cut first */
	check_blocks("4x16x4", 4, 64, 4 * 2 * 16);
	/* a mesh has fewer links, and is also cut in the longest dimension */
	check_blocks("4x16mx4", 4, 64, 6 * 16);
	/* the number of domains is a prime */
	check_blocks("6x5x1", 5, 6, 50);
}

static struct torus_fabric *with_threads(const char *shape, u32 domains, u32 threads)
{
	struct torus_config cfg;
	struct torus_fabric *f;
	struct torus_error err;

	rig_config(&cfg, "bgl", shape, "");
	cfg.domains = domains;
	cfg.threads = threads;
	assert_int_equal(torus_fabric_create(&cfg, &f, &err), 0);
	return f;
}

/*
 * If there are more blocks than threads, they are dealt to the threads in turns. All blocks of a
 * thread form one domain.
 */
static void test_blocks_of_a_thread(void **state)
{
	struct torus_fabric *f = with_threads("8x8x8", 64, 3), *apart = divided("8x8x8", 64);
	u32 node;

	assert_int_equal(f->ndomains, 3);
	check_lists(f);
	links_between(f);
	for (node = 0; node < f->nodes; node++)
		assert_int_equal(torus_domain_of(f, node)->index,
				 torus_domain_of(apart, node)->index % 3);
	torus_fabric_destroy(apart);
	torus_fabric_destroy(f);

	f = with_threads("8x8x8", 64, 1);
	assert_int_equal(f->ndomains, 1);
	assert_int_equal(torus_fabric_config(f)->domains, 64);
	torus_fabric_destroy(f);

	/* more threads than blocks: one domain per block */
	f = with_threads("8x8x8", 4, 9);
	assert_int_equal(f->ndomains, 4);
	check_lists(f);
	torus_fabric_destroy(f);
}

/* Return the number of pending events in the wheel of a domain. */
static u64 pending(struct torus_fabric *f, u32 domain)
{
	return f->domain[domain].wheel.pending;
}

/*
 * A domain receives mail from a thread that runs no neighbouring domain, even if another thread
 * later runs the receiving domain.
 */
static void test_far_mail(void **state)
{
	const struct torus_event ev = { .kind = TORUS_EV_SOURCE, .node = 4 };
	struct torus_fabric *f = divided("8x1x1", 8);
	u32 to = torus_domain_of(f, 4)->index, sender, from, i, events = 0;

	/* node 1 has no link to node 4, node 3 has one */
	for (sender = 1; sender <= 3; sender += 2) {
		from = torus_domain_of(f, sender)->index;
		assert_int_not_equal(from, 0);
		assert_int_equal(f->domain[to].senders >> from & 1, sender == 3);
		for (i = 0; i < 3; i++) {
			torus_mail_threads(f, 8);
			assert_int_equal(f->domain[to].from, f->domain[to].senders);
			torus_mail_event(&f->domain[from], f->clock + 100, &ev);
			assert_int_equal(pending(f, to), 0);
			assert_true(torus_fabric_pending(f));
			assert_int_equal(torus_fabric_run(f, f->clock + 50, 0, 1), TORUS_RUN_TIME);
			assert_int_equal(f->domain[to].stats.events, events);
			torus_fabric_run(f, f->clock + 1000, 0, 1);
			assert_int_equal(f->domain[to].stats.events, ++events);
			assert_int_equal(f->domain[to].far[0] | f->domain[to].far[1], 0);
		}
	}
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_number_of_domains),
		cmocka_unit_test(test_blocks_of_a_thread),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_far_mail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
