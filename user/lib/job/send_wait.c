// SPDX-License-Identifier: GPL-2.0
/* Wait for a message to be sent, while its receiver may exit and memory may be full. */
#include <errno.h>
#include <poll.h>
#include "../context/virtual_time.h"
#include "../context/wait.h"
#include "job.h"
#include "move.h"
#include "peer_exit.h"
#include "send_wait.h"

/* milliseconds: limit of waiting at memory_max while no packet is sent */
#define PATIENCE_MS	1000
#define STALL_MS	10	/* milliseconds between checks while memory_max is reached */

/**
 * torus_send_wait_start() - start to wait for a message to be sent
 * @job: the job
 * @sending: [out] the wait
 * @send: the message
 * @timeout_ms: milliseconds; 0 or less: no limit
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
 * Wait while memory_max stops reception, which may last until the program takes messages.  The
 * receiver of the message may still receive packets, so sending may still progress.  Return: 0;
 * -ENOBUFS after PATIENCE_MS without a packet sent; or an error of torus_waiter_step().
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
		/* move packets once more, because this sets the error text */
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
 * torus_send_wait_wait() - do one step of a wait for a message to be sent
 * @job: the job
 * @sending: from torus_send_wait_start()
 *
 * Return: 0 if the caller shall check the message again; -ENOBUFS when memory_max is reached and no
 * packet of the message was sent for a second; -ENOTCONN when the receiver's process has left;
 * -ETIMEDOUT, -EINTR, -ECOMM, -EIO, -ENODEV.
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
