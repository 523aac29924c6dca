package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.CompletionQueue;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.MemoryRegion;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.RcQueuePair;
import io.hyperverbs.verbs.SendFlags;
import io.hyperverbs.verbs.SendPoster;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A UD queue pair whose requests are carried out when the test says so, as an HCA does while the poster is elsewhere: a
 * request that fails stops the send queue, and those behind it are flushed until it is back in RTS.
 */
final class SendingHca implements CompletionQueue {
    static final int LKEY = 0x7700;
    static final long ADDRESS = 0x10_0000;

    /** In place of an address handle: the request of a connection, whose queue pair's number is that of the request. */
    static final int CONNECTED = -1;

    private final List<Request> batch = new ArrayList<>();
    private final Queue<Request> posted = new ArrayDeque<>();
    private final Queue<Completion> completions = new ArrayDeque<>();

    final List<List<Request>> batches = new ArrayList<>();
    /** Address handles, and queue pairs of connections, whose requests fail. */
    final Set<Integer> failing = new HashSet<>();

    final List<QpState> moves = new ArrayList<>();

    /** What posts answer. */
    VerbsStatus answer = VerbsStatus.SUCCESS;

    /** What the HCA does while somebody waits for completions. */
    Runnable meanwhile = () -> {};

    int waits;

    private int fruitless;
    private QpState state = QpState.RTS;

    /**
     * A request as it was posted.
     *
     * @param address of its only SGE
     */
    record Request(long wrId, int flags, int handle, int qpn, int qkey, int lkey, long address, int lengthBytes) {
        boolean isSignalled() {
            return flags == SendFlags.SIGNALLED;
        }
    }

    private record Completion(long wrId, VerbsStatus status, int qpn) {}

    QpState state() {
        return state;
    }

    /** Carries out all that is posted. */
    void work() {
        while (!posted.isEmpty()) {
            Request request = posted.remove();
            if (request.handle == CONNECTED) {
                VerbsStatus status = failing.contains(request.qpn) ? VerbsStatus.RETRY_EXC_ERR : VerbsStatus.SUCCESS;
                completions.add(new Completion(request.wrId, status, request.qpn));
            } else if (state == QpState.SQE) {
                completions.add(new Completion(request.wrId, VerbsStatus.WR_FLUSH_ERR, LinkFixture.OWN_QPN));
            } else if (failing.contains(request.handle)) {
                state = QpState.SQE;
                completions.add(new Completion(request.wrId, VerbsStatus.LOC_QP_OP_ERR, LinkFixture.OWN_QPN));
            } else if (request.isSignalled()) {
                completions.add(new Completion(request.wrId, VerbsStatus.SUCCESS, LinkFixture.OWN_QPN));
            }
        }
    }

    static <T> T fake(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
    }

    /** An address handle of that number. */
    static AddressHandle handle(int number) {
        return fake(AddressHandle.class, (_, method, _) -> switch (method.getName()) {
            case "number" -> number;
            case "close" -> null;
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    /** Slots in ordinary memory. */
    static FrameSlots slots(int count, int bytes) throws VerbsException {
        DomainMemory ram = fake(DomainMemory.class, (_, method, arguments) -> switch (method.getName()) {
            case "allocate" -> MemorySegment.ofArray(new long[(int) ((long) arguments[0] / Long.BYTES)]);
            default -> throw new UnsupportedOperationException(method.getName());
        });
        MemoryRegion region = fake(MemoryRegion.class, (_, method, _) -> switch (method.getName()) {
            case "address" -> ADDRESS;
            case "lkey" -> LKEY;
            default -> throw new UnsupportedOperationException(method.getName());
        });
        ProtectionDomain pd = fake(ProtectionDomain.class, (_, method, _) -> switch (method.getName()) {
            case "register" -> region;
            default -> throw new UnsupportedOperationException(method.getName());
        });
        return new FrameSlots(ram, pd, count, bytes);
    }

    UdQueuePair queuePair() {
        SendPoster poster = fake(SendPoster.class, this::build);
        return fake(UdQueuePair.class, (_, method, arguments) -> switch (method.getName()) {
            case "sends" -> poster;
            case "qpn" -> LinkFixture.OWN_QPN;
            case "query" -> QpAttributes.to(state);
            case "modify" -> {
                move(((QpAttributes) arguments[0]).state());
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    /** A queue pair of a connection; {@code calls} gets each change of its state, and its end. */
    RcQueuePair connected(int qpn, Consumer<String> calls) {
        SendPoster poster = fake(SendPoster.class, (self, method, of) -> {
            Object built = build(self, method, of);
            if (method.getName().equals("send")) {
                Request last = batch.removeLast();
                batch.add(new Request(last.wrId, last.flags, CONNECTED, qpn, 0, 0, 0, 0));
            }
            return built;
        });
        return fake(RcQueuePair.class, (_, method, of) -> switch (method.getName()) {
            case "sends" -> poster;
            case "qpn" -> qpn;
            case "describe" -> "qp " + qpn;
            case "modify" -> {
                calls.accept("qp " + qpn + " to " + ((QpAttributes) of[0]).state() + " "
                        + ((QpAttributes) of[0]).values().getOrDefault(QpAttribute.PKEY_INDEX, -1L));
                yield null;
            }
            case "close" -> {
                calls.accept("close qp " + qpn);
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private void move(QpState to) {
        if (!posted.isEmpty()) {
            throw new AssertionError("moved to " + to + " before requests were flushed");
        }
        moves.add(to);
        state = to;
    }

    private Object build(Object poster, Method method, Object[] of) {
        switch (method.getName()) {
            case "start" -> batch.clear();
            case "send" -> batch.add(new Request((long) of[0], (int) of[1], 0, 0, 0, 0, 0, 0));
            case "to" -> {
                Request last = batch.removeLast();
                batch.add(new Request(last.wrId, last.flags, (int) of[0], (int) of[1], (int) of[2], 0, 0, 0));
            }
            case "sge" -> {
                Request last = batch.removeLast();
                batch.add(new Request(
                        last.wrId, last.flags, last.handle, last.qpn, last.qkey, (int) of[0], (long) of[1], (int)
                                of[2]));
            }
            case "post" -> {
                return post();
            }
            default -> throw new UnsupportedOperationException(method.getName());
        }
        return poster;
    }

    private VerbsStatus post() {
        if (answer == VerbsStatus.SUCCESS) {
            posted.addAll(batch);
            batches.add(List.copyOf(batch));
        }
        batch.clear();
        return answer;
    }

    @Override
    public int poll(WorkCompletion[] room) {
        int found = 0;
        while (found < room.length && !completions.isEmpty()) {
            Completion completion = completions.remove();
            room[found].fill(completion.wrId, completion.status, WorkCompletion.Opcode.SEND, 0, completion.qpn);
            found++;
        }
        return found;
    }

    @Override
    public int poll(WorkCompletion[] room, Duration timeout) {
        if (completions.isEmpty() && timeout.isPositive()) {
            waits++;
            meanwhile.run();
            fruitless = completions.isEmpty() ? fruitless + 1 : 0;
            if (fruitless > 100) {
                throw new AssertionError("waits without an end");
            }
        }
        return poll(room);
    }

    @Override
    public Context context() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int capacity() {
        throw new UnsupportedOperationException();
    }

    @Override
    public VerbsStatus arm(boolean solicitedOnly) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void resize(int entries) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void moderate(int count, int periodMicros) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String describe() {
        return "cq 1";
    }

    @Override
    public void close() {}
}
