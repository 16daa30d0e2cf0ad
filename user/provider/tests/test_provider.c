// SPDX-License-Identifier: GPL-2.0
/*
 * Test the provider through libfabric's calls.  Two domains in one process stand for two processes,
 * whose endpoints are at two nodes of the fake kernel.
 */
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <cmocka.h>
#include "../../lib/tests/ranks.h"
#include "../info.h"
#include "../present.h"
#include "../provider.h"

#define LENGTH	50000u

/**
 * struct side - one of the two processes
 * @peer: address of the other one's endpoint
 */
struct side {
	struct fid_domain *domain;
	struct fid_av *av;
	struct fid_cq *cq;
	struct fid_ep *ep;
	fi_addr_t peer;
};

static struct {
	struct fake fake;
	unsigned int opened;
	struct fi_info *info;
	struct fid_fabric *fabric;
	struct side side[2];
	unsigned char sent[LENGTH];
	unsigned char got[LENGTH];
} test;

/* In place of user/lib/launch_env.c: each call is the next process. */
int torus_job_init(struct torus_job **job, struct torus_context **context,
		   const struct torus_job_options *options)
{
	static const struct torus_member members[2] = { { .node = 0 }, { .node = 1 } };
	struct torus_job_config config = {
		.key = RANKS_KEY, .members = members, .count = 2, .route = options->route,
		.unconnected = options->unconnected,
	};

	if (test.opened == 2)
		return -EBUSY;
	*context = test.fake.node[test.opened++].context;
	/* a file to wait for, which is never readable and always writable */
	(*context)->fd = eventfd(0, EFD_CLOEXEC);
	return torus_job_open(job, *context, &config);
}

bool prov_present(void)
{
	return true;
}

static struct fi_info *info_of(const struct fi_info *hints)
{
	struct fi_info *info = NULL;

	if (prov_getinfo(FI_VERSION(1, 17), NULL, NULL, 0, hints, &info))
		return NULL;
	return info;
}

static void side_open(struct side *side, uint64_t bind)
{
	struct fi_av_attr av = { .type = FI_AV_MAP };
	struct fi_cq_attr cq = { .format = FI_CQ_FORMAT_TAGGED, .wait_obj = FI_WAIT_FD };

	assert_int_equal(fi_domain(test.fabric, test.info, &side->domain, NULL), 0);
	assert_int_equal(fi_av_open(side->domain, &av, &side->av, NULL), 0);
	assert_int_equal(fi_cq_open(side->domain, &cq, &side->cq, NULL), 0);
	assert_int_equal(fi_endpoint(side->domain, test.info, &side->ep, NULL), 0);
	assert_int_equal(fi_enable(side->ep), -FI_ENOAV);
	assert_int_equal(fi_ep_bind(side->ep, &side->av->fid, 0), 0);
	assert_int_equal(fi_enable(side->ep), -FI_ENOCQ);
	assert_int_equal(fi_ep_bind(side->ep, &side->cq->fid, FI_TRANSMIT | FI_RECV | bind), 0);
	assert_int_equal(fi_enable(side->ep), 0);
}

static void sides_open(uint64_t bind)
{
	static const struct fake_config config = {
		.nodes = 2, .inject_chunks = 256, .receive_chunks = 256, .shuffle = true,
	};
	struct fi_fabric_attr attr = { .api_version = FI_VERSION(1, 17) };
	unsigned char name[16];
	unsigned int i;

	memset(&test, 0, sizeof(test));
	fake_start(&test.fake, &config);
	fake_run(&test.fake);
	test.info = info_of(NULL);
	assert_int_equal(prov_provider.fabric(&attr, &test.fabric, NULL), 0);
	for (i = 0; i < 2; i++)
		side_open(&test.side[i], bind);
	for (i = 0; i < 2; i++) {
		size_t length = 1;

		assert_int_equal(fi_getname(&test.side[i].ep->fid, name, &length), -FI_ETOOSMALL);
		assert_true(length <= sizeof(name));
		assert_int_equal(fi_getname(&test.side[i].ep->fid, name, &length), 0);
		assert_int_equal(fi_av_insert(test.side[!i].av, name, 1, &test.side[!i].peer, 0,
					      NULL), 1);
	}
	for (i = 0; i < LENGTH; i++)
		test.sent[i] = i * 2654435761u >> 24;
}

