// SPDX-License-Identifier: GPL-2.0
/*
 * Start a program that may compute, print, allocate memory and use the device, and nothing else.
 * The program is linked statically, so it opens no library.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../labs/01-registers/lab.h"
#include "sandbox.h"

#define MEMORY_MAX	(256u << 20)
#define OUTPUT_MAX	(1u << 20)	/* bytes of a regular file; pipes have no limit */

#if defined(__x86_64__)
#define NATIVE	AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE	AUDIT_ARCH_AARCH64
#elif defined(__s390x__)
#define NATIVE	AUDIT_ARCH_S390X
#else
#define NATIVE	0	/* unknown: every system call kills the program */
#endif

/* System calls that a statically linked C program needs. */
static const int permitted[] = {
	SYS_read, SYS_write, SYS_writev, SYS_exit, SYS_exit_group, SYS_brk, SYS_munmap,
	SYS_mprotect, SYS_fstat, SYS_lseek, SYS_rt_sigreturn, SYS_rt_sigaction,
	SYS_rt_sigprocmask, SYS_getpid, SYS_gettid, SYS_set_tid_address, SYS_set_robust_list,
	SYS_rseq, SYS_getrandom, SYS_readlinkat, SYS_uname, SYS_execve, SYS_mmap,
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
#ifdef SYS_arch_prctl
	SYS_arch_prctl,
#endif
#ifdef SYS_readlink
	SYS_readlink,
#endif
};

/*
 * System calls that the C library makes but does not need. They return an error: they could lower
 * the limits of other processes of the user, or have a signal sent to them.
 */
static const int rejected[] = { SYS_prlimit64, SYS_ioctl };

#define COUNT(list)	(sizeof(list) / sizeof((list)[0]))

static struct sock_filter load(size_t offset)
{
	return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offset);
}

/* Execute the next instruction if the loaded value is @value; otherwise skip it. */
static struct sock_filter if_equal(unsigned int value)
{
	return (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1);
}

static struct sock_filter end(unsigned int action)
{
	return (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action);
}

/*
 * Kill the process at any other system call, also at one of another architecture, in which the
 * numbers have other meanings. A raised SIGABRT needs SYS_tgkill: it kills, too.
 */
static int filter_calls(void)
{
	struct sock_filter code[2 * COUNT(permitted) + 2 * COUNT(rejected) + 5];
	struct sock_fprog program = { .filter = code };
	unsigned short n = 0;
	size_t i;

	code[n++] = load(offsetof(struct seccomp_data, arch));
	code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0);
	code[n++] = end(SECCOMP_RET_KILL_PROCESS);
	code[n++] = load(offsetof(struct seccomp_data, nr));
	for (i = 0; i < COUNT(permitted); i++) {
		code[n++] = if_equal((unsigned int)permitted[i]);
		code[n++] = end(SECCOMP_RET_ALLOW);
	}
	for (i = 0; i < COUNT(rejected); i++) {
		code[n++] = if_equal((unsigned int)rejected[i]);
		code[n++] = end(SECCOMP_RET_ERRNO | EPERM);
	}
	code[n++] = end(SECCOMP_RET_KILL_PROCESS);
	program.len = n;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int limit(void)
{
	const struct rlimit time = { LAB_SECONDS, LAB_SECONDS };
	const struct rlimit memory = { MEMORY_MAX, MEMORY_MAX };
	const struct rlimit output = { OUTPUT_MAX, OUTPUT_MAX }, core = { 0, 0 };

	return setrlimit(RLIMIT_CPU, &time) || setrlimit(RLIMIT_AS, &memory) ||
	       setrlimit(RLIMIT_FSIZE, &output) || setrlimit(RLIMIT_CORE, &core) ? -1 : 0;
}

/* In the child: become the program. Returns only after an error. */
static void become(const char *program, int device)
{
	char *const words[] = { (char *)"registers", NULL };
	char *const environment[] = { NULL };
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 ||
	    dup2(STDOUT_FILENO, STDERR_FILENO) < 0 || dup2(device, LAB_DEVICE) < 0 ||
	    fcntl(LAB_DEVICE, F_SETFD, 0) || close_range(LAB_DEVICE + 1, ~0u, 0) || limit() ||
	    filter_calls())
		return;
	execve(program, words, environment);
}

/**
 * lab_start - start a program
 * @program: name of the file
 * @device: socket that the program has as LAB_DEVICE
 *
 * Return: the process, or -1 with errno. It ends with status 127 if it could not start the program.
 */
pid_t lab_start(const char *program, int device)
{
	pid_t child = fork();

	if (!child) {
		become(program, device);
		_exit(127);
	}
	return child;
}
