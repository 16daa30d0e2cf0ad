// SPDX-License-Identifier: GPL-2.0
/*
 * Each packet of a client has exactly one end. A packet in the receiving client's ring counts as
 * completed. For any other end the client receives a notice with the packet and the reason.
 */
#include "arch/bgl/bgl.h"
#include "arch/tests/bgl_rig.h"
#include "core/link/control.h"
#include "core/nic/completion_report.h"
#include "core/run/windows.h"
#include "core/state/completion.h"

/* --------------------------------------------------------------------- reasons */

/* Three nodes in a row. Client 0 sends; nodes 1 and 2 can have readers. */
struct completion_row {
	struct torus_fabric *f;
	struct rig_client c[3];
};

static void row_make(struct completion_row *r, const char *settings)
{
	memset(r, 0, sizeof(*r));
	r->f = rig_make("4x1x1", settings);
	rig_attach(&r->c[0], r->f, 0, 0, false);
	rig_attach(&r->c[1], r->f, 1, 0, false);
}

static void row_send(struct completion_row *r, u32 dst, u32 count)
{
	struct rig_client *a = &r->c[0];

	for (; count; count--)
		rig_send(a, dst, 0, 8, false, RIG_MARK(0, a->outs));
}

static void row_free(struct completion_row *r)
{
	u32 i;

	for (i = 0; i < 3; i++)
		if (r->c[i].in)
			rig_client_free(&r->c[i]);
	rig_at_rest(r->f);
	torus_fabric_destroy(r->f);
}

static void test_nobody_listens(void **state)
{
	struct torus_lost_packet *l;
	struct completion_row r;

	row_make(&r, "");
	row_send(&r, 1, 3);
	row_send(&r, 2, 1);
	torus_nic_poll(r.f);
	rig_drain(r.f);
	/* running the fabric delivers the notices; no poll of the clients is necessary */
	rig_ends(r.c, 2);
	assert_int_equal(r.c[0].losses, 1);
	row_send(&r, 2, 1);
	rig_settle(r.f);
	rig_ends(r.c, 2);
	assert_int_equal(r.c[0].losses, 2);
	l = &r.c[0].loss[1];
	assert_int_equal(l->reason, TORUS_DROP_NO_LISTENER);
	assert_int_equal(l->number, RIG_NUMBER + 4);
	assert_int_equal(l->fifo, 0);
	assert_int_equal(l->node, 2);
	assert_int_equal(l->dst, 2);
	assert_int_equal(l->group, 0);
	assert_in_range(l->tick, 1, torus_fabric_clock(r.f));
	assert_true(r.c[0].notified > 0);
	row_free(&r);
}

/*
 * With no_listener=hold packets wait for the next reader, and do not complete before they are in
 * its ring.
 */
static void test_hold(void **state)
{
	struct completion_row r;

	row_make(&r, "no_listener=hold");
	row_send(&r, 1, 1);
	row_send(&r, 2, 2);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 1);
	assert_int_equal(r.c[0].losses, 0);
	rig_attach(&r.c[2], r.f, 2, 0, false);
	rig_settle(r.f);
	assert_int_equal(r.c[2].ins, 2);
	rig_ends(r.c, 3);
	assert_int_equal(r.c[0].losses, 0);
	row_free(&r);
}

/*
 * A reader detaches. Packets in its ring are delivered. Packets in its modelled FIFO are lost as
 * unread. Packets under way to the reader are lost because it has left. Packets that are sent later
 * are lost because the group has no listener.
 */
static void test_reader_leaves(void **state)
{
	struct completion_row r;

	row_make(&r, "");
	r.c[1].credits = 3;
	row_send(&r, 1, 20);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 3);
	rig_detach(&r.c[1]);
	/* notices are delivered at the next poll, not by the detaching call */
	assert_int_equal(r.c[0].losses, 0);
	rig_settle(r.f);
	rig_ends(r.c, 2);
	/* 32 chunks */
	assert_int_equal(rig_losses_by(&r.c[0], TORUS_NOTICE_READER_GONE_UNREAD), 4);
	assert_true(rig_losses_by(&r.c[0], TORUS_NOTICE_READER_GONE) > 0);
	assert_true(rig_losses_by(&r.c[0], TORUS_DROP_NO_LISTENER) > 0);
	assert_int_equal(r.c[0].losses, 17);
	row_free(&r);
}

