// SPDX-License-Identifier: GPL-2.0
/* A wait for a message to be sent: its receiver is watched, and memory may be full meanwhile. */
#include <errno.h>
#include <poll.h>
#include "../context/virtual_time.h"
#include "../context/wait.h"
#include "job.h"
#include "move.h"
#include "peer_exit.h"
#include "send_wait.h"

#define PATIENCE_MS	1000	/* at memory_max, without a packet sent */
#define STALL_MS	10	/* between checks meanwhile */

/**
 * torus_send_wait_start() - begin to wait for a message to be sent
 * @job: the job
 * @sending: out: the wait
 * @send: the message
 * @timeout_ms: as poll(2)
 */
void torus_send_wait_start(struct torus_job *job, struct sending *sending,
			   const struct torus_send *send, int timeout_ms)
{
	sending->send = send;
	sending->patient_ns = 0;
	torus_waiter_init(&sending->waiter, job->context, timeout_ms);
	torus_peer_exit_start(job, &sending->watch, &sending->waiter, send->dest, NULL);
}

/*
 * Reception stands still at memory_max, and may do so until this call returns.  The receiver need
 * not be in the same position: the message may go on.  0, or -ENOBUFS when it does not.
 */
static int sending_stalled(struct torus_job *job, struct sending *sending)
{
	struct torus_waiter *waiter = &sending->waiter;
	__u64 now = torus_context_now_ns(job->context), deadline = waiter->deadline_ns;
	int ret;

	if (!sending->patient_ns || sending->index != sending->send->index) {
		sending->index = sending->send->index;
		sending->patient_ns = now + PATIENCE_MS * 1000000ull;
	}
	if (now >= sending->patient_ns) {
		/* once more, for the text */
		ret = torus_job_move(job);
		return ret < 0 ? ret : 0;
	}
	waiter->deadline_ns = now + STALL_MS * 1000000ull;
	if (deadline && deadline < waiter->deadline_ns)
		waiter->deadline_ns = deadline;
	ret = torus_waiter_step(waiter, POLLOUT);
	waiter->deadline_ns = deadline;
	if (ret == -ETIMEDOUT && (!deadline || torus_context_now_ns(job->context) < deadline))
		return 0;
	return ret;
}

/**
 * torus_send_wait_wait() - wait a little for a message to be sent
 * @job: the job
 * @sending: from torus_send_wait_start()
 *
 * Return: 0 to look again; -ENOBUFS when memory_max is reached and nothing of the message was
 * sent for a second; -ENOTCONN when the receiver's process has left; -ETIMEDOUT, -EINTR, -ECOMM,
 * -EIO, -ENODEV.
 */
int torus_send_wait_wait(struct torus_job *job, struct sending *sending)
{
	int ret = torus_job_wait(job, &sending->waiter, true);

	if (ret == -ENOBUFS)
		ret = sending_stalled(job, sending);
	else
		sending->patient_ns = 0;
	return ret == -ETIMEDOUT ? torus_peer_exit_check(job, &sending->watch) : ret;
}
