// SPDX-License-Identifier: GPL-2.0
/* Completion queues. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>
#include "cq.h"
#include "domain.h"
#include "endpoint.h"

#define FIRST_SIZE	256u
/*
 * Reads that find nothing before the processor is yielded to the engine, which moves the packets
 * that the program waits for.
 */
#define VAIN_MAX	16u
#define SLEEP_MS	1	/* longest sleep of a blocking read until it polls again */

static size_t entry_bytes(enum fi_cq_format format)
{
	switch (format) {
	case FI_CQ_FORMAT_MSG:
		return sizeof(struct fi_cq_msg_entry);
	case FI_CQ_FORMAT_DATA:
		return sizeof(struct fi_cq_data_entry);
	case FI_CQ_FORMAT_TAGGED:
		return sizeof(struct fi_cq_tagged_entry);
	default:
		return sizeof(struct fi_cq_entry);
	}
}

/**
 * prov_cq_reserve() - make space for an entry
 * @cq: the queue, whose domain is locked; NULL: there is space
 *
 * Return: false if there is no memory.
 */
bool prov_cq_reserve(struct prov_cq *cq)
{
	struct prov_entry *new;
	size_t i, size;

	if (!cq || cq->count < cq->size)
		return true;
	size = cq->size ? 2 * cq->size : FIRST_SIZE;
	new = malloc(size * sizeof(*new));
	if (!new)
		return false;
	for (i = 0; i < cq->count; i++)
		new[i] = cq->entries[(cq->first + i) % cq->size];
	free(cq->entries);
	cq->entries = new;
	cq->size = size;
	cq->first = 0;
	return true;
}

/**
 * prov_cq_add() - add an entry
 * @cq: the queue, whose domain is locked and which has space
 * @source: address of the sender, or FI_ADDR_NOTAVAIL
 *
 * Return: the entry, zero, to be filled in.
 */
struct fi_cq_err_entry *prov_cq_add(struct prov_cq *cq, fi_addr_t source)
{
	struct prov_entry *entry = &cq->entries[(cq->first + cq->count++) % cq->size];

	*entry = (struct prov_entry){ .source = source };
	if (cq->event >= 0)
		eventfd_write(cq->event, 1);
	return &entry->entry;
}

static void cq_drop_first(struct prov_cq *cq)
{
	cq->first = (cq->first + 1) % cq->size;
	cq->count--;
}

/*
 * Copy completions to the program.  The first fields of an error entry are those of the other
 * formats.  Return: number of completions; -FI_EAVAIL if the first entry is an error; -FI_EAGAIN.
 */
static ssize_t cq_take(struct prov_cq *cq, void *buffer, size_t count, fi_addr_t *sources)
{
	size_t bytes = entry_bytes(cq->format), taken = 0;

	while (cq->count && taken < count) {
		const struct prov_entry *entry = &cq->entries[cq->first];

		if (entry->entry.err)
			return taken ? (ssize_t)taken : -FI_EAVAIL;
		memcpy((char *)buffer + taken * bytes, &entry->entry, bytes);
		if (sources)
			sources[taken] = entry->source;
		cq_drop_first(cq);
		taken++;
	}
	return taken ? (ssize_t)taken : -FI_EAGAIN;
}

static ssize_t cq_readfrom(struct fid_cq *fid, void *buffer, size_t count, fi_addr_t *sources)
{
	struct prov_cq *cq = (struct prov_cq *)fid;
	bool moved = false, yield = false;
	ssize_t ret;

	pthread_mutex_lock(&cq->domain->lock);
	if (cq->domain->endpoint)
		moved = prov_endpoint_move(cq->domain->endpoint);
	ret = cq_take(cq, buffer, count, sources);
	if (ret != -FI_EAGAIN || moved)
		cq->vain = 0;
	else
		yield = ++cq->vain % VAIN_MAX == 0;
	pthread_mutex_unlock(&cq->domain->lock);
	if (yield)
		sched_yield();
	return ret;
}

static ssize_t cq_read(struct fid_cq *fid, void *buffer, size_t count)
{
	return cq_readfrom(fid, buffer, count, NULL);
}

static ssize_t cq_readerr(struct fid_cq *fid, struct fi_cq_err_entry *buffer, uint64_t flags)
{
	struct prov_cq *cq = (struct prov_cq *)fid;
	ssize_t ret = -FI_EAGAIN;

	pthread_mutex_lock(&cq->domain->lock);
	if (cq->count && cq->entries[cq->first].entry.err) {
		void *data = buffer->err_data;

		*buffer = cq->entries[cq->first].entry;
		/* the program's buffer for more data on the error; the entry has 0 bytes of it */
		buffer->err_data = data;
		cq_drop_first(cq);
		ret = 1;
	}
	pthread_mutex_unlock(&cq->domain->lock);
	return ret;
}

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000l + now.tv_nsec / 1000000;
}

static ssize_t cq_sreadfrom(struct fid_cq *fid, void *buffer, size_t count, fi_addr_t *sources,
			    const void *condition, int timeout)
{
	struct prov_cq *cq = (struct prov_cq *)fid;
	long end = timeout < 0 ? 0 : now_ms() + timeout;
	ssize_t ret;

	for (;;) {
		struct pollfd wait = { .fd = -1, .events = POLLIN };

		ret = cq_readfrom(fid, buffer, count, sources);
		if (ret != -FI_EAGAIN || (timeout >= 0 && now_ms() >= end))
			return ret;
		pthread_mutex_lock(&cq->domain->lock);
		if (cq->vain > VAIN_MAX && cq->domain->endpoint)
			wait.fd = torus_context_fd(cq->domain->endpoint->context);
		pthread_mutex_unlock(&cq->domain->lock);
		if (wait.fd >= 0)
			poll(&wait, 1, SLEEP_MS);
	}
}

