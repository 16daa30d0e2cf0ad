/* SPDX-License-Identifier: GPL-2.0 */
/* Name the program that has a FIFO group to which another program cannot attach. */
#ifndef TORUS_LIB_GROUP_HOLDER_H
#define TORUS_LIB_GROUP_HOLDER_H

#include <linux/torus.h>

int torus_group_taken(const struct torus_ioc_attach *attach, int error);

#endif /* TORUS_LIB_GROUP_HOLDER_H */
