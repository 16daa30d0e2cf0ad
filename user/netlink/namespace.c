// SPDX-License-Identifier: GPL-2.0
/* A session in a network namespace of its own. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "namespace.h"

/**
 * torus_nl_connect_apart - connect to the module in a new network namespace, which ends with the
 * session
 * @nl: a new session
 *
 * Fabrics in that namespace are invisible to other sessions, and their names cannot conflict with
 * other names.
 *
 * Return: 0 or a negative errno; -EPERM without the right to create a namespace.
 */
int torus_nl_connect_apart(struct torus_nl *nl)
{
	int home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	int error;

	if (home < 0)
		return torus_nl_fail(nl, -errno, "/proc/self/ns/net: %s", strerror(errno));
	if (unshare(CLONE_NEWNET)) {
		error = torus_nl_fail(nl, -errno, "cannot create a network namespace for the test "
				      "of the file: %s", strerror(errno));
	} else {
		error = torus_nl_connect(nl);
		if (setns(home, CLONE_NEWNET))
			error = torus_nl_fail(nl, -errno, "cannot return to the network "
					      "namespace: %s", strerror(errno));
	}
	close(home);
	return error;
}