static void sides_close(void)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct side *side = &test.side[i];

		assert_int_equal(fi_close(&side->cq->fid), -FI_EBUSY);
		assert_int_equal(fi_close(&side->domain->fid), -FI_EBUSY);
		assert_int_equal(fi_close(&side->ep->fid), 0);
		test.fake.node[i].context = NULL;
		assert_int_equal(fi_close(&side->cq->fid), 0);
		assert_int_equal(fi_close(&side->av->fid), 0);
		assert_int_equal(fi_close(&side->domain->fid), 0);
	}
	fi_close(&test.fabric->fid);
	fi_freeinfo(test.info);
	fake_stop(&test.fake);
}

/* Read the next completion of a side, while the other side makes progress, too. */
static ssize_t next(unsigned int side, struct fi_cq_tagged_entry *entry, fi_addr_t *source)
{
	ssize_t ret;

	do {
		fi_cq_read(test.side[!side].cq, NULL, 0);
		ret = fi_cq_readfrom(test.side[side].cq, entry, 1, source);
	} while (ret == -FI_EAGAIN);
	return ret;
}

static void completed(unsigned int side, void *context, uint64_t flags)
{
	struct fi_cq_tagged_entry entry;

	assert_int_equal(next(side, &entry, NULL), 1);
	assert_ptr_equal(entry.op_context, context);
	assert_int_equal(entry.flags, flags);
}

static void failed(unsigned int side, void *context, int error, size_t left)
{
	struct fi_cq_err_entry entry = { 0 };
	struct fi_cq_tagged_entry none;

	assert_int_equal(next(side, &none, NULL), -FI_EAVAIL);
	assert_int_equal(fi_cq_read(test.side[side].cq, &none, 1), -FI_EAVAIL);
	assert_int_equal(fi_cq_readerr(test.side[side].cq, &entry, 0), 1);
	assert_ptr_equal(entry.op_context, context);
	assert_int_equal(entry.err, error);
	assert_int_equal(entry.olen, left);
	assert_int_equal(fi_cq_readerr(test.side[side].cq, &entry, 0), -FI_EAGAIN);
}

static void test_tagged(void **state)
{
	struct fi_cq_tagged_entry entry;
	struct side *a, *b;
	fi_addr_t source;
	int mark[2];

	sides_open(0);
	a = &test.side[0];
	b = &test.side[1];
	assert_int_equal(fi_trecv(b->ep, test.got, LENGTH, NULL, b->peer, 5, 2, &mark[0]), 0);
	assert_int_equal(fi_tsenddata(a->ep, test.sent, LENGTH, NULL, 99, a->peer, 7, &mark[1]), 0);
	assert_int_equal(next(1, &entry, &source), 1);
	assert_ptr_equal(entry.op_context, &mark[0]);
	assert_int_equal(entry.flags, FI_RECV | FI_TAGGED | FI_REMOTE_CQ_DATA);
	assert_int_equal(entry.len, LENGTH);
	assert_int_equal(entry.data, 99);
	assert_int_equal(entry.tag, 7);
	assert_int_equal(source, b->peer);
	assert_memory_equal(test.got, test.sent, LENGTH);
	completed(0, &mark[1], FI_SEND | FI_TAGGED);
	/* inject has no completion; the receive is truncated */
	assert_int_equal(fi_tinject(a->ep, test.sent, 100, a->peer, 8), 0);
	assert_int_equal(fi_tinject(a->ep, test.sent, INJECT_MAX + 1, a->peer, 8), -FI_EMSGSIZE);
	assert_int_equal(fi_trecv(b->ep, test.got, 60, NULL, FI_ADDR_UNSPEC, 8, 0, &mark[0]), 0);
	failed(1, &mark[0], FI_ETRUNC, 40);
	assert_int_equal(fi_cq_read(a->cq, &entry, 1), -FI_EAGAIN);
	assert_int_equal(fi_trecv(b->ep, test.got, 60, NULL, FI_ADDR_UNSPEC, 9, 0, &mark[0]), 0);
	assert_int_equal(fi_cancel(&b->ep->fid, &mark[1]), 0);
	assert_int_equal(fi_cancel(&b->ep->fid, &mark[0]), 0);
	failed(1, &mark[0], FI_ECANCELED, 0);
	sides_close();
}