/*
 * After torus_nic_leave() the reader's program is gone: packets for it are lost as unread until it
 * detaches.
 */
static void test_reader_is_leaving(void **state)
{
	struct completion_row r;

	row_make(&r, "");
	r.c[1].credits = 3;
	row_send(&r, 1, 20);
	rig_settle(r.f);
	torus_nic_leave(r.f, 1, 0);
	rig_settle(r.f);
	rig_ends(r.c, 2);
	assert_int_equal(r.c[1].ins, 3);
	assert_int_equal(rig_losses_by(&r.c[0], TORUS_NOTICE_READER_GONE_UNREAD), 17);
	assert_int_equal(r.f->domain[0].stats.unread, 17);
	/* the next owner reads */
	rig_client_free(&r.c[1]);
	rig_attach(&r.c[1], r.f, 1, 0, false);
	row_send(&r, 1, 1);
	rig_settle(r.f);
	assert_int_equal(r.c[1].ins, 1);
	assert_int_equal(r.c[0].losses, 17);
	row_free(&r);
}

static void test_rx_stall(void **state)
{
	struct completion_row r;

	row_make(&r, "rx_stall=5000");
	r.c[1].credits = 0;
	row_send(&r, 1, 10);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 0);
	torus_fabric_idle_advance(r.f, 6000);
	rig_settle(r.f);
	r.c[1].credits = RIG_RING;
	rig_settle(r.f);
	rig_ends(r.c, 2);
	assert_true(rig_losses_by(&r.c[0], TORUS_DROP_RX_STALL) > 0);
	assert_int_equal(rig_losses_by(&r.c[0], TORUS_DROP_RX_STALL), r.c[0].losses);
	row_free(&r);
}

/* A packet is lost by an uncorrectable memory error on a live link. */
static void test_ecc(void **state)
{
	struct completion_row r;

	row_make(&r, "");
	rig_fault(r.f, &(struct torus_fault){
		.what = TORUS_FAULT_ECC_DOUBLE, .node = 0, .dir = 0, .ecc_double = 2,
	});
	row_send(&r, 1, 5);
	rig_settle(r.f);
	rig_ends(r.c, 2);
	assert_int_equal(r.c[0].losses, 2);
	assert_int_equal(rig_losses_by(&r.c[0], TORUS_DROP_ECC), 2);
	assert_int_equal(r.c[0].loss[0].node, 1);
	row_free(&r);
}

/* Link errors after which a retransmission succeeds generate no notice. */
static void test_resends(void **state)
{
	struct completion_row r;

	row_make(&r, "");
	rig_fault(r.f, &(struct torus_fault){
		.what = TORUS_FAULT_CORRUPT | TORUS_FAULT_DROP_ACK, .node = 0, .dir = 0,
		.corrupt = 5, .drop_ack = 3,
	});
	row_send(&r, 1, 12);
	row_send(&r, 2, 2);
	rig_settle(r.f);
	assert_true(rig_link(r.f, 0, 0).resends > 0);
	rig_ends(r.c, 2);
	assert_int_equal(r.c[0].losses, 2);
	row_free(&r);
}

/* A packet with an undetected error counts as completed. */
static void test_escape(void **state)
{
	struct completion_row r;

	row_make(&r, "");
	rig_fault(r.f, &(struct torus_fault){
		.what = TORUS_FAULT_ESCAPE, .node = 0, .dir = 0, .escape = 2,
	});
	row_send(&r, 1, 3);
	rig_settle(r.f);
	assert_int_equal(rig_link(r.f, 0, 0).escapes, 2);
	assert_int_equal(r.c[1].ins, 3);
	assert_int_equal(r.c[0].losses, 0);
	assert_int_equal(r.c[0].completed, 3);
	row_free(&r);
}

