// SPDX-License-Identifier: GPL-2.0
/* A solution of lab 5. */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "torus_lab.h"

#define GONE		(~0u)
#define DESCRIPTORS	8
#define HEAD_WORDS	(TORUS_PORT_DESCRIPTOR_HEADER / 4)
#define BODY_BYTES	((TORUS_LAB_WORDS - HEAD_WORDS) * 4)

struct ring {
	u32 number;
	u32 tail;
	u32 done;	/* descriptors that were taken back from the device */
	struct torus_port_descriptor *descriptor;
	dma_addr_t at;
	enum dma_data_direction direction;
	struct {
		u32 *words;
		dma_addr_t at;
	} body[DESCRIPTORS];
};

struct lab {
	struct mutex lock;	/* rings */
	struct ring send;
	struct ring receive;
};

static u32 ring_head(struct torus_device *td, struct ring *ring)
{
	return torus_read32(td, TORUS_PORT_AT_RING(TORUS_PORT_HEAD, ring->number));
}

static void ring_tail(struct torus_device *td, struct ring *ring)
{
	dma_wmb();	/* the descriptor before TAIL */
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_TAIL, ring->number), ++ring->tail);
}

static void ring_free(struct torus_device *td, struct ring *ring)
{
	struct device *dma = torus_dma_device(td);
	u32 i;

	for (i = 0; i < DESCRIPTORS; i++) {
		if (ring->body[i].at)
			dma_unmap_single(dma, ring->body[i].at, BODY_BYTES, ring->direction);
		kfree(ring->body[i].words);
	}
	if (ring->descriptor)
		dma_free_coherent(dma, DESCRIPTORS * sizeof(*ring->descriptor), ring->descriptor,
				  ring->at);
}

static int ring_start(struct torus_device *td, struct ring *ring, u32 number,
		      enum dma_data_direction direction)
{
	struct device *dma = torus_dma_device(td);
	dma_addr_t at;
	u32 i;

	ring->number = number;
	ring->direction = direction;
	ring->descriptor = dma_alloc_coherent(dma, DESCRIPTORS * sizeof(*ring->descriptor),
					      &ring->at, GFP_KERNEL);
	if (!ring->descriptor)
		return -ENOMEM;
	for (i = 0; i < DESCRIPTORS; i++) {
		ring->body[i].words = kzalloc(BODY_BYTES, GFP_KERNEL);
		if (!ring->body[i].words)
			return -ENOMEM;
		at = dma_map_single(dma, ring->body[i].words, BODY_BYTES, direction);
		if (dma_mapping_error(dma, at))
			return -ENOMEM;
		ring->body[i].at = at;
	}
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_BASE_LOW, number),
		      lower_32_bits(ring->at));
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_BASE_HIGH, number),
		      upper_32_bits(ring->at));
	torus_write32(td, TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, number), DESCRIPTORS);
	return 0;
}

/* Wait until a descriptor is free. */
static int send_space(struct torus_device *td, struct ring *ring)
{
	u32 head;

	for (;;) {
		head = ring_head(td, ring);
		if (head == GONE)
			return -ENODEV;
		if (ring->tail - head < DESCRIPTORS)
			return 0;
		usleep_range(100, 200);
	}
}

static int send_packet(struct torus_device *td, struct ring *ring, const u32 *words, u32 count)
{
	struct torus_port_descriptor *descriptor = &ring->descriptor[ring->tail % DESCRIPTORS];
	u32 slot = ring->tail % DESCRIPTORS, bytes = (count - HEAD_WORDS) * 4;
	int err = send_space(td, ring);

	if (err)
		return err;
	memcpy(ring->body[slot].words, words + HEAD_WORDS, bytes);
	dma_sync_single_for_device(torus_dma_device(td), ring->body[slot].at, bytes, DMA_TO_DEVICE);
	memcpy(descriptor->header, words, TORUS_PORT_DESCRIPTOR_HEADER);
	descriptor->address = cpu_to_le64(ring->body[slot].at);
	descriptor->length = cpu_to_le32(bytes);
	descriptor->status = 0;
	ring_tail(td, ring);
	return 0;
}

