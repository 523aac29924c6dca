package io.hyperverbs.lab.mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import org.jspecify.annotations.Nullable;

/**
 * Random messages of all ranks at once, checked against MPI's rules of matching. All ranks draw the same plan from the
 * seed, so each knows what the others send.
 *
 * <p>In the first communicator receives name their source, and a tag or any: what each gets does not depend on time, and
 * a model says it beforehand. In the second they take anything, in the third any source but one tag: there the messages
 * of one source (and tag) must come in the order in which they were sent.
 */
final class RandomTraffic {
    private static final int COMMUNICATORS = 3;
    private static final int TAGS = 4;
    private static final int MESSAGES_OF_A_PAIR = 6;
    private static final int MOST_SHORT_BYTES = 300;
    private static final int MOST_LONG_BYTES = 70_000;

    /** From, to, communicator, number among those, tag: what a message begins with. */
    private static final int HEADER_BYTES = 5 * Integer.BYTES;

    private record Message(int from, int to, int comm, int number, int tag, int bytes, boolean synchronous) {}

    /** A receive that was begun, and the message that it must get; null if that depends on time. */
    private record Awaited(
            Request request,
            ByteBuffer data,
            int comm,
            @Nullable Message message) {}

    private final Random plan;
    private final Random own;
    private final long messages;
    private final int rank;
    private final int size;
    private final Intracomm[] comms = new Intracomm[COMMUNICATORS];

    /** The next number of messages by communicator, sender and receiver. */
    private final int[][][] numbers;

    /** Of the messages received last, by communicator, sender and tag. */
    private final int[][][] last;

    private final List<ByteBuffer> ram = new ArrayList<>();

    /**
     * Sends whose message another may have taken the place of, until a later round: the receiver may wait for this rank
     * meanwhile.
     */
    private final List<Request> late = new ArrayList<>();

    RandomTraffic(long seed, long messages) throws MPIException {
        this.plan = new Random(seed);
        this.messages = messages;
        this.rank = MPI.COMM_WORLD.getRank();
        this.size = MPI.COMM_WORLD.getSize();
        this.own = new Random(seed * 31 + rank);
        this.numbers = new int[COMMUNICATORS][size][size];
        this.last = new int[COMMUNICATORS][size][TAGS];
        for (int comm = 0; comm < COMMUNICATORS; comm++) {
            comms[comm] = MPI.COMM_WORLD.dup();
            for (int[] ofSource : last[comm]) {
                Arrays.fill(ofSource, -1);
            }
        }
        for (int i = 0; i < 8; i++) {
            ram.add(MPI.newByteBuffer(MOST_LONG_BYTES));
        }
    }

    /** Sends and receives; how many messages this rank got. */
    long run() throws MPIException {
        long sent = 0;
        long got = 0;
        while (sent < messages) {
            List<Message> round = draw();
            sent += round.size();
            got += exchange(round);
            forgetEnded();
        }
        Request.waitAll(late.toArray(Request[]::new));
        return got;
    }

    /** Lets go of sends that have ended, with their data. */
    private void forgetEnded() throws MPIException {
        List<Request> left = new ArrayList<>();
        for (Request one : late) {
            if (!one.test()) {
                left.add(one);
            }
        }
        late.clear();
        late.addAll(left);
    }

