// SPDX-License-Identifier: GPL-2.0
/*
 * A guest without an operating system, which drives a node of a Blue Gene/L as a PCI function.
 *
 *	qemu-system-x86_64 -M pc -nodefaults -display none -serial stdio \
 *		-device isa-debug-exit,iobase=0xf4,iosize=1 -kernel guest -append '1,0,0 3,0,0' \
 *		-device vfio-pci,sysfsdev=/sys/bus/torus/devices/F:2.0.0
 *
 * It answers one packet of a program with a packet to the second node of its command line. Then it
 * sends a packet by programmed I/O, and one by DMA, to the first node, whose driver answers:
 * torus_edu with echo=1. It sleeps until the function's MSI wakes it. QEMU ends with status 33.
 */
#include <linux/torus_port.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;

#define PACKET		32	/* one chunk */
#define HEADER		8
#define RING		2u	/* descriptors of a ring */
#define VECTOR		0x41	/* of the processor, for the MSI */

#define SERIAL		0x3f8
#define DEBUG_EXIT	0xf4	/* QEMU ends with twice the value that is written, plus 1 */
#define PCI_ADDRESS	0xcf8
#define PCI_DATA	0xcfc
#define LAPIC		0xfee00000u
#define LAPIC_EOI	0xb0
#define LAPIC_SPURIOUS	0xf0

/* The loader's header: magic number, flags, checksum. */
__attribute__((section(".multiboot"), used))
static const u32 multiboot[3] = { 0x1badb002, 0, -0x1badb002u };

static u8 stack[16384] __attribute__((aligned(16), used));
static volatile u32 *bar;
static volatile u32 interrupts;
static struct torus_port_descriptor send_ring[RING] __attribute__((aligned(32)));
static volatile struct torus_port_descriptor receive_ring[RING] __attribute__((aligned(32)));
static u8 send_data[PACKET], receive_data[RING][PACKET];

/* --------------------------------------------------------------------------- the processor */

