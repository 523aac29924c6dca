package io.hyperverbs.lab.mpi;

import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;

/** Messages between ranks. Ranks 0 and 1 play, unless a case needs all. */
final class MessageCases {
    private static final int TAG = 7;

    /** More than goes at once, so that it is offered first. */
    private static final int LONG_BYTES = 300_000;

    private final Intracomm world = MPI.COMM_WORLD;

    /** What a call is to be refused for. */
    @FunctionalInterface
    private interface Refused {
        void call() throws MPIException;
    }

    private static void expectError(int errorClass, Refused refused) {
        try {
            refused.call();
        } catch (MPIException e) {
            Difference.expect(errorClass, e.getErrorClass(), "class of " + e.getMessage());
            return;
        }
        throw new Difference("no error of class " + errorClass);
    }

    private boolean plays(int rank) throws MPIException {
        return world.getSize() > 1 && world.getRank() == rank;
    }

    @RankCase("3.5")
    void messagesOfAPairDoNotOvertake() throws MPIException {
        int[] value = new int[1];
        int count = 500;
        for (int i = 0; i < count; i++) {
            if (plays(0)) {
                value[0] = i;
                world.send(value, 1, MPI.INT, 1, TAG);
            } else if (plays(1)) {
                world.recv(value, 1, MPI.INT, 0, TAG);
                Difference.expect(i, value[0], "message");
            }
        }
    }

    @RankCase("3.5")
    void aLongMessageIsNotOvertakenByAShortOne() throws MPIException {
        byte[] data = new byte[LONG_BYTES];
        if (plays(0)) {
            Request first = world.iSend(data, LONG_BYTES, MPI.BYTE, 1, TAG);
            world.send(data, 1, MPI.BYTE, 1, TAG);
            first.waitFor();
        } else if (plays(1)) {
            Status first = world.recv(data, LONG_BYTES, MPI.BYTE, 0, TAG);
            Status second = world.recv(data, LONG_BYTES, MPI.BYTE, 0, TAG);
            Difference.expect(LONG_BYTES, first.getCount(MPI.BYTE), "first");
            Difference.expect(1, second.getCount(MPI.BYTE), "second");
        }
    }

    @RankCase("3.2.4")
    void tagsChooseMessages() throws MPIException {
        int[] value = new int[1];
        if (plays(0)) {
            for (int tag = 0; tag < 5; tag++) {
                value[0] = tag;
                world.send(value, 1, MPI.INT, 1, tag);
            }
        } else if (plays(1)) {
            for (int tag = 4; tag >= 0; tag--) {
                Status status = world.recv(value, 1, MPI.INT, 0, tag);
                Difference.expect(tag, value[0], "message");
                Difference.expect(tag, status.getTag(), "tag");
            }
        }
    }

