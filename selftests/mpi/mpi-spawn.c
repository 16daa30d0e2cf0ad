// SPDX-License-Identifier: GPL-2.0
/* A rank that starts another process by MPI_Comm_spawn. */
#include <mpi.h>

int main(int argc, char **argv)
{
	MPI_Comm child;

	MPI_Init(&argc, &argv);
	MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &child,
		       MPI_ERRCODES_IGNORE);
	MPI_Finalize();
	return 0;
}
