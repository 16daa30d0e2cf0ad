/* SPDX-License-Identifier: GPL-2.0 */
/* The calls that send and receive messages. */
#ifndef TORUS_PROVIDER_MESSAGE_H
#define TORUS_PROVIDER_MESSAGE_H

#include "provider.h"

extern struct fi_ops_msg prov_msg_ops;
extern struct fi_ops_tagged prov_tagged_ops;

#endif /* TORUS_PROVIDER_MESSAGE_H */