static void out8(u16 port, u8 value)
{
	__asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static void out32(u16 port, u32 value)
{
	__asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

static u32 in32(u16 port)
{
	u32 value;

	__asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
	return value;
}

static void print(const char *text)
{
	for (; *text; text++)
		out8(SERIAL, *text);
}

static void print_number(u32 value)
{
	if (value > 9)
		print_number(value / 10);
	out8(SERIAL, '0' + value % 10);
}

static void end(const char *text, u8 status)
{
	print(text);
	print("\n");
	out8(DEBUG_EXIT, status);
	for (;;)
		__asm__ volatile("cli; hlt");
}

static void fail(const char *text)
{
	print("guest: failed: ");
	end(text, 1);
}

/* GCC calls these, in programs without a library, too. */
void *memcpy(void *to, const void *from, u32 bytes)
{
	u32 i;

	for (i = 0; i < bytes; i++)
		((volatile u8 *)to)[i] = ((const u8 *)from)[i];
	return to;
}

void *memset(void *to, int value, u32 bytes)
{
	u32 i;

	for (i = 0; i < bytes; i++)
		((volatile u8 *)to)[i] = value;
	return to;
}

/* --------------------------------------------------------------------------- the function */

static u32 read32(u32 offset)
{
	return bar[offset / 4];
}

static void write32(u32 offset, u32 value)
{
	bar[offset / 4] = value;
}

static u32 pci_read(u32 slot, u32 offset)
{
	out32(PCI_ADDRESS, 0x80000000u | slot << 11 | offset);
	return in32(PCI_DATA);
}

static void pci_write(u32 slot, u32 offset, u32 value)
{
	out32(PCI_ADDRESS, 0x80000000u | slot << 11 | offset);
	out32(PCI_DATA, value);
}

/* Find the function, let it access memory, and have its MSI interrupt the processor. */
static void function_start(void)
{
	u32 slot = 0, at;

	while (pci_read(slot, 0) != (TORUS_PORT_PCI_DEVICE << 16 | TORUS_PORT_PCI_VENDOR))
		if (++slot == 32)
			fail("no function of a torus");
	pci_write(slot, 0x04, pci_read(slot, 0x04) | 0x6);	/* memory, bus master */
	bar = (volatile u32 *)(pci_read(slot, 0x10) & ~0xfu);
	if (read32(TORUS_PORT_MAGIC) != TORUS_PORT_MAGIC_VALUE)
		fail("BAR 0 is not a port");
	at = pci_read(slot, 0x34) & 0xff;
	while (at && (pci_read(slot, at) & 0xff) != 0x05)
		at = pci_read(slot, at) >> 8 & 0xff;
	if (!at)
		fail("no MSI");
	pci_write(slot, at + 0x4, LAPIC);
	pci_write(slot, at + 0x8, 0);
	pci_write(slot, at + 0xc, VECTOR);
	pci_write(slot, at, pci_read(slot, at) | 1u << 16);
}

/* --------------------------------------------------------------------------- interrupts */

struct table {
	u16 bytes;
	u32 at;
} __attribute__((packed));

static u64 segments[3] = { 0, 0x00cf9a000000ffff, 0x00cf92000000ffff };	/* code, data: all memory */
static u64 gates[256];

__attribute__((used)) static void interrupt(void)
{
	interrupts++;
	write32(TORUS_PORT_ACKNOWLEDGE, TORUS_PORT_STATUS_RECEIVE);
	*(volatile u32 *)(LAPIC + LAPIC_EOI) = 0;
}

void interrupt_enter(void);
__asm__("interrupt_enter: pushal; cld; call interrupt; popal; iretl");

static void interrupts_start(void)
{
	struct table segment_table = { sizeof(segments) - 1, (u32)segments };
	struct table gate_table = { sizeof(gates) - 1, (u32)gates };
	u32 at = (u32)interrupt_enter;

	gates[VECTOR] = (u64)(at & 0xffff0000u) << 32 | 0x8e0000080000ull | (at & 0xffff);
	__asm__ volatile("lgdt %0; ljmpl $8, $1f; 1: movl $16, %%eax; movl %%eax, %%ds;"
			 "movl %%eax, %%es; movl %%eax, %%ss; lidt %1"
			 : : "m"(segment_table), "m"(gate_table) : "eax", "memory");
	out8(0x21, 0xff);	/* no interrupts of the old controllers */
	out8(0xa1, 0xff);
	*(volatile u32 *)(LAPIC + LAPIC_SPURIOUS) = 0x1ff;
	write32(TORUS_PORT_ENABLE, TORUS_PORT_STATUS_RECEIVE);
}

/* Sleep until an interrupt. One that comes after the caller's check is not lost: sti delays it. */
static void sleep(void)
{
	__asm__ volatile("sti; hlt; cli" : : : "memory");
}

/* --------------------------------------------------------------------------- packets */

/* Write the header of a packet of one chunk, on the virtual channel that keeps the order. */
static void header_make(u8 *header, const u32 coords[3])
{
	memset(header, 0, HEADER);
	header[0] = HEADER;	/* half-words that the checksum leaves out */
	header[2] = 2;
	header[3] = coords[0];
	header[4] = coords[1];
	header[5] = coords[2];
}

static void pio_send(const u8 *packet)
{
	u32 word, i;

	for (i = 0; i < PACKET; i += sizeof(word)) {
		memcpy(&word, packet + i, sizeof(word));
		write32(TORUS_PORT_WRITE_DATA, word);
	}
}

static void pio_receive(u8 *packet)
{
	u32 readable, fifo = 0, word, i;

	while (!(readable = read32(TORUS_PORT_READABLE)))
		sleep();
	while (!(readable >> fifo & 1))
		fifo++;
	for (i = 0; i < PACKET; i += sizeof(word)) {
		word = read32(TORUS_PORT_AT_FIFO(TORUS_PORT_READ_DATA, fifo));
		memcpy(packet + i, &word, sizeof(word));
	}
}

static void ring_start(u32 number, volatile void *ring)
{
	write32(TORUS_PORT_AT_RING(TORUS_PORT_BASE_LOW, number), (u32)ring);
	write32(TORUS_PORT_AT_RING(TORUS_PORT_LENGTH, number), RING);
}

/* Exchange packets by rings. */
static void dma_exchange(const u8 *packet, u8 *answer)
{
	struct torus_port_descriptor *d = &send_ring[0];
	u32 i;

	for (i = 0; i < RING; i++) {
		receive_ring[i].address = (u32)receive_data[i];
		receive_ring[i].length = PACKET;
	}
	ring_start(0, send_ring);
	ring_start(TORUS_PORT_RECEIVE_RING, receive_ring);
	write32(TORUS_PORT_AT_RING(TORUS_PORT_TAIL, TORUS_PORT_RECEIVE_RING), RING);
	memcpy(d->header, packet, sizeof(d->header));
	memcpy(send_data, packet + sizeof(d->header), PACKET - sizeof(d->header));
	d->address = (u32)send_data;
	d->length = PACKET - sizeof(d->header);
	__asm__ volatile("" : : : "memory");
	write32(TORUS_PORT_TAIL, 1);
	while (!read32(TORUS_PORT_AT_RING(TORUS_PORT_HEAD, TORUS_PORT_RECEIVE_RING)))
		sleep();
	if ((receive_ring[0].status & 0xff) != TORUS_PORT_DONE)
		fail("status of the descriptor");
	memcpy(answer, (const void *)receive_ring[0].header, sizeof(d->header));
	memcpy(answer + sizeof(d->header), receive_data[0], PACKET - sizeof(d->header));
}

/* --------------------------------------------------------------------------- the guest */

/* Read the coordinates of a node. Return: the text after them. */
static const char *coords_parse(const char *text, u32 coords[3])
{
	u32 d;

	for (d = 0; d < 3; d++) {
		coords[d] = 0;
		while (*text == ' ' || *text == ',')
			text++;
		while (*text >= '0' && *text <= '9')
			coords[d] = 10 * coords[d] + *text++ - '0';
	}
	return text;
}

/* Send a packet that has its answer in it, and compare the answer. */
static void ask(const u32 there[3], const u32 here[3], u8 seed, void (*exchange)(const u8 *, u8 *),
		const char *what)
{
	u8 packet[PACKET], answer[PACKET];
	u32 before, i;

	__asm__ volatile("sti; nop; nop; cli" : : : "memory");	/* one that is still pending */
	before = interrupts;
	header_make(packet, there);
	header_make(packet + HEADER, here);
	for (i = 2 * HEADER; i < PACKET; i++)
		packet[i] = 7 * i + seed;
	exchange(packet, answer);
	while (interrupts == before)
		sleep();
	for (i = 2 * HEADER; i < PACKET; i++)
		if (answer[i - HEADER] != packet[i])
			fail(what);
	print("guest: ");
	print(what);
	print(": right, and an interrupt\n");
}

static void pio_exchange(const u8 *packet, u8 *answer)
{
	pio_send(packet);
	pio_receive(answer);
}

/* @information: what the loader knows; the command line begins with the name of the program. */
__attribute__((used)) static void run(const u32 *information)
{
	const char *line = (const char *)information[4];
	u32 echo[3], program[3], here[3], d;
	u8 packet[PACKET];

	while (*line && *line != ' ')
		line++;
	coords_parse(coords_parse(line, echo), program);
	function_start();
	interrupts_start();
	print("guest: node");
	for (d = 0; d < 3; d++) {
		here[d] = read32(TORUS_PORT_AT(TORUS_PORT_COORDINATE, d));
		print(d ? "," : " ");
		print_number(here[d]);
	}
	print("\nguest: ready\n");
	pio_receive(packet);
	header_make(packet, program);
	pio_send(packet);
	print("guest: a program has its answer\n");
	ask(echo, here, 1, pio_exchange, "programmed I/O");
	ask(echo, here, 2, dma_exchange, "DMA");
	end("guest: done", 0x10);
}

__asm__(".globl start\n"
	"start: movl $stack + 16384, %esp; pushl %ebx; call run");