static ssize_t cq_sread(struct fid_cq *fid, void *buffer, size_t count, const void *condition,
			int timeout)
{
	return cq_sreadfrom(fid, buffer, count, NULL, condition, timeout);
}

/**
 * prov_cq_trywait() - check whether a program may sleep on the descriptor of a queue
 * @cq: the queue
 *
 * Return: 0, -FI_EAGAIN (an entry waits, or packets were moved), -FI_EINVAL (the queue has no
 * descriptor), or an error of torus_match_trywait().
 */
int prov_cq_trywait(struct prov_cq *cq)
{
	struct prov_endpoint *endpoint;
	eventfd_t count;
	int ret = 0;

	if (cq->epoll < 0)
		return -FI_EINVAL;
	pthread_mutex_lock(&cq->domain->lock);
	endpoint = cq->domain->endpoint;
	eventfd_read(cq->event, &count);
	if (endpoint && endpoint->enabled) {
		prov_endpoint_move(endpoint);
		ret = torus_match_trywait(endpoint->match);
	}
	if (cq->count)
		ret = -FI_EAGAIN;
	pthread_mutex_unlock(&cq->domain->lock);
	return ret;
}

/**
 * prov_cq_wait_for() - make the descriptor of a queue readable when another one is
 * @cq: the queue
 * @fd: the other descriptor
 *
 * Return: 0, or an error of the system.
 */
int prov_cq_wait_for(struct prov_cq *cq, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (epoll_ctl(cq->epoll, EPOLL_CTL_ADD, fd, &event) && errno != EEXIST)
		return -errno;
	return 0;
}

static void cq_free(struct prov_cq *cq)
{
	if (cq->epoll >= 0)
		close(cq->epoll);
	if (cq->event >= 0)
		close(cq->event);
	free(cq->entries);
	free(cq);
}

/* FI_GETWAIT gives the descriptor. */
static int cq_control(struct fid *fid, int command, void *arg)
{
	const struct prov_cq *cq = (struct prov_cq *)fid;

	if (command != FI_GETWAIT || cq->epoll < 0)
		return -FI_ENOSYS;
	*(int *)arg = cq->epoll;
	return 0;
}

static int cq_signal(struct fid_cq *fid)
{
	return -FI_ENOSYS;
}

static const char *cq_strerror(struct fid_cq *fid, int error, const void *data, char *buffer,
			       size_t length)
{
	return fi_strerror(error < 0 ? -error : error);
}

static int cq_close(struct fid *fid)
{
	struct prov_cq *cq = (struct prov_cq *)fid;

	pthread_mutex_lock(&cq->domain->lock);
	if (cq->users) {
		pthread_mutex_unlock(&cq->domain->lock);
		return -FI_EBUSY;
	}
	cq->domain->users--;
	pthread_mutex_unlock(&cq->domain->lock);
	cq_free(cq);
	return 0;
}

static struct fi_ops cq_fid_ops = {
	.size = sizeof(cq_fid_ops), .close = cq_close, .bind = prov_no_bind,
	.control = cq_control, .ops_open = prov_no_ops,
};

static struct fi_ops_cq cq_ops = {
	.size = sizeof(cq_ops), .read = cq_read, .readfrom = cq_readfrom, .readerr = cq_readerr,
	.sread = cq_sread, .sreadfrom = cq_sreadfrom, .signal = cq_signal,
	.strerror = cq_strerror,
};

/* Open the descriptors of FI_WAIT_FD.  Return: 0, or an error of the system. */
static int cq_open_fds(struct prov_cq *cq)
{
	cq->epoll = epoll_create1(EPOLL_CLOEXEC);
	cq->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (cq->epoll < 0 || cq->event < 0)
		return -errno;
	return prov_cq_wait_for(cq, cq->event);
}

/**
 * prov_cq_open() - open a completion queue
 * @fid: the domain
 * @attr: attributes of the queue
 * @cq: [out] the queue
 * @context: context of the program
 *
 * Return: 0, -FI_ENOMEM, -FI_ENOSYS (another wait object than none and FI_WAIT_FD), or an error of
 * the system.
 */
int prov_cq_open(struct fid_domain *fid, struct fi_cq_attr *attr, struct fid_cq **cq,
		 void *context)
{
	struct prov_domain *domain = (struct prov_domain *)fid;
	struct prov_cq *new;
	int ret = 0;

	if (attr->wait_obj != FI_WAIT_NONE && attr->wait_obj != FI_WAIT_UNSPEC &&
	    attr->wait_obj != FI_WAIT_FD) {
		prov_log(FI_LOG_INFO, FI_LOG_CQ, "cq_attr->wait_obj %d is not supported\n",
			 attr->wait_obj);
		return -FI_ENOSYS;
	}
	new = calloc(1, sizeof(*new));
	if (!new)
		return -FI_ENOMEM;
	new->epoll = -1;
	new->event = -1;
	if (attr->wait_obj == FI_WAIT_FD)
		ret = cq_open_fds(new);
	if (ret) {
		cq_free(new);
		return ret;
	}
	new->domain = domain;
	new->format = attr->format;
	new->fid = (struct fid_cq){
		.fid = { FI_CLASS_CQ, context, &cq_fid_ops }, .ops = &cq_ops,
	};
	pthread_mutex_lock(&domain->lock);
	domain->users++;
	pthread_mutex_unlock(&domain->lock);
	*cq = &new->fid;
	return 0;
}
