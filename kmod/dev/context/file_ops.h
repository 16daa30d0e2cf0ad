/* SPDX-License-Identifier: GPL-2.0 */
/* File operations of /dev/torus. */
#ifndef TORUS_DEV_CONTEXT_FILE_OPS_H
#define TORUS_DEV_CONTEXT_FILE_OPS_H

#include <linux/fs.h>

extern const struct file_operations torus_file_ops;

#endif