/* A reset of the fabric loses all packets under way. The notice does not name the packets. */
static void test_reset(void **state)
{
	struct torus_error err;
	struct completion_row r;

	row_make(&r, "");
	r.c[1].credits = 2;
	row_send(&r, 1, 30);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 2);
	assert_int_equal(torus_fabric_reset(r.f, 1, &err), 0);
	assert_int_equal(r.c[0].losses, 1);
	assert_int_equal(r.c[0].loss[0].flags, TORUS_NOTICE_ALL);
	assert_int_equal(r.c[0].loss[0].reason, TORUS_DROP_RESET);
	assert_int_equal(r.c[1].losses, 0);
	/* all accepted packets have completed */
	assert_int_equal(r.c[0].completed, r.c[0].accepts);
	r.c[1].credits = RIG_RING;
	rig_settle(r.f);
	assert_int_equal(r.c[0].accepts, 30);
	assert_int_equal(r.c[0].completed, 30);
	assert_int_equal(r.c[0].losses, 1);
	/* a client without packets under way receives no notice */
	assert_int_equal(torus_fabric_reset(r.f, 1, &err), 0);
	assert_int_equal(r.c[0].losses, 1);
	row_free(&r);
}

/* A flush of the reception FIFOs of one node discards the packets in them. */
static void test_node_reset(void **state)
{
	struct completion_row r;

	row_make(&r, "");
	r.c[1].credits = 1;
	row_send(&r, 1, 10);
	rig_settle(r.f);
	torus_nic_flush(r.f, 1);
	r.c[1].credits = RIG_RING;
	rig_settle(r.f);
	rig_ends(r.c, 2);
	assert_int_equal(rig_losses_by(&r.c[0], TORUS_NOTICE_READER_GONE_UNREAD), 4);
	assert_int_equal(r.c[0].losses, 4);
	row_free(&r);
}

/* The next owner of a group receives no notices for packets of the earlier owner. */
static void test_sender_gone(void **state)
{
	struct rig_client next;
	struct completion_row r;

	row_make(&r, "");
	r.c[1].credits = 0;
	row_send(&r, 1, 10);
	row_send(&r, 2, 2);
	torus_nic_poll(r.f);
	rig_detach(&r.c[0]);
	rig_attach(&next, r.f, 0, 0, false);
	torus_fabric_run(r.f, 3000, 0, 1);
	r.c[1].credits = RIG_RING;
	rig_settle(r.f);
	assert_true(r.c[1].ins > 0);
	assert_int_equal(next.losses, 0);
	assert_int_equal(next.completed, 0);
	rig_send(&next, 2, 0, 1, false, 1);
	rig_settle(r.f);
	assert_int_equal(next.losses, 1);
	assert_int_equal(next.completed, 1);
	rig_client_free(&next);
	row_free(&r);
}

/* A sender detaches after a packet was lost and before its notice is delivered. */
static void test_sender_leaves(void **state)
{
	struct rig_client next;
	struct completion_row r;

	row_make(&r, "");
	r.c[1].credits = 0;
	row_send(&r, 1, 4);
	rig_settle(r.f);
	rig_detach(&r.c[1]);
	rig_detach(&r.c[0]);
	rig_attach(&next, r.f, 0, 0, false);
	rig_settle(r.f);
	assert_int_equal(r.c[0].losses, 0);
	assert_int_equal(next.losses, 0);
	rig_client_free(&next);
	row_free(&r);
}

/*
 * If there is no memory to record a loss, the sender is notified that an unknown packet was lost.
 * Other clients receive no notice.
 */
static void test_no_memory(void **state)
{
	struct torus_lost_packets *l, kept;
	struct completion_row r;

	row_make(&r, "");
	rig_attach(&r.c[2], r.f, 2, 0, false);
	r.c[1].credits = 0;
	row_send(&r, 1, 4);
	rig_settle(r.f);
	l = &r.f->domain[0].lost_packets;
	kept = *l;
	l->cap = TORUS_LOST_PACKETS_MAX;
	l->count = TORUS_LOST_PACKETS_MAX;
	rig_detach(&r.c[1]);
	l->cap = kept.cap;
	l->count = 0;
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 4);
	assert_int_equal(r.c[0].losses, 1);
	assert_int_equal(r.c[0].loss[0].flags, TORUS_NOTICE_ALL);
	assert_int_equal(r.c[0].loss[0].reason, TORUS_NOTICE_UNKNOWN);
	assert_int_equal(r.c[2].losses, 0);
	row_send(&r, 1, 1);
	rig_settle(r.f);
	assert_int_equal(r.c[0].losses, 2);
	assert_int_equal(r.c[0].loss[1].reason, TORUS_DROP_NO_LISTENER);
	row_free(&r);
}

/*
 * If the fabric fails for lack of memory, clients are notified. The packets under way are lost at
 * its reset.
 */
