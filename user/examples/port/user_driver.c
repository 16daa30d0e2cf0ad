// SPDX-License-Identifier: GPL-2.0
/*
 * A driver in user space for a node of a Blue Gene/L, which torus_vfio has handed to VFIO.
 *
 *	user_driver DEVICE NODE ROUNDS pio	packets word by word; MSI
 *	user_driver DEVICE NODE ROUNDS dma	packets by rings; MSI-X with a vector for each cause
 *	user_driver DEVICE NODE ROUNDS fault	pio, after a DMA fault
 *	user_driver DEVICE NODE 0 wait		wait until the node is unplugged
 *
 * DEVICE is a name in /sys/bus/torus/devices, NODE the coordinates x,y,z of a node whose driver
 * answers: torus_edu with echo=1. The answer to a packet is in the packet, after its header.
 */
#define _DEFAULT_SOURCE
#include <endian.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/pci_regs.h>
#include <linux/torus_port.h>
#include <linux/vfio.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PACKET		32	/* one chunk: a header, the header of the answer, 16 bytes */
#define HEADER		8
#define RING		16u	/* descriptors of a ring */
#define PATIENCE_MS	5000	/* an interrupt may be lost: look without one after this time */

/* Memory that the node can access: its DMA address, and what is where. */
#define IOVA		0x100000u
#define MEMORY		0x10000u
#define SEND_RING	0x0000u
#define RECEIVE_RING	0x1000u
#define SEND_DATA	0x2000u
#define RECEIVE_DATA	0x3000u
#define NOWHERE		0x900000u	/* an address without memory */

/* Events of the node. */
enum { RECEIVED, FAULTED, UNPLUGGED, EVENTS };

static int device;
static uint64_t bar0, config;
static uint8_t *memory;
static struct pollfd events[EVENTS];

/* --------------------------------------------------------------------------- registers */

static uint32_t read32(uint32_t offset)
{
	uint32_t value;

	if (pread(device, &value, sizeof(value), bar0 + offset) != sizeof(value))
		err(1, "read of register %#x", offset);
	return le32toh(value);
}

static void write32(uint32_t offset, uint32_t value)
{
	value = htole32(value);
	if (pwrite(device, &value, sizeof(value), bar0 + offset) != sizeof(value))
		err(1, "write of register %#x", offset);
}

/* --------------------------------------------------------------------------- VFIO */

static uint64_t region(uint32_t index)
{
	struct vfio_region_info info = { .argsz = sizeof(info), .index = index };

	if (ioctl(device, VFIO_DEVICE_GET_REGION_INFO, &info))
		err(1, "region %u", index);
	return info.offset;
}

/* Open the device by its group and a container, into which the memory is mapped. */
static void device_open(const char *name)
{
	struct vfio_iommu_type1_dma_map map = {
		.argsz = sizeof(map),
		.flags = VFIO_DMA_MAP_FLAG_READ | VFIO_DMA_MAP_FLAG_WRITE,
		.iova = IOVA,
		.size = MEMORY,
	};
	int container = open("/dev/vfio/vfio", O_RDWR), group;
	char path[256], link[256] = "";
	uint16_t command = htole16(PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER);

	snprintf(path, sizeof(path), "/sys/bus/torus/devices/%s/iommu_group", name);
	if (readlink(path, link, sizeof(link) - 1) < 0)
		err(1, "%s", path);
	snprintf(path, sizeof(path), "/dev/vfio/%s", strrchr(link, '/') + 1);
	group = open(path, O_RDWR);
	if (container < 0 || group < 0)
		err(1, "%s", group < 0 ? path : "/dev/vfio/vfio");
	if (ioctl(group, VFIO_GROUP_SET_CONTAINER, &container) ||
	    ioctl(container, VFIO_SET_IOMMU, VFIO_TYPE1v2_IOMMU))
		err(1, "%s: container", path);
	memory = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	map.vaddr = (uintptr_t)memory;
	if (memory == MAP_FAILED || ioctl(container, VFIO_IOMMU_MAP_DMA, &map))
		err(1, "memory for DMA");
	device = ioctl(group, VFIO_GROUP_GET_DEVICE_FD, name);
	if (device < 0)
		err(1, "%s", name);
	bar0 = region(VFIO_PCI_BAR0_REGION_INDEX);
	config = region(VFIO_PCI_CONFIG_REGION_INDEX);
	if (pwrite(device, &command, sizeof(command), config + PCI_COMMAND) != sizeof(command))
		err(1, "configuration space");
}

