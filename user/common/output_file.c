// SPDX-License-Identifier: GPL-2.0
/*
 * Output files of programs. A regular file is replaced when the new file is complete, and keeps
 * its mode and owner. If the program is killed earlier, the old file stays. Exception: a file in a
 * directory that is not writable is overwritten. A symbolic link is followed. Devices, pipes and
 * sockets are written directly.
 *
 * The new file has no name (O_TMPFILE), or the name PATH.PID.part on file systems without
 * O_TMPFILE. So a descriptor and a path are enough to rename or to remove it.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "output_file.h"

#define MODE_FILE	0666
/* maximum number of symbolic links that are followed, as in the kernel */
#define LINKS_MAX	40
#define PART_BYTES	(PATH_MAX + 32)

/* Resolve the symbolic links of a path; the file need not exist. */
static bool resolve_links(const char *path, char target[PATH_MAX])
{
	char link[PATH_MAX], copy[PATH_MAX];
	unsigned int links;
	ssize_t length;

	if (strlen(path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	strcpy(target, path);
	for (links = 0; links < LINKS_MAX; links++) {
		length = readlink(target, link, sizeof(link) - 1);
		if (length < 0)
			return true;
		link[length] = '\0';
		strcpy(copy, target);
		if (*link == '/')
			strcpy(target, link);
		else if ((size_t)snprintf(target, PATH_MAX, "%s/%s", dirname(copy), link) >=
			 PATH_MAX)
			break;
	}
	errno = links < LINKS_MAX ? ENAMETOOLONG : ELOOP;
	return false;
}

static const char *part_name(const char *target, char part[PART_BYTES])
{
	snprintf(part, PART_BYTES, "%s.%d.part", target, getpid());
	return part;
}

/*
 * Connect to a socket, which open() cannot open. Duplicate the descriptor for paths like
 * /dev/stdout.
 */
static int socket_open(const char *path)
{
	static const char *const of_process[] = { "/dev/fd/", "/proc/self/fd/" };
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	size_t i;
	int fd;

	if (!strcmp(path, "/dev/stdout"))
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	if (!strcmp(path, "/dev/stderr"))
		return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	for (i = 0; i < 2; i++)
		if (!strncmp(path, of_process[i], strlen(of_process[i])))
			return fcntl(atoi(path + strlen(of_process[i])), F_DUPFD_CLOEXEC, 0);
	if (strlen(path) >= sizeof(to.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(to.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof(to))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Give the new file the mode and owner of the old file. Return: false if this is not permitted. */
static bool keep_rights(int fd, const struct stat *before)
{
	struct stat now;

	if (fstat(fd, &now))
		return false;
	if ((now.st_uid != before->st_uid || now.st_gid != before->st_gid) &&
	    fchown(fd, before->st_uid, before->st_gid))
		return false;
	return !fchmod(fd, before->st_mode & 07777);
}

static int file_begin(const char *target, const struct stat *before)
{
	char directory[PATH_MAX], part[PART_BYTES];
	int fd;

	if (before && access(target, W_OK))
		return -1;
	strcpy(directory, target);
	fd = open(dirname(directory), O_TMPFILE | O_RDWR | O_CLOEXEC, MODE_FILE);
	if (fd < 0) {
		part_name(target, part);
		unlink(part);
		fd = open(part, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, MODE_FILE);
	}
	/* If the file is writable but its directory is not, overwrite the file. */
	if (fd < 0 && before && (errno == EACCES || errno == EROFS))
		return open(target, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd >= 0 && before && !keep_rights(fd, before)) {
		int error = errno;

		torus_output_drop(fd, target);
		errno = error;
		return -1;
	}
	return fd;
}

/**
 * torus_output_writable - check before the work begins that a file can be written
 * @path: the file, which is neither created nor opened
 *
 * Return: true, or false with errno.
 */
bool torus_output_writable(const char *path)
{
	char target[PATH_MAX];
	struct stat before;

	if (!stat(path, &before)) {
		if (S_ISDIR(before.st_mode)) {
			errno = EISDIR;
			return false;
		}
		return !access(path, W_OK);
	}
	if (errno != ENOENT || !resolve_links(path, target))
		return false;
	return !access(dirname(target), W_OK | X_OK);
}

/**
 * torus_output_begin - create an output file
 * @path: name of the file
 *
 * Return: a descriptor for torus_output_end() or torus_output_drop(); -1 with errno.
 */
int torus_output_begin(const char *path)
{
	char target[PATH_MAX];
	struct stat before;

	if (!stat(path, &before)) {
		if (S_ISSOCK(before.st_mode))
			return socket_open(path);
		if (!S_ISREG(before.st_mode))
			return open(path, O_WRONLY | O_CLOEXEC);
		return resolve_links(path, target) ? file_begin(target, &before) : -1;
	}
	return errno == ENOENT && resolve_links(path, target) ? file_begin(target, NULL) : -1;
}

/* Check whether @name is a name of the file to which the descriptor belongs. */
static bool is_named(int fd, const char *name)
{
	struct stat its, there;

	return !fstat(fd, &its) && !stat(name, &there) && its.st_dev == there.st_dev &&
	       its.st_ino == there.st_ino;
}

/**
 * torus_output_end - close a complete file and give it its name
 * @fd: from torus_output_begin(); closed
 * @path: name of the file
 *
 * Return: true, or false with errno.
 */
bool torus_output_end(int fd, const char *path)
{
	char target[PATH_MAX], part[PART_BYTES], from[32];
	struct stat now;
	bool good = true;
	int error;

	if (!fstat(fd, &now) && S_ISREG(now.st_mode) && resolve_links(path, target)) {
		part_name(target, part);
		snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
		if (!now.st_nlink) {
			/* linkat() cannot replace an existing file, so remove it first. */
			unlink(part);
			good = !linkat(AT_FDCWD, from, AT_FDCWD, part, AT_SYMLINK_FOLLOW);
		}
		if (good && is_named(fd, part) && rename(part, target)) {
			error = errno;
			unlink(part);
			errno = error;
			good = false;
		}
	}
	error = errno;
	if (close(fd) && good)
		return false;
	errno = error;
	return good;
}

/**
 * torus_output_drop - discard a new file; the old one is kept if it was not opened itself
 * @fd: from torus_output_begin(); closed
 * @path: name of the file
 */
void torus_output_drop(int fd, const char *path)
{
	char target[PATH_MAX], part[PART_BYTES];

	if (resolve_links(path, target) && is_named(fd, part_name(target, part)))
		unlink(part);
	close(fd);
}

/**
 * torus_output_open - create an output file, as a stdio stream
 * @path: name of the file; "-" is standard output
 *
 * Return: the stream, or NULL with errno.
 */
FILE *torus_output_open(const char *path)
{
	FILE *out;
	int fd;

	if (!strcmp(path, "-"))
		return stdout;
	fd = torus_output_begin(path);
	out = fd < 0 ? NULL : fdopen(fd, "w");
	if (!out && fd >= 0)
		torus_output_drop(fd, path);
	return out;
}

/**
 * torus_output_close - close a complete stream and give the file its name
 * @out: from torus_output_open(); closed unless it is standard output
 * @path: name of the file
 *
 * Return: true, or false with errno. If a write failed, torus_output_discard() was called.
 */
bool torus_output_close(FILE *out, const char *path)
{
	int fd, error;

	errno = 0;
	if (fflush(out) || ferror(out)) {
		error = errno ? errno : EIO;
		if (out != stdout)
			torus_output_discard(out, path);
		errno = error;
		return false;
	}
	if (out == stdout)
		return true;
	fd = fcntl(fileno(out), F_DUPFD_CLOEXEC, 0);
	if (fd < 0) {
		error = errno;
		torus_output_discard(out, path);
		errno = error;
		return false;
	}
	fclose(out);
	return torus_output_end(fd, path);
}

/**
 * torus_output_discard - close a stream and discard its file, as torus_output_drop()
 * @out: from torus_output_open(); not closed if it is standard output
 * @path: name of the file
 */
void torus_output_discard(FILE *out, const char *path)
{
	int fd = out == stdout ? -1 : fcntl(fileno(out), F_DUPFD_CLOEXEC, 0);

	if (fd >= 0)
		torus_output_drop(fd, path);
	if (out != stdout)
		fclose(out);
}
