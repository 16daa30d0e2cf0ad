/* SPDX-License-Identifier: GPL-2.0 */
/* Memory and file of the record. */
#ifndef LABS_DRIVER_RECORD_H
#define LABS_DRIVER_RECORD_H

#include "node.h"

struct dentry;

int lab_record_init(struct dentry *directory);
void lab_record_exit(void);

#endif
