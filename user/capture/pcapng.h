/* SPDX-License-Identifier: GPL-2.0 */
/* Constants of the pcapng format (draft-ietf-opsawg-pcapng). */
#ifndef TORUS_PCAPNG_H
#define TORUS_PCAPNG_H

#define PCAPNG_SECTION		0x0a0d0d0au
#define PCAPNG_INTERFACE	1u
#define PCAPNG_STATISTICS	5u
#define PCAPNG_PACKET		6u
#define PCAPNG_ORDER		0x1a2b3c4du
#define PCAPNG_LINKTYPE		147	/* USER0 */
#define PCAPNG_NANOSECONDS	9	/* if_tsresol: 10^-9 */
#define PCAPNG_CRC_ERROR	(1u << 24)	/* epb_flags */

#define PCAPNG_IF_NAME		2
#define PCAPNG_IF_DESCRIPTION	3
#define PCAPNG_IF_TSRESOL	9
#define PCAPNG_USERAPPL		4
#define PCAPNG_EPB_FLAGS	2
#define PCAPNG_EPB_DROPCOUNT	4
#define PCAPNG_ISB_IFRECV	4
#define PCAPNG_ISB_IFDROP	5

#define PCAPNG_OPTION_BYTES	4	/* an option's code and length */
#define PCAPNG_BLOCK_BYTES	12	/* a block's type and its two lengths */

#endif /* TORUS_PCAPNG_H */