static int lab_send(struct torus_device *td, const u32 *words, u32 count)
{
	struct lab *lab = torus_get_drvdata(td);
	int err;

	if (count < HEAD_WORDS || count > TORUS_LAB_WORDS)
		return -EINVAL;
	mutex_lock(&lab->lock);
	err = send_packet(td, &lab->send, words, count);
	mutex_unlock(&lab->lock);
	return err;
}

/* Give a descriptor to the device. */
static void receive_post(struct torus_device *td, struct ring *ring)
{
	u32 slot = ring->tail % DESCRIPTORS;

	ring->descriptor[slot] = (struct torus_port_descriptor){
		.address = cpu_to_le64(ring->body[slot].at),
		.length = cpu_to_le32(BODY_BYTES),
	};
	ring_tail(td, ring);
}

static int receive_packet(struct torus_device *td, struct ring *ring, u32 *words)
{
	u32 slot = ring->done % DESCRIPTORS, head = ring_head(td, ring), bytes;
	struct torus_port_descriptor *descriptor = &ring->descriptor[slot];

	if (head == GONE)
		return -ENODEV;
	if (head == ring->done)
		return 0;
	dma_rmb();	/* HEAD before the descriptor */
	bytes = le32_to_cpu(descriptor->length);
	dma_sync_single_for_cpu(torus_dma_device(td), ring->body[slot].at, BODY_BYTES,
				DMA_FROM_DEVICE);
	memcpy(words, descriptor->header, TORUS_PORT_DESCRIPTOR_HEADER);
	memcpy(words + HEAD_WORDS, ring->body[slot].words, min_t(u32, bytes, BODY_BYTES));
	dma_sync_single_for_device(torus_dma_device(td), ring->body[slot].at, BODY_BYTES,
				   DMA_FROM_DEVICE);
	ring->done++;
	receive_post(td, ring);
	return HEAD_WORDS + bytes / 4;
}

static int lab_receive(struct torus_device *td, u32 *words)
{
	struct lab *lab = torus_get_drvdata(td);
	int count;

	mutex_lock(&lab->lock);
	count = receive_packet(td, &lab->receive, words);
	mutex_unlock(&lab->lock);
	return count;
}

static const struct torus_lab_ops lab_ops = {
	.send = lab_send,
	.receive = lab_receive,
};

/* After this the device does not access memory any more. */
static void lab_reset(struct torus_device *td)
{
	u32 control;

	torus_write32(td, TORUS_PORT_CONTROL, TORUS_PORT_CONTROL_RESET);
	do {
		usleep_range(50, 100);
		control = torus_read32(td, TORUS_PORT_CONTROL);
	} while (control != GONE && control & TORUS_PORT_CONTROL_RESET);
}

static void lab_stop(struct torus_device *td, struct lab *lab)
{
	lab_reset(td);
	ring_free(td, &lab->send);
	ring_free(td, &lab->receive);
	kfree(lab);
}

static int lab_start(struct torus_device *td, struct lab *lab)
{
	int err = ring_start(td, &lab->send, 0, DMA_TO_DEVICE);
	u32 i;

	if (!err)
		err = ring_start(td, &lab->receive, TORUS_PORT_RECEIVE_RING, DMA_FROM_DEVICE);
	for (i = 0; !err && i < DESCRIPTORS; i++)
		receive_post(td, &lab->receive);
	return err ?: torus_lab_attach(td, &lab_ops);
}

static int lab_probe(struct torus_device *td, const struct torus_device_id *id)
{
	struct lab *lab = kzalloc(sizeof(*lab), GFP_KERNEL);
	int err;

	if (!lab)
		return -ENOMEM;
	mutex_init(&lab->lock);
	torus_set_drvdata(td, lab);
	err = lab_start(td, lab);
	if (err)
		lab_stop(td, lab);
	return err;
}

static void lab_remove(struct torus_device *td)
{
	torus_lab_detach(td);
	lab_stop(td, torus_get_drvdata(td));
}

static struct torus_driver lab_driver = {
	.driver = { .name = "lab" },
	.probe = lab_probe,
	.remove = lab_remove,
};
module_torus_driver(lab_driver);

MODULE_DESCRIPTION("Lab 5");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(TORUS_BUS);