    private List<Message> draw() {
        List<Message> round = new ArrayList<>();
        int comm = plan.nextInt(COMMUNICATORS);
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                for (int left = plan.nextInt(MESSAGES_OF_A_PAIR); left > 0; left--) {
                    boolean isLong = plan.nextInt(50) == 0;
                    int bytes = HEADER_BYTES + plan.nextInt(isLong ? MOST_LONG_BYTES - HEADER_BYTES : MOST_SHORT_BYTES);
                    int number = numbers[comm][from][to]++;
                    round.add(new Message(from, to, comm, number, plan.nextInt(TAGS), bytes, plan.nextInt(20) == 0));
                }
            }
        }
        return round;
    }

    private int exchange(List<Message> round) throws MPIException {
        List<Message> incoming = round.stream().filter(one -> one.to == rank).toList();
        List<Message> outgoing =
                new ArrayList<>(round.stream().filter(one -> one.from == rank).toList());
        List<Awaited> receives = new ArrayList<>();
        List<Request> sends = new ArrayList<>();
        List<Message> open = new ArrayList<>(incoming);
        List<ByteBuffer> free = new ArrayList<>(ram);
        // Sends and receives are mixed, so that some messages come before their receive and some after.
        while (!outgoing.isEmpty() || !open.isEmpty()) {
            if (!outgoing.isEmpty() && (open.isEmpty() || own.nextBoolean())) {
                sends.add(send(outgoing.removeFirst(), free));
            } else {
                receives.add(receive(open, free));
            }
        }
        int[] order = order(receives.size());
        for (int index : order) {
            if (receives.get(index).message != null) {
                check(receives.get(index));
            }
        }
        for (Awaited one : receives) {
            if (one.message == null) {
                check(one);
            }
        }
        if (isTimed(round)) {
            late.addAll(sends);
        } else {
            Request.waitAll(sends.toArray(Request[]::new));
        }
        return incoming.size();
    }

    /** Whether it depends on time which message a receive gets. */
    private static boolean isTimed(List<Message> round) {
        return !round.isEmpty() && round.getFirst().comm != 0;
    }

    /** Requests end in any order; they are asked in any. */
    private int[] order(int count) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            order.add(i);
        }
        Collections.shuffle(order, own);
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private Request send(Message message, List<ByteBuffer> free) throws MPIException {
        ByteBuffer data = buffer(message.bytes, message.comm == 0 ? free : List.of());
        fill(data, message);
        Intracomm comm = comms[message.comm];
        return message.synchronous
                ? comm.iSSend(data, message.bytes, MPI.BYTE, message.to, message.tag)
                : comm.iSend(data, message.bytes, MPI.BYTE, message.to, message.tag);
    }

    private ByteBuffer buffer(int bytes, List<ByteBuffer> free) {
        ByteBuffer data = own.nextBoolean() && !free.isEmpty() ? free.removeLast() : ByteBuffer.allocate(bytes);
        return data.order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void fill(ByteBuffer data, Message message) {
        data.clear();
        data.putInt(message.from)
                .putInt(message.to)
                .putInt(message.comm)
                .putInt(message.number)
                .putInt(message.tag);
        for (int i = HEADER_BYTES; i < message.bytes; i++) {
            data.put(i, body(message.from, message.number, i));
        }
    }

    private static byte body(int from, int number, int index) {
        return (byte) (from * 7 + number * 13 + index);
    }

    /** Begins a receive that one of the open messages can be for. */
    private Awaited receive(List<Message> open, List<ByteBuffer> free) throws MPIException {
        Message some = open.get(own.nextInt(open.size()));
        Intracomm comm = comms[some.comm];
        ByteBuffer data = buffer(MOST_LONG_BYTES, free);
        if (some.comm == 0) {
            boolean anyTag = own.nextBoolean();
            // The one sent first of those that it takes: it cannot be another.
            Message first = open.stream()
                    .filter(one -> one.from == some.from && (anyTag || one.tag == some.tag))
                    .findFirst()
                    .orElseThrow();
            open.remove(first);
            int tag = anyTag ? MPI.ANY_TAG : some.tag;
            return new Awaited(comm.iRecv(data, MOST_LONG_BYTES, MPI.BYTE, some.from, tag), data, some.comm, first);
        }
        open.remove(some);
        int tag = some.comm == 1 ? MPI.ANY_TAG : some.tag;
        return new Awaited(comm.iRecv(data, MOST_LONG_BYTES, MPI.BYTE, MPI.ANY_SOURCE, tag), data, some.comm, null);
    }

    private void check(Awaited one) throws MPIException {
        Status status = one.request.waitStatus();
        ByteBuffer data = one.data.clear();
        int from = data.getInt();
        int to = data.getInt();
        int comm = data.getInt();
        int number = data.getInt();
        int tag = data.getInt();
        Difference.expect(rank, to, "receiver");
        Difference.expect(one.comm, comm, "communicator");
        Difference.expect(from, status.getSource(), "source");
        Difference.expect(tag, status.getTag(), "tag");
        for (int i = HEADER_BYTES; i < status.getCount(MPI.BYTE); i++) {
            if (data.get(i) != body(from, number, i)) {
                throw new Difference("byte " + i + " of message " + number + " from " + from);
            }
        }
        if (one.message != null) {
            Difference.expect(one.message.from, from, "sender");
            Difference.expect(one.message.number, number, "number");
            Difference.expect(one.message.bytes, status.getCount(MPI.BYTE), "bytes");
            return;
        }
        // Receives of a communicator take the same tags, or any: each source's come in order.
        int kind = comm == 1 ? 0 : tag;
        if (number <= last[comm][from][kind]) {
            throw new Difference("message " + number + " from " + from + " after " + last[comm][from][kind]);
        }
        last[comm][from][kind] = number;
    }
}
