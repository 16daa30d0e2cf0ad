/* SPDX-License-Identifier: GPL-2.0 */
/*
 * libtorus: access of ordinary programs to the FIFOs of a torus network.
 *
 *	struct torus_context *context;
 *	int ret = torus_context_attach_at(&context, "demo", "1,2,3", NULL);
 *
 *	if (ret)
 *		errx(1, "%s", torus_error_text());
 *
 * Functions return 0 or a count on success, and a negative errno on failure.  After a failure
 * torus_error_text() returns which value was wrong and why, also for -EAGAIN and -ETIMEDOUT.
 * -ENODEV from any call on a context means that the fabric was deleted, or that an administrator
 * evicted the program: detach.
 *
 * Only one thread at a time may use a context.  A context does not survive fork().  The child has
 * no mappings, and every call on the context fails with -ECHILD there.  The child must attach a
 * context of its own.
 *
 * Most programs need messages rather than packets: see <torus/message.h>.
 */
#ifndef TORUS_TORUS_H
#define TORUS_TORUS_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
#include <linux/torus.h>

#ifdef __cplusplus
extern "C" {
#endif

struct torus_context;

/* ---------------------------------------------------------------- attach */

/**
 * struct torus_attach_config - options of attaching; zero selects the defaults
 * @group: FIFO group, less than info.groups: 0 or 1 on Blue Gene/L
 * @inject_chunks: length of each injection ring in chunks, a power of two; 0: the kernel's default
 * @receive_chunks: length of each reception ring in chunks, a power of two; 0: the kernel's default
 * @priority: request the right to inject priority packets
 * @device: path of the device; NULL: /dev/torus
 * @fd: 0: open @device; otherwise an open file of the device that is not attached.  The fabric is
 *      looked up in the network namespace in which that file was opened.  The context takes
 *      ownership of the file
 */
struct torus_attach_config {
	__u32 group;
	__u32 inject_chunks;
	__u32 receive_chunks;
	bool priority;
	const char *device;
	int fd;
};

int torus_context_attach(struct torus_context **context, const char *fabric, __u32 node,
			 const struct torus_attach_config *config);
int torus_context_attach_at(struct torus_context **context, const char *fabric,
			    const char *where, const struct torus_attach_config *config);
void torus_context_detach(struct torus_context *context);
const struct torus_ioc_info *torus_context_info(const struct torus_context *context);
int torus_context_fd(const struct torus_context *context);
int torus_context_check(const struct torus_context *context);
__u64 torus_context_clock(const struct torus_context *context);
int torus_compute(struct torus_context *context, __u64 ticks);
int torus_context_fullness(const struct torus_context *context, __u32 group,
			   unsigned char bytes[16]);

/* ---------------------------------------------------------------- locate */

/**
 * struct torus_fabric_info - properties of a fabric that are known before attaching
 * @name: name of the fabric
 * @arch: the machine: "bgl", "xt", "tofu", "kncube"
 * @ndims: number of dimensions
 * @dims: lengths of the dimensions
 * @mesh: bit i: dimension i is a mesh
 * @nodes: number of nodes
 * @numbering: how the nodes are numbered, see <linux/torus.h>
 */
struct torus_fabric_info {
	char name[TORUS_NAME_MAX];
	char arch[16];
	__u32 ndims;
	__u32 dims[TORUS_DIMS_MAX];
	__u32 mesh;
	__u32 nodes;
	struct torus_numbering numbering;
};

int torus_fabric_find(const char *name, struct torus_fabric_info *fabric);
int torus_fabric_node(const struct torus_fabric_info *fabric, const char *where, __u32 *node);
void torus_fabric_nodes(const struct torus_fabric_info *fabric, __u32 *nodes);
int torus_node_locate(struct torus_context *context, const __u32 *coords, __u32 *node);
int torus_node_coords(struct torus_context *context, __u32 node, __u32 *coords);

/* ---------------------------------------------------------------- packet */

/**
 * enum torus_route - how a packet is routed
 * @TORUS_ROUTE_DYNAMIC: the routers choose the path, and packets may overtake each other.  The
 *                       default, 0
 * @TORUS_ROUTE_ORDERED: deterministic; packets of one injection FIFO to one destination stay in
 *                       order
 * @TORUS_ROUTE_PRIORITY: deterministic and with high priority, through the priority FIFO; only for
 *                        contexts with the right to it
 * @TORUS_ROUTE_SECOND: in order, as packets of the second class.  Each class has its own VCs and
 *                      FIFOs, so that packets of one class do not wait for a program that reads the
 *                      other.  The Cray XT has two classes, the other machines have one
 *
 * On Blue Gene/L the first three use the defaults of IBM's packet layer: VC D0 without hints, the
 * bubble VC in the order x, y, z, and the priority VC.
 */
enum torus_route {
	TORUS_ROUTE_DYNAMIC,
	TORUS_ROUTE_ORDERED,
	TORUS_ROUTE_PRIORITY,
	TORUS_ROUTE_SECOND,
};

int torus_packet_begin(struct torus_context *context, void *packet, size_t bytes, __u32 node,
		       __u32 group, enum torus_route route);

/* ---------------------------------------------------------------- inject */

#define TORUS_FIFO_ANY	(-1)	/* injection: any FIFO without priority; reception: any FIFO */

/**
 * struct torus_packet_buffer - one of several packets to inject
 * @data: bytes of the packet, hardware header first
 * @bytes: length, a multiple of the chunk length
 */
struct torus_packet_buffer {
	const void *data;
	size_t bytes;
};

/**
 * struct torus_refusal - packets that the kernel rejected
 * @packets: packets rejected since the last call of torus_inject_refused()
 * @fifo: an injection FIFO with a rejected packet
 * @code: TORUS_REFUSE_* of the last rejected packet in that FIFO
 * @index: chunk index in the ring where that packet begins
 */
struct torus_refusal {
	__u64 packets;
	__u32 fifo;
	__u32 code;
	__u32 index;
};

int torus_inject_try(struct torus_context *context, int fifo, const void *packet, size_t bytes);
int torus_inject_packet(struct torus_context *context, int fifo, const void *packet,
			size_t bytes, int timeout_ms);
int torus_inject_many(struct torus_context *context, int fifo,
		      const struct torus_packet_buffer *packets, unsigned int count);
int torus_inject_raw(struct torus_context *context, int fifo, const void *data,
		     unsigned int chunks);
int torus_inject_room(struct torus_context *context, int fifo);
int torus_inject_idle(struct torus_context *context);
int torus_inject_want(struct torus_context *context, int fifo, __u32 chunks);
int torus_inject_began(struct torus_context *context, int fifo, __u64 *tick);
int torus_inject_choose(const struct torus_context *context, const __u32 *dest);
int torus_inject_ended(struct torus_context *context);
int torus_notice_take(struct torus_context *context, struct torus_notice *notice);
int torus_inject_refused(struct torus_context *context, struct torus_refusal *refusal);

/* --------------------------------------------------------------- receive */

/**
 * struct torus_view - a packet in a reception ring, not copied
 * @fifo: number of the reception FIFO
 * @chunks: length of the packet in chunks
 * @bytes: length of the packet in bytes
 * @part: the packet's bytes, in two parts because a packet may wrap at the end of the ring
 * @part_bytes: lengths of the parts; the second is 0 if the packet does not wrap
 */
struct torus_view {
	unsigned int fifo;
	unsigned int chunks;
	size_t bytes;
	const unsigned char *part[2];
	size_t part_bytes[2];
};

int torus_receive_peek(struct torus_context *context, int fifo, struct torus_view *view);
int torus_receive_advance(struct torus_context *context, const struct torus_view *view);
int torus_receive_poll(struct torus_context *context, int fifo, void *packet, size_t size);
int torus_receive_packet(struct torus_context *context, int fifo, void *packet, size_t size,
			 int timeout_ms);
int torus_receive_wait(struct torus_context *context, int fifo, int timeout_ms);
void torus_receive_expect(struct torus_context *context, __u32 packets);
int torus_receive_watermark(struct torus_context *context, int fifo, __u32 chunks);
int torus_receive_arrived(struct torus_context *context, int fifo, __u64 *tick);
void torus_view_copy(const struct torus_view *view, size_t offset, void *to, size_t bytes);

/* ------------------------------------------------------------- interrupt */

/**
 * struct torus_interrupts - critical interrupts of the modelled FIFOs
 * @count: interrupts since the last call of torus_interrupts_take()
 * @receive: bit i: reception FIFO i rose above its watermark
 * @inject: bit i: injection FIFO i fell below its watermark
 */
struct torus_interrupts {
	__u64 count;
	__u32 receive;
	__u32 inject;
};

int torus_interrupts_take(struct torus_context *context, struct torus_interrupts *interrupts);

/* ------------------------------------------------------------------ wait */

void torus_wait_tune(struct torus_context *context, unsigned int spins, unsigned int yields);

/* ----------------------------------------------------------------- error */

const char *torus_error_text(void);
const char *torus_error_refuse(unsigned int code);
const char *torus_error_drop(unsigned int reason);
const char *torus_error_notice(unsigned int reason);

#ifdef __cplusplus
}
#endif

#endif /* TORUS_TORUS_H */
