/* SPDX-License-Identifier: GPL-2.0 */
/* Hook that the machine of ports.c needs in addition to those of plain.c. */
static u32 machine_port(const struct torus_packet *p) { return p->group & 1; }
