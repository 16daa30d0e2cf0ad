/* SPDX-License-Identifier: GPL-2.0 */
/*
 * torus-fi.so: libfabric's objects over the matched messages of libtorus (<torus/match.h>).
 *
 * A domain has one endpoint, because a process has one place in its job.  The mutex of the domain
 * protects the endpoint, the job and all queues.  A thread that sleeps does not hold it, except in
 * fi_close() of the endpoint.
 */
#ifndef TORUS_PROVIDER_H
#define TORUS_PROVIDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <rdma/providers/fi_log.h>
#include <rdma/providers/fi_prov.h>
#include <torus/match.h>

#define PROVIDER_NAME	"torus"
#define INJECT_MAX	4096u	/* longest message of an inject call, in bytes */
#define IOV_MAX_PARTS	8u
#define QUEUE_SIZE	4096u	/* operations that an endpoint is said to hold */
#define DATA_BYTES	4u	/* remote CQ data */

/* Capabilities that a program may ask for */
#define PROVIDER_CAPS	(FI_MSG | FI_TAGGED | FI_SEND | FI_RECV | FI_SOURCE | FI_DIRECTED_RECV | \
			 FI_LOCAL_COMM | FI_REMOTE_COMM)
#define SEND_FLAGS	(FI_INJECT | FI_COMPLETION | FI_INJECT_COMPLETE | FI_TRANSMIT_COMPLETE)
#define RECEIVE_FLAGS	FI_COMPLETION

struct prov_endpoint;

/**
 * struct prov_domain - a domain
 * @fid: libfabric's part
 * @lock: protects all objects of the domain
 * @endpoint: the endpoint; NULL: none is open
 * @users: number of open objects of the domain
 */
struct prov_domain {
	struct fid_domain fid;
	pthread_mutex_t lock;
	struct prov_endpoint *endpoint;
	unsigned int users;
};

/**
 * struct prov_av - an address vector; the address of an endpoint is its rank, as 4 bytes big-endian
 * @fid: libfabric's part
 * @domain: the domain
 * @ranks: by fi_addr_t; UINT32_MAX after its removal
 * @count: number of @ranks in use
 * @size: number of @ranks allocated
 * @users: number of endpoints that are bound to it
 */
struct prov_av {
	struct fid_av fid;
	struct prov_domain *domain;
	uint32_t *ranks;
	size_t count;
	size_t size;
	unsigned int users;
};

/**
 * struct prov_entry - an entry of a completion queue
 * @entry: the completion; with @entry.err an error
 * @source: address of the sender, or FI_ADDR_NOTAVAIL
 */
struct prov_entry {
	struct fi_cq_err_entry entry;
	fi_addr_t source;
};

/**
 * struct prov_cq - a completion queue
 * @fid: libfabric's part
 * @domain: the domain
 * @format: format of the entries that the program reads
 * @entries: ring of @size entries
 * @size: length of the ring, grows when it is full
 * @first: index of the oldest entry
 * @count: number of entries
 * @vain: consecutive reads that found nothing
 * @epoll: descriptor to wait on, with FI_WAIT_FD; -1: none.  Covers @event and the matching's
 * @event: eventfd, readable when an entry was added after the last fi_trywait(); -1: none
 * @users: number of bindings of endpoints
 */
struct prov_cq {
	struct fid_cq fid;
	struct prov_domain *domain;
	enum fi_cq_format format;
	struct prov_entry *entries;
	size_t size;
	size_t first;
	size_t count;
	unsigned int vain;
	int epoll;
	int event;
	unsigned int users;
};

/**
 * struct prov_endpoint - an endpoint
 * @fid: libfabric's part
 * @domain: the domain
 * @context: FIFO group of a node
 * @job: the job
 * @match: the job's matching
 * @address: own address: the rank, big-endian
 * @av: address vector; NULL: not bound yet
 * @send_cq: completion queue of sends; NULL: none
 * @receive_cq: completion queue of receives; NULL: none
 * @send_flags: default flags of sends
 * @receive_flags: default flags of receives
 * @send_selective: sends complete silently without FI_COMPLETION
 * @receive_selective: receives complete silently without FI_COMPLETION
 * @directed: receives name their source
 * @enabled: fi_enable() was called
 * @failed: operations without a context that have failed
 * @silent: those of @failed whose event the library has left out
 */
struct prov_endpoint {
	struct fid_ep fid;
	struct prov_domain *domain;
	struct torus_context *context;
	struct torus_job *job;
	struct torus_match *match;
	uint32_t address;
	struct prov_av *av;
	struct prov_cq *send_cq;
	struct prov_cq *receive_cq;
	uint64_t send_flags;
	uint64_t receive_flags;
	bool send_selective;
	bool receive_selective;
	bool directed;
	bool enabled;
	uint64_t failed;
	uint64_t silent;
};

extern struct fi_provider prov_provider;

#define prov_log(level, subsystem, ...)	FI_LOG(&prov_provider, level, subsystem, __VA_ARGS__)

#endif /* TORUS_PROVIDER_H */