static ssize_t peek(struct side *side, uint64_t tag, uint64_t flags, struct iovec *iov,
		    void *context)
{
	struct fi_msg_tagged msg = {
		.msg_iov = iov, .iov_count = iov ? 1 : 0, .addr = side->peer, .tag = tag,
		.context = context,
	};

	return fi_trecvmsg(side->ep, &msg, flags);
}

static void test_peek(void **state)
{
	struct iovec iov = { test.got, LENGTH };
	struct fi_cq_tagged_entry entry;
	struct side *a, *b;
	int mark;

	sides_open(0);
	a = &test.side[0];
	b = &test.side[1];
	assert_int_equal(peek(b, 1, FI_PEEK, NULL, &mark), 0);
	failed(1, &mark, FI_ENOMSG, 0);
	assert_int_equal(fi_tsend(a->ep, test.sent, LENGTH, NULL, a->peer, 1, &mark), 0);
	do {
		struct fi_cq_err_entry error = { 0 };

		assert_int_equal(peek(b, 1, FI_PEEK | FI_CLAIM, NULL, &mark), 0);
		if (fi_cq_read(b->cq, &entry, 1) == 1)
			break;
		assert_int_equal(fi_cq_readerr(b->cq, &error, 0), 1);
		assert_int_equal(error.err, FI_ENOMSG);
		fi_cq_read(a->cq, NULL, 0);
	} while (1);
	assert_int_equal(entry.len, LENGTH);
	assert_int_equal(entry.tag, 1);
	assert_int_equal(peek(b, 1, FI_CLAIM, &iov, &test), -EINVAL);
	assert_int_equal(peek(b, 1, FI_CLAIM, &iov, &mark), 0);
	completed(1, &mark, FI_RECV | FI_TAGGED);
	assert_memory_equal(test.got, test.sent, LENGTH);
	completed(0, &mark, FI_SEND | FI_TAGGED);
	assert_int_equal(peek(b, 1, FI_PEEK | FI_MULTI_RECV, NULL, &mark), -FI_EBADFLAGS);
	sides_close();
}

/* Messages without tags, vectors, and completions only where they are asked for. */
static void test_selective(void **state)
{
	struct iovec from[2] = { { test.sent, 10 }, { test.sent + 10, 5000 } };
	struct fi_msg msg = { .msg_iov = from, .iov_count = 2 };
	struct fi_cq_tagged_entry entry;
	struct side *a, *b;
	int mark[2];

	sides_open(FI_SELECTIVE_COMPLETION);
	a = &test.side[0];
	b = &test.side[1];
	msg.addr = a->peer;
	msg.context = &mark[0];
	assert_int_equal(fi_recv(b->ep, test.got, LENGTH, NULL, b->peer, NULL), 0);
	assert_int_equal(fi_send(a->ep, test.sent, 10, NULL, a->peer, NULL), 0);
	assert_int_equal(fi_sendmsg(a->ep, &msg, FI_COMPLETION), 0);
	completed(0, &mark[0], FI_SEND | FI_MSG);
	from[0] = (struct iovec){ test.got, 5010 };
	msg = (struct fi_msg){
		.msg_iov = from, .iov_count = 1, .addr = FI_ADDR_UNSPEC, .context = &mark[1],
	};
	assert_int_equal(fi_recvmsg(b->ep, &msg, FI_COMPLETION), 0);
	assert_int_equal(next(1, &entry, NULL), 1);
	assert_ptr_equal(entry.op_context, &mark[1]);
	assert_int_equal(entry.len, 5010);
	assert_memory_equal(test.got, test.sent, 5010);
	/* an error of an operation without a context is counted, not reported */
	assert_int_equal(fi_recv(b->ep, test.got, 5, NULL, b->peer, NULL), 0);
	assert_int_equal(fi_inject(a->ep, test.sent, 10, a->peer), 0);
	assert_int_equal(fi_recv(b->ep, test.got, 5, NULL, b->peer, &mark[1]), 0);
	assert_int_equal(fi_inject(a->ep, test.sent, 11, a->peer), 0);
	failed(1, &mark[1], FI_ETRUNC, 6);
	assert_int_equal(fi_cq_read(b->cq, &entry, 1), -FI_EAGAIN);
	assert_int_equal(((struct prov_endpoint *)b->ep)->failed, 1);
	sides_close();
}