/* Have vector @vector of an interrupt signal an event. */
static void event_install(int event, uint32_t index, uint32_t vector)
{
	const uint32_t bytes = sizeof(struct vfio_irq_set) + sizeof(int32_t);
	struct vfio_irq_set *set = calloc(1, bytes);
	int32_t file = eventfd(0, EFD_NONBLOCK);

	if (!set || file < 0)
		err(1, "event");
	set->argsz = bytes;
	set->flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER;
	set->index = index;
	set->start = vector;
	set->count = 1;
	memcpy(set->data, &file, sizeof(file));
	if (ioctl(device, VFIO_DEVICE_SET_IRQS, set))
		err(1, "vector %u of interrupt %u", vector, index);
	free(set);
	events[event] = (struct pollfd){ .fd = file, .events = POLLIN };
}

/* Wait for an event. Return: whether @event was signalled in time. */
static bool event_wait(int event)
{
	uint64_t count;

	if (poll(events, EVENTS, PATIENCE_MS) < 0)
		err(1, "poll");
	if (events[UNPLUGGED].revents) {
		printf("unplugged\n");
		exit(fflush(stdout) ? 1 : 0);
	}
	return read(events[event].fd, &count, sizeof(count)) == sizeof(count);
}

/* --------------------------------------------------------------------------- packets */

/* Write the header of a packet of one chunk, on the virtual channel that keeps the order. */
static void header_make(uint8_t *header, const uint32_t coords[3])
{
	memset(header, 0, HEADER);
	header[0] = HEADER;	/* half-words that the checksum leaves out */
	header[2] = 2;
	header[3] = coords[0];
	header[4] = coords[1];
	header[5] = coords[2];
}

/* Make a packet that has its answer in it. */
static void packet_make(uint8_t *packet, const uint32_t there[3], uint32_t round)
{
	uint32_t here[3], i;

	for (i = 0; i < 3; i++)
		here[i] = read32(TORUS_PORT_AT(TORUS_PORT_COORDINATE, i));
	header_make(packet, there);
	header_make(packet + HEADER, here);
	for (i = 2 * HEADER; i < PACKET; i++)
		packet[i] = 7 * i + round;
}

static bool answer_right(const uint8_t *answer, const uint8_t *packet)
{
	return !memcmp(answer + HEADER, packet + 2 * HEADER, PACKET - 2 * HEADER);
}

static void pio_send(const uint8_t *packet)
{
	uint32_t word, i;

	for (i = 0; i < PACKET; i += sizeof(word)) {
		memcpy(&word, packet + i, sizeof(word));
		write32(TORUS_PORT_WRITE_DATA, le32toh(word));
	}
}

/* Wait for a packet. Acknowledge first: a packet that arrives after this interrupts again. */
static bool receive_wait(void)
{
	bool came = event_wait(RECEIVED);

	write32(TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);
	return came;
}

static void pio_receive(uint8_t *answer)
{
	uint32_t readable, fifo = 0, word, i;
	bool came;

	do {
		came = receive_wait();
		readable = read32(TORUS_PORT_READABLE);
	} while (came && !readable);
	if (!readable)
		errx(1, "no answer in %d ms", PATIENCE_MS);
	while (!(readable >> fifo & 1))
		fifo++;
	for (i = 0; i < PACKET; i += sizeof(word)) {
		word = htole32(read32(TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo)));
		memcpy(answer + i, &word, sizeof(word));
	}
}

/* --------------------------------------------------------------------------- rings */

static struct torus_port_descriptor *descriptor(uint32_t ring, uint32_t number)
{
	return (struct torus_port_descriptor *)(memory + ring) + number % RING;
}

static void ring_start(uint32_t ring, uint32_t number)
{
	write32(TORUS_PORT_AT_RING(TORUS_PORT_BASE_LOW, number), IOVA + ring);
	write32(TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, number), RING);
}

static void dma_start(void)
{
	uint32_t i;

	for (i = 0; i < RING; i++) {
		descriptor(RECEIVE_RING, i)->address = htole64(IOVA + RECEIVE_DATA + i * PACKET);
		descriptor(RECEIVE_RING, i)->length = htole32(PACKET);
	}
	ring_start(SEND_RING, 0);
	ring_start(RECEIVE_RING, TORUS_PORT_RECEIVE_RING);
	write32(TORUS_PORT_AT_RING(TORUS_PORT_TAIL, TORUS_PORT_RECEIVE_RING), RING);
}

