// SPDX-License-Identifier: GPL-2.0
/* Address vectors.  As a table and as a map, the fi_addr_t of an address is its index. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "av.h"
#include "domain.h"

#define NO_RANK	UINT32_MAX

/* Grow the vector to hold @count more addresses. */
static bool av_grow(struct prov_av *av, size_t count)
{
	uint32_t *new;
	size_t size = av->size ? av->size : 64;

	while (size < av->count + count)
		size *= 2;
	if (size == av->size)
		return true;
	new = realloc(av->ranks, size * sizeof(*new));
	if (!new)
		return false;
	av->ranks = new;
	av->size = size;
	return true;
}

static int av_insert(struct fid_av *fid, const void *from, size_t count, fi_addr_t *addresses,
		     uint64_t flags, void *context)
{
	struct prov_av *av = (struct prov_av *)fid;
	size_t i;

	if (flags & ~FI_MORE)
		return -FI_EBADFLAGS;
	pthread_mutex_lock(&av->domain->lock);
	if (!av_grow(av, count)) {
		pthread_mutex_unlock(&av->domain->lock);
		return -FI_ENOMEM;
	}
	for (i = 0; i < count; i++) {
		uint32_t rank;

		memcpy(&rank, (const char *)from + i * sizeof(rank), sizeof(rank));
		av->ranks[av->count] = ntohl(rank);
		if (addresses)
			addresses[i] = av->count;
		av->count++;
	}
	pthread_mutex_unlock(&av->domain->lock);
	return count;
}

static int av_insert_service(struct fid_av *fid, const char *node, const char *service,
			     fi_addr_t *address, uint64_t flags, void *context)
{
	return -FI_ENOSYS;
}

static int av_insert_symmetric(struct fid_av *fid, const char *node, size_t nodes,
			       const char *service, size_t services, fi_addr_t *addresses,
			       uint64_t flags, void *context)
{
	return -FI_ENOSYS;
}

static int av_remove(struct fid_av *fid, fi_addr_t *addresses, size_t count, uint64_t flags)
{
	struct prov_av *av = (struct prov_av *)fid;
	int ret = 0;
	size_t i;

	pthread_mutex_lock(&av->domain->lock);
	for (i = 0; i < count; i++)
		if (addresses[i] < av->count)
			av->ranks[addresses[i]] = NO_RANK;
		else
			ret = -FI_EINVAL;
	pthread_mutex_unlock(&av->domain->lock);
	return ret;
}

static int av_lookup(struct fid_av *fid, fi_addr_t address, void *to, size_t *length)
{
	struct prov_av *av = (struct prov_av *)fid;
	uint32_t found;
	int ret = -FI_EINVAL;

	pthread_mutex_lock(&av->domain->lock);
	if (!prov_av_rank(av, address, &found)) {
		found = htonl(found);
		memcpy(to, &found, *length < sizeof(found) ? *length : sizeof(found));
		*length = sizeof(found);
		ret = 0;
	}
	pthread_mutex_unlock(&av->domain->lock);
	return ret;
}

static const char *av_text(struct fid_av *fid, const void *from, char *buffer, size_t *length)
{
	uint32_t rank;
	int needed;

	memcpy(&rank, from, sizeof(rank));
	needed = snprintf(buffer, *length, "torus://%u", (unsigned int)ntohl(rank));
	*length = needed + 1;
	return buffer;
}

static int av_close(struct fid *fid)
{
	struct prov_av *av = (struct prov_av *)fid;

	pthread_mutex_lock(&av->domain->lock);
	if (av->users) {
		pthread_mutex_unlock(&av->domain->lock);
		return -FI_EBUSY;
	}
	av->domain->users--;
	pthread_mutex_unlock(&av->domain->lock);
	free(av->ranks);
	free(av);
	return 0;
}

static struct fi_ops av_fid_ops = {
	.size = sizeof(av_fid_ops), .close = av_close, .bind = prov_no_bind,
	.control = prov_no_control, .ops_open = prov_no_ops,
};

static struct fi_ops_av av_ops = {
	.size = sizeof(av_ops), .insert = av_insert, .insertsvc = av_insert_service,
	.insertsym = av_insert_symmetric, .remove = av_remove, .lookup = av_lookup,
	.straddr = av_text,
};

/**
 * prov_av_open() - open an address vector
 * @fid: the domain
 * @attr: attributes of the vector; an unspecified type becomes FI_AV_TABLE
 * @av: [out] the vector
 * @context: context of the program
 *
 * Return: 0, -FI_ENOMEM, -FI_ENOSYS (a vector that processes share, any flag, or bits for receive
 * contexts).
 */
int prov_av_open(struct fid_domain *fid, struct fi_av_attr *attr, struct fid_av **av,
		 void *context)
{
	struct prov_domain *domain = (struct prov_domain *)fid;
	struct prov_av *new;

	if (attr->name || attr->flags || attr->rx_ctx_bits)
		return -FI_ENOSYS;
	new = calloc(1, sizeof(*new));
	if (!new)
		return -FI_ENOMEM;
	if (attr->type == FI_AV_UNSPEC)
		attr->type = FI_AV_TABLE;
	new->domain = domain;
	new->fid = (struct fid_av){
		.fid = { FI_CLASS_AV, context, &av_fid_ops }, .ops = &av_ops,
	};
	pthread_mutex_lock(&domain->lock);
	domain->users++;
	pthread_mutex_unlock(&domain->lock);
	*av = &new->fid;
	return 0;
}

/**
 * prov_av_rank() - find the rank of an address
 * @av: the vector, whose domain is locked; may be NULL
 * @address: the address
 * @rank: [out] the rank
 *
 * Return: 0; -FI_EINVAL if the vector has no such address.
 */
int prov_av_rank(const struct prov_av *av, fi_addr_t address, uint32_t *rank)
{
	if (!av || address >= av->count || av->ranks[address] == NO_RANK)
		return -FI_EINVAL;
	*rank = av->ranks[address];
	return 0;
}

/**
 * prov_av_find() - find the address of a rank
 * @av: the vector, whose domain is locked
 * @rank: the rank
 *
 * Programs insert the addresses of all ranks in order, so the rank itself is tried first.
 *
 * Return: the address; FI_ADDR_NOTAVAIL if the vector has none.
 */
fi_addr_t prov_av_find(const struct prov_av *av, uint32_t rank)
{
	size_t i;

	if (rank < av->count && av->ranks[rank] == rank)
		return rank;
	for (i = 0; i < av->count; i++)
		if (av->ranks[i] == rank)
			return i;
	return FI_ADDR_NOTAVAIL;
}