/* Check whether the descriptor of a side's completion queue is readable. */
static bool readable(struct side *side)
{
	struct pollfd wait = { .events = POLLIN };

	assert_int_equal(fi_control(&side->cq->fid, FI_GETWAIT, &wait.fd), 0);
	return poll(&wait, 1, 0) == 1;
}

static void may_sleep(struct side *side)
{
	struct fid *fid = &side->cq->fid;

	while (fi_trywait(test.fabric, &fid, 1) == -FI_EAGAIN)
		assert_int_equal(fi_cq_read(side->cq, NULL, 0), -FI_EAGAIN);
	assert_false(readable(side));
}

/* Wait for completions on the descriptor of a queue. */
static void test_wait(void **state)
{
	struct fi_cq_attr none = { .wait_obj = FI_WAIT_NONE };
	struct fi_cq_tagged_entry entry;
	struct fid *fids[2];
	struct fid_cq *cq;
	struct side *b;
	int mark, fd;

	sides_open(0);
	b = &test.side[1];
	fids[0] = &b->cq->fid;
	assert_int_equal(fi_trecv(b->ep, test.got, LENGTH, NULL, b->peer, 5, 0, &mark), 0);
	may_sleep(b);
	/* a completion that a call of another thread causes ends the sleep */
	assert_int_equal(fi_cancel(&b->ep->fid, &mark), 0);
	assert_true(readable(b));
	assert_int_equal(fi_trywait(test.fabric, fids, 1), -FI_EAGAIN);
	assert_int_equal(fi_trywait(test.fabric, fids, 1), -FI_EAGAIN);
	failed(1, &mark, FI_ECANCELED, 0);
	may_sleep(b);
	/* a thread that will wait for another queue has moved the completion to this one */
	assert_int_equal(fi_trecv(b->ep, test.got, LENGTH, NULL, b->peer, 5, 0, &mark), 0);
	may_sleep(b);
	assert_int_equal(fi_cancel(&b->ep->fid, &mark), 0);
	assert_int_equal(fi_cq_read(b->cq, &entry, 0), -FI_EAGAIN);
	assert_int_equal(torus_match_trywait(((struct prov_endpoint *)b->ep)->match), 0);
	assert_true(readable(b));
	failed(1, &mark, FI_ECANCELED, 0);
	/* a queue without a descriptor */
	assert_int_equal(fi_cq_open(b->domain, &none, &cq, NULL), 0);
	fids[1] = &cq->fid;
	assert_int_equal(fi_control(fids[1], FI_GETWAIT, &fd), -FI_ENOSYS);
	may_sleep(b);
	assert_int_equal(fi_trywait(test.fabric, fids, 2), -FI_EINVAL);
	assert_int_equal(fi_close(fids[1]), 0);
	sides_close();
}