static void test_failed_fabric(void **state)
{
	struct torus_error err;
	struct completion_row r;

	row_make(&r, "");
	row_send(&r, 1, 4);
	torus_nic_poll(r.f);
	r.f->domain[0].failed = true;
	assert_int_equal(torus_fabric_run(r.f, 10000, 0, 1), TORUS_RUN_FAILED);
	assert_int_equal(r.c[0].losses, 1);
	assert_int_equal(r.c[0].loss[0].reason, TORUS_NOTICE_UNKNOWN);
	assert_int_equal(r.c[0].loss[0].flags, TORUS_NOTICE_ALL | TORUS_NOTICE_WAITS);
	assert_int_equal(r.c[0].completed, 0);
	/* a client without packets under way receives no notice */
	assert_int_equal(r.c[1].losses, 0);
	assert_int_equal(torus_fabric_reset(r.f, 1, &err), 0);
	assert_int_equal(r.c[0].losses, 2);
	assert_int_equal(r.c[0].loss[1].reason, TORUS_DROP_RESET);
	assert_int_equal(r.c[0].completed, 4);
	row_free(&r);
}

/* -------------------------------------------------------------------- dead links */

static u32 count_waiting(const struct rig_client *c)
{
	u32 i, n = 0;

	for (i = 0; i < c->losses; i++)
		n += c->loss[i].flags == TORUS_NOTICE_WAITS &&
		     c->loss[i].reason == TORUS_NOTICE_LINK;
	return n;
}

/*
 * If a sender is disabled, the first packets of each buffer are reported as waiting. They arrive
 * after the sender is enabled.
 */
static void test_disabled_link(void **state)
{
	struct torus_error err;
	struct completion_row r;

	row_make(&r, "");
	rig_attach(&r.c[2], r.f, 2, 0, false);
	assert_int_equal(torus_link_disable(r.f, 1, 0, true, &err), 0);
	row_send(&r, 1, 1);
	row_send(&r, 2, 1);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 1);
	assert_int_equal(r.c[0].losses, 0);
	torus_completions_report_blocked(r.f);
	torus_completions_report_blocked(r.f);
	assert_int_equal(r.c[0].losses, 1);
	assert_int_equal(count_waiting(&r.c[0]), 1);
	assert_int_equal(r.c[0].loss[0].number, RIG_NUMBER + 1);
	assert_int_equal(r.c[0].loss[0].node, 1);
	assert_int_equal(r.c[0].loss[0].dst, 2);
	assert_int_equal(r.c[0].completed, 1);
	assert_int_equal(torus_link_disable(r.f, 1, 0, false, &err), 0);
	rig_settle(r.f);
	assert_int_equal(r.c[2].ins, 1);
	assert_int_equal(r.c[0].completed, 2);
	row_free(&r);
}

/* A packet that can take another link is not reported as waiting. */
static void test_another_way(void **state)
{
	struct torus_fabric *f = rig_make("4x4x1", "");
	struct torus_error err;
	struct rig_client a;

	rig_attach(&a, f, 0, 0, false);
	rig_send(&a, 5, 0, 8, true, 1);
	assert_int_equal(torus_link_disable(f, 0, 0, true, &err), 0);
	torus_nic_poll(f);
	torus_completions_report_blocked(f);
	assert_int_equal(a.losses, 0);
	rig_settle(f);
	assert_int_equal(a.completed, 1);
	assert_int_equal(torus_link_disable(f, 0, 0, false, &err), 0);
	rig_settle(f);
	rig_client_free(&a);
	rig_at_rest(f);
	torus_fabric_destroy(f);
}

/*
 * A link goes down. Packets that arrived without being acknowledged have completed, and generate
 * no notice. The other packets are reported as waiting, and arrive when the link is up.
 */