static void dma_send(const uint8_t *packet, uint32_t round, uint32_t address)
{
	struct torus_port_descriptor *d = descriptor(SEND_RING, round);

	memcpy(d->header, packet, sizeof(d->header));
	memcpy(memory + SEND_DATA, packet + sizeof(d->header), PACKET - sizeof(d->header));
	d->address = htole64(address);
	d->length = htole32(PACKET - sizeof(d->header));
	d->status = 0;
	write32(TORUS_PORT_TAIL, round + 1);
}

static void dma_receive(uint8_t *answer, uint32_t round)
{
	struct torus_port_descriptor *d = descriptor(RECEIVE_RING, round);
	uint32_t head;
	bool came;

	do {
		came = receive_wait();
		head = read32(TORUS_PORT_AT_RING(TORUS_PORT_HEAD, TORUS_PORT_RECEIVE_RING));
	} while (came && head == round);
	if (head == round)
		errx(1, "no answer in %d ms", PATIENCE_MS);
	memcpy(answer, d->header, sizeof(d->header));
	memcpy(answer + sizeof(d->header), memory + RECEIVE_DATA + round % RING * PACKET,
	       PACKET - sizeof(d->header));
	d->length = htole32(PACKET);
	d->status = 0;
	write32(TORUS_PORT_AT_RING(TORUS_PORT_TAIL, TORUS_PORT_RECEIVE_RING), round + 1 + RING);
}

/* Send from an address without memory: no packet is sent, and the node interrupts. */
static void dma_fault(const uint8_t *packet)
{
	uint32_t fault;

	ring_start(SEND_RING, 0);
	dma_send(packet, 0, NOWHERE);
	if (!event_wait(FAULTED))
		errx(1, "no interrupt after a DMA fault");
	write32(TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_FAULT);
	fault = read32(TORUS_PORT_FAULT);
	printf("fault: %s of ring %u at %#x, status %u\n",
	       fault & TORUS_PORT_FAULT_WRITE ? "write" : "read",
	       (fault & TORUS_PORT_FAULT_RING) >> TORUS_PORT_FAULT_RING_SHIFT,
	       read32(TORUS_PORT_FAULT_LOW), le32toh(descriptor(SEND_RING, 0)->status));
	write32(TORUS_PORT_FAULT, TORUS_PORT_FAULT_PRESENT);
}

/* --------------------------------------------------------------------------- rounds */

static void events_start(bool msix)
{
	event_install(UNPLUGGED, VFIO_PCI_REQ_IRQ_INDEX, 0);
	event_install(RECEIVED, msix ? VFIO_PCI_MSIX_IRQ_INDEX : VFIO_PCI_MSI_IRQ_INDEX,
		      msix ? TORUS_PORT_CAUSE_RECEIVE : 0);
	if (msix)
		event_install(FAULTED, VFIO_PCI_MSIX_IRQ_INDEX, TORUS_PORT_CAUSE_FAULT);
	else
		events[FAULTED].fd = -1;
	write32(TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE | TORUS_PORT_STATUS_FAULT);
}

int main(int argc, char **argv)
{
	uint32_t there[3], round, rounds, right = 0;
	uint8_t packet[PACKET], answer[PACKET];
	bool dma, fault;

	if (argc != 5 || sscanf(argv[2], "%u,%u,%u", &there[0], &there[1], &there[2]) != 3)
		errx(2, "usage: user_driver DEVICE X,Y,Z ROUNDS pio|dma|fault|wait");
	rounds = strtoul(argv[3], NULL, 10);
	dma = !strcmp(argv[4], "dma");
	fault = !strcmp(argv[4], "fault");
	device_open(argv[1]);
	if (read32(TORUS_PORT_MAGIC) != TORUS_PORT_MAGIC_VALUE)
		errx(1, "%s: not a port", argv[1]);
	events_start(dma || fault);
	packet_make(packet, there, 0);
	if (fault)
		dma_fault(packet);
	if (dma)
		dma_start();
	printf("node %u\n", read32(TORUS_PORT_NODE));
	fflush(stdout);
	while (!strcmp(argv[4], "wait"))
		event_wait(UNPLUGGED);
	for (round = 0; round < rounds; round++) {
		packet[PACKET - 1] = round;
		if (dma)
			dma_send(packet, round, IOVA + SEND_DATA);
		else
			pio_send(packet);
		if (dma)
			dma_receive(answer, round);
		else
			pio_receive(answer);
		right += answer_right(answer, packet);
	}
	printf("%u of %u answers are right\n", right, rounds);
	return fflush(stdout) || right != rounds;
}