static void test_objects(void **state)
{
	struct fi_cq_attr set = { .wait_obj = FI_WAIT_SET };
	struct fid_ep *more;
	struct fid_cq *cq;
	unsigned char name[8];
	size_t length = sizeof(name);
	struct side *a;
	char text[64];

	sides_open(0);
	a = &test.side[0];
	assert_int_equal(fi_endpoint(a->domain, test.info, &more, NULL), -FI_EBUSY);
	assert_int_equal(fi_cq_open(a->domain, &set, &cq, NULL), -FI_ENOSYS);
	assert_int_equal(fi_av_lookup(a->av, a->peer, name, &length), 0);
	length = sizeof(text);
	assert_string_equal(fi_av_straddr(a->av, name, text, &length), "torus://1");
	assert_int_equal(length, strlen(text) + 1);
	assert_int_equal(fi_av_remove(a->av, &a->peer, 1, 0), 0);
	assert_int_equal(fi_av_lookup(a->av, a->peer, name, &length), -FI_EINVAL);
	assert_int_equal(fi_tsend(a->ep, name, 1, NULL, a->peer, 0, NULL), -FI_EINVAL);
	sides_close();
}

static struct fi_info *asked;

/* Start to ask the provider for an attribute, which the caller sets. */
static struct fi_info *ask(void)
{
	asked = fi_allocinfo();
	return asked;
}

/* Check whether the provider has what was asked for. */
static bool has(void)
{
	struct fi_info *info = info_of(asked);

	fi_freeinfo(asked);
	if (!info)
		return false;
	fi_freeinfo(info);
	return true;
}

static void test_info(void **state)
{
	struct fi_info *hints = fi_allocinfo(), *info;

	/* as Open MPI asks */
	hints->mode = FI_CONTEXT | FI_CONTEXT2;
	hints->caps = FI_TAGGED | FI_LOCAL_COMM | FI_REMOTE_COMM | FI_DIRECTED_RECV;
	hints->ep_attr->type = FI_EP_RDM;
	hints->tx_attr->op_flags = FI_COMPLETION;
	hints->tx_attr->msg_order = FI_ORDER_SAS;
	hints->rx_attr->msg_order = FI_ORDER_SAS;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
	hints->domain_attr->av_type = FI_AV_MAP;
	hints->domain_attr->cq_data_size = 4;
	hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
	info = info_of(hints);
	fi_freeinfo(hints);
	assert_non_null(info);
	assert_null(info->fabric_attr->prov_name);
	assert_int_equal(info->mode, 0);
	assert_int_equal(info->domain_attr->av_type, FI_AV_MAP);
	fi_freeinfo(info);
	ask()->caps = FI_MSG | FI_SOURCE;
	assert_true(has());
	ask()->caps = FI_TAGGED | FI_RMA;
	assert_false(has());
	ask()->caps = FI_ATOMIC;
	assert_false(has());
	ask()->ep_attr->type = FI_EP_MSG;
	assert_false(has());
	ask()->tx_attr->op_flags = FI_TRANSMIT_COMPLETE;
	assert_true(has());
	ask()->tx_attr->op_flags = FI_DELIVERY_COMPLETE;
	assert_false(has());
	ask()->tx_attr->msg_order = FI_ORDER_SAW;
	assert_false(has());
	ask()->tx_attr->inject_size = INJECT_MAX + 1;
	assert_false(has());
	ask()->rx_attr->iov_limit = 1000;
	assert_false(has());
	ask()->domain_attr->data_progress = FI_PROGRESS_AUTO;
	assert_false(has());
	ask()->domain_attr->control_progress = FI_PROGRESS_AUTO;
	assert_false(has());
	ask()->domain_attr->cq_data_size = 8;
	assert_false(has());
	ask()->domain_attr->name = strdup("other");
	assert_false(has());
	ask()->addr_format = FI_SOCKADDR_IN;
	assert_false(has());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tagged),
		cmocka_unit_test(test_peek),
		cmocka_unit_test(test_selective),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_objects),
		cmocka_unit_test(test_info),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
