// A ring of MPI ranks: each sends to the next, and looks at what comes from the one before.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_BYTES 1000000

static char byte_of(int rank, int at)
{
	return (char)(at * 7 + rank);
}

static void exchange(int rank, int count, int bytes)
{
	int before = (rank + count - 1) % count;
	char *out = malloc((size_t)bytes);
	char *in = malloc((size_t)bytes);

	if (out == NULL || in == NULL)
		MPI_Abort(MPI_COMM_WORLD, 2);
	for (int i = 0; i < bytes; i++)
		out[i] = byte_of(rank, i);
	MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + 1) % count, 0, in, bytes, MPI_CHAR, before, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	for (int i = 0; i < bytes; i++) {
		if (in[i] != byte_of(before, i))
			MPI_Abort(MPI_COMM_WORLD, 3);
	}
	free(out);
	free(in);
}

int main(int argc, char **argv)
{
	char guest[MPI_MAX_PROCESSOR_NAME];
	int rank;
	int count;
	int length;
	int sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	MPI_Get_processor_name(guest, &length);
	for (int bytes = 1; bytes <= MOST_BYTES; bytes *= 10)
		exchange(rank, count, bytes);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	printf("rank %d of %d on %s: sum %d\n", rank, count, guest, sum);
	MPI_Finalize();
	return 0;
}
