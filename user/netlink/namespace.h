/* SPDX-License-Identifier: GPL-2.0 */
/* A session in a network namespace of its own. */
#ifndef TORUS_NL_NAMESPACE_H
#define TORUS_NL_NAMESPACE_H

#include "session.h"

int torus_nl_connect_apart(struct torus_nl *nl);

#endif /* TORUS_NL_NAMESPACE_H */