    @RankCase("3.2.4")
    void anySourceGetsAllOnce() throws MPIException {
        int[] value = {world.getRank()};
        if (world.getRank() != 0) {
            world.send(value, 1, MPI.INT, 0, TAG);
            return;
        }
        boolean[] seen = new boolean[world.getSize()];
        for (int i = 1; i < world.getSize(); i++) {
            Status status = world.recv(value, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            Difference.expect(status.getSource(), value[0], "source");
            Difference.expect(false, seen[value[0]], "seen " + value[0]);
            seen[value[0]] = true;
        }
    }

    @RankCase("3.2.6")
    void aMessageThatIsTooLongIsAnErrorAndFillsTheBuffer() throws MPIException {
        for (int bytes : new int[] {8, LONG_BYTES}) {
            byte[] data = new byte[bytes];
            if (plays(0)) {
                Arrays.fill(data, (byte) 3);
                world.send(data, bytes, MPI.BYTE, 1, TAG);
            } else if (plays(1)) {
                expectError(MPI.ERR_TRUNCATE, () -> world.recv(data, bytes / 2, MPI.BYTE, 0, TAG));
                Difference.expect((byte) 3, data[bytes / 2 - 1], "last that fits");
                Difference.expect((byte) 0, data[bytes / 2], "first that does not");
            }
        }
    }

    @RankCase("3.4")
    void aSynchronousSendEndsWhenItIsReceived() throws MPIException {
        int[] value = new int[1];
        if (plays(0)) {
            Request send = world.iSSend(value, 1, MPI.INT, 1, TAG);
            // The other side has not begun to receive before it gets this.
            Difference.expect(false, send.test(), "ended before");
            world.send(value, 1, MPI.INT, 1, TAG + 1);
            send.waitFor();
        } else if (plays(1)) {
            world.recv(value, 1, MPI.INT, 0, TAG + 1);
            world.recv(value, 1, MPI.INT, 0, TAG);
        }
    }

    @RankCase("3.4")
    void twoStandardSendsOfShortMessagesBeforeTheReceivesEnd() throws MPIException {
        int[] value = {world.getRank()};
        if (plays(0) || plays(1)) {
            int other = 1 - world.getRank();
            world.send(value, 1, MPI.INT, other, TAG);
            world.recv(value, 1, MPI.INT, other, TAG);
            Difference.expect(other, value[0], "value");
        }
    }

    @RankCase("3.8.1")
    void aProbeLeavesTheMessage() throws MPIException {
        for (int bytes : new int[] {0, 12, LONG_BYTES}) {
            byte[] data = new byte[bytes];
            if (plays(0)) {
                world.send(data, bytes, MPI.BYTE, 1, bytes);
            } else if (plays(1)) {
                Status probed = world.probe(MPI.ANY_SOURCE, bytes);
                Difference.expect(bytes, probed.getCount(MPI.BYTE), "probed");
                Status again = world.iProbe(0, bytes);
                Difference.expect(bytes, again == null ? -1 : again.getCount(MPI.BYTE), "probed again");
                Difference.expect(
                        bytes, world.recv(data, bytes, MPI.BYTE, 0, bytes).getCount(MPI.BYTE), "received");
                Difference.expect(true, world.iProbe(0, bytes) == null, "none left");
            }
        }
    }

    @RankCase("3.11")
    void nobodyIsSentToAndReceivedFrom() throws MPIException {
        int[] value = {5};
        world.send(value, 1, MPI.INT, MPI.PROC_NULL, TAG);
        Status status = world.recv(value, 1, MPI.INT, MPI.PROC_NULL, TAG);
        Difference.expect(MPI.PROC_NULL, status.getSource(), "source");
        Difference.expect(0, status.getCount(MPI.INT), "count");
        Difference.expect(5, value[0], "buffer");
    }

    @RankCase("3.10")
    void allSendRoundARing() throws MPIException {
        int size = world.getSize();
        int rank = world.getRank();
        double[] out = new double[2000];
        double[] in = new double[2000];
        Arrays.fill(out, rank);
        int before = (rank - 1 + size) % size;
        world.sendRecv(out, out.length, MPI.DOUBLE, (rank + 1) % size, TAG, in, in.length, MPI.DOUBLE, before, TAG);
        Difference.expect((double) before, in[in.length - 1], "last");
    }

    @RankCase("3.2")
    void aRankSendsToItself() throws MPIException {
        int[] value = {41};
        int[] got = new int[1];
        int rank = world.getRank();
        Request late = world.iSSend(value, 1, MPI.INT, rank, TAG);
        Difference.expect(false, late.test(), "ended before");
        world.recv(got, 1, MPI.INT, rank, TAG);
        late.waitFor();
        Request early = world.iRecv(got, 1, MPI.INT, rank, TAG);
        value[0] = 42;
        world.send(value, 1, MPI.INT, rank, TAG);
        Difference.expect(rank, early.waitStatus().getSource(), "source");
        Difference.expect(42, got[0], "value");
    }

    @RankCase("3.7.5")
    void waitAnyGivesEachOnce() throws MPIException {
        int count = 10;
        Request[] requests = new Request[count];
        int[][] values = new int[count][1];
        for (int i = 0; i < count; i++) {
            if (plays(0)) {
                values[i][0] = i;
                requests[i] = world.iSend(values[i], 1, MPI.INT, 1, i);
            } else if (plays(1)) {
                requests[i] = world.iRecv(values[i], 1, MPI.INT, 0, i);
            } else {
                return;
            }
        }
        boolean[] ended = new boolean[count];
        for (int i = 0; i < count; i++) {
            int index = Request.waitAny(requests);
            Difference.expect(false, ended[index], "request " + index);
            ended[index] = true;
            Difference.expect(index, values[index][0], "value");
        }
        Difference.expect(MPI.UNDEFINED, Request.waitAny(requests), "all null");
    }

    @RankCase("3.7")
    void longMessagesGoBetweenAllKindsOfBuffers() throws MPIException {
        int bytes = 3_000_001;
        for (boolean fromRam : new boolean[] {false, true}) {
            for (boolean toRam : new boolean[] {false, true}) {
                if (plays(0)) {
                    ByteBuffer data = fromRam ? MPI.newByteBuffer(bytes) : ByteBuffer.allocate(bytes);
                    for (int i = 0; i < bytes; i++) {
                        data.put(i, (byte) (i * 31));
                    }
                    world.send(data, bytes, MPI.BYTE, 1, TAG);
                } else if (plays(1)) {
                    ByteBuffer data = toRam ? MPI.newByteBuffer(bytes) : ByteBuffer.allocate(bytes);
                    world.recv(data, bytes, MPI.BYTE, 0, TAG);
                    for (int i = 0; i < bytes; i++) {
                        Difference.expect((byte) (i * 31), data.get(i), "byte " + i);
                    }
                }
            }
        }
    }

    @RankCase("3.5")
    void receivesThatNobodyAnswersDoNotStopOthers() throws MPIException {
        int[] value = new int[1];
        int[] never = new int[1];
        Comm self = MPI.COMM_SELF;
        Request open = self.iRecv(never, 1, MPI.INT, 0, TAG);
        allSendRoundARing();
        Difference.expect(false, open.test(), "open");
        self.send(value, 1, MPI.INT, 0, TAG);
        open.waitFor();
    }

    @RankCase("6.4.2")
    void communicatorsKeepTheirMessagesApart() throws MPIException {
        Intracomm other = world.dup();
        int[] value = new int[1];
        if (plays(0)) {
            value[0] = 1;
            world.send(value, 1, MPI.INT, 1, TAG);
            value[0] = 2;
            other.send(value, 1, MPI.INT, 1, TAG);
        } else if (plays(1)) {
            other.recv(value, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            Difference.expect(2, value[0], "of the copy");
            world.recv(value, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            Difference.expect(1, value[0], "of the world");
        }
        other.free();
    }

    @RankCase("8.4")
    void wrongArgumentsAreErrorsOfTheirClass() throws MPIException {
        int[] value = new int[1];
        int size = world.getSize();
        expectError(MPI.ERR_RANK, () -> world.send(value, 1, MPI.INT, size, TAG));
        expectError(MPI.ERR_RANK, () -> world.recv(value, 1, MPI.INT, -5, TAG));
        expectError(MPI.ERR_TAG, () -> world.send(value, 1, MPI.INT, 0, -1));
        expectError(MPI.ERR_COUNT, () -> world.send(value, 2, MPI.INT, 0, TAG));
        expectError(MPI.ERR_COUNT, () -> world.send(value, -1, MPI.INT, 0, TAG));
        expectError(MPI.ERR_TYPE, () -> world.send(value, 1, MPI.DOUBLE, 0, TAG));
        expectError(MPI.ERR_BUFFER, () -> world.send("text", 1, MPI.BYTE, 0, TAG));
        expectError(MPI.ERR_ROOT, () -> world.bcast(value, 1, MPI.INT, size));
        expectError(MPI.ERR_OP, () -> MPI.COMM_SELF.allReduce(new double[1], 1, MPI.DOUBLE, MPI.BAND));
    }
}