static void test_parked_link(void **state)
{
	struct torus_fault fault = {
		.what = TORUS_FAULT_STATE, .node = 0, .dir = 0, .state = 0,
	};
	struct completion_row r;
	u32 arrived;

	row_make(&r, "");
	rig_fault(r.f, &(struct torus_fault){
		.what = TORUS_FAULT_DROP_ACK, .node = 0, .dir = 0, .drop_ack = 1000,
	});
	row_send(&r, 1, 3);
	torus_nic_poll(r.f);
	torus_fabric_run(r.f, 400, 0, 1);
	rig_fault(r.f, &fault);
	rig_settle(r.f);
	arrived = r.c[1].ins;
	assert_in_range(arrived, 1, 2);
	assert_int_equal(r.c[0].completed, arrived);
	assert_true(rig_view(r.f, 0, 0).parked);
	torus_completions_report_blocked(r.f);
	torus_completions_report_blocked(r.f);
	assert_int_equal(count_waiting(&r.c[0]), 3 - arrived);
	assert_int_equal(r.c[0].losses, 3 - arrived);
	assert_int_equal(r.c[0].loss[0].node, 0);
	fault.what |= TORUS_FAULT_DROP_ACK;
	fault.state = 1;
	rig_fault(r.f, &fault);
	rig_settle(r.f);
	assert_int_equal(r.c[1].ins, 3);
	assert_int_equal(r.c[0].completed, 3);
	row_free(&r);
}

/* ------------------------------------------------------------------- broadcasts */

static void row_broadcast(struct completion_row *r, u32 last)
{
	struct rig_client *a = &r->c[0];
	struct rig_message *m = rig_send(a, last, 0, 3, true, RIG_MARK(0, a->outs));

	m->bytes[1] |= TORUS_BGL_DP >> 16;
}

/* A broadcast completes when its last copy is in a client's ring, in any order of arrival. */
static void test_broadcast(void **state)
{
	struct completion_row r;
	u32 slow;

	for (slow = 1; slow < 3; slow++) {
		row_make(&r, "");
		rig_attach(&r.c[2], r.f, 2, 0, false);
		r.c[slow].credits = 0;
		row_broadcast(&r, 2);
		rig_settle(r.f);
		assert_int_equal(r.c[3 - slow].ins, 1);
		assert_int_equal(r.c[0].completed, 0);
		r.c[slow].credits = 1;
		rig_settle(r.f);
		assert_int_equal(r.c[slow].ins, 1);
		assert_int_equal(r.c[0].completed, 1);
		assert_int_equal(r.c[0].losses, 0);
		row_free(&r);
	}
}

/*
 * A loss is reported for each node without a reader, and for each reader that detaches. The
 * broadcast completes in any case.
 */
static void test_broadcast_losses(void **state)
{
	struct completion_row r;

	row_make(&r, "");
	rig_detach(&r.c[1]);
	rig_attach(&r.c[2], r.f, 2, 0, false);
	row_broadcast(&r, 2);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 1);
	assert_int_equal(r.c[0].losses, 1);
	assert_int_equal(r.c[0].loss[0].flags, TORUS_NOTICE_COPY);
	assert_int_equal(r.c[0].loss[0].reason, TORUS_DROP_NO_LISTENER);
	assert_int_equal(r.c[0].loss[0].node, 1);
	assert_int_equal(r.c[0].loss[0].dst, 1);
	/* the last node receives the broadcast packet itself, not a copy */
	rig_detach(&r.c[2]);
	row_broadcast(&r, 2);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 2);
	assert_int_equal(r.c[0].losses, 3);
	assert_int_equal(rig_losses(&r.c[0], 1, TORUS_NOTICE_COPY), 1);
	assert_int_equal(rig_losses(&r.c[0], 1, 0), 1);
	rig_client_free(&r.c[1]);
	rig_attach(&r.c[1], r.f, 1, 0, false);
	r.c[1].credits = 0;
	row_broadcast(&r, 2);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 2);
	rig_detach(&r.c[1]);
	rig_settle(r.f);
	assert_int_equal(r.c[0].completed, 3);
	assert_int_equal(rig_losses_by(&r.c[0], TORUS_NOTICE_READER_GONE_UNREAD), 1);
	assert_int_equal(rig_losses(&r.c[0], 2, TORUS_NOTICE_COPY), 1);
	row_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nobody_listens),
		cmocka_unit_test(test_hold),
		cmocka_unit_test(test_reader_leaves),
		cmocka_unit_test(test_reader_is_leaving),
		cmocka_unit_test(test_rx_stall),
		cmocka_unit_test(test_ecc),
		cmocka_unit_test(test_resends),
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_node_reset),
		cmocka_unit_test(test_sender_gone),
		cmocka_unit_test(test_sender_leaves),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_failed_fabric),
		cmocka_unit_test(test_disabled_link),
		cmocka_unit_test(test_another_way),
		cmocka_unit_test(test_parked_link),
		cmocka_unit_test(test_broadcast),
		cmocka_unit_test(test_broadcast_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
