package io.hyperverbs.vmm.posix;

import io.hyperverbs.verbs.wait.WaitingPolicy;
import java.util.Arrays;

/**
 * One datagram to and fro between two UDP ports, each of which waits as an engine does: a policy
 * between empty receives, then sleep in an epoll. One thread for each end.
 */
final class UdpPingPongFloor implements AutoCloseable {
    private final UdpPort port;
    private final WaitingPolicy policy;
    private final Epoll epoll;
    private long sleeps;

    /** The port stays the caller's. */
    UdpPingPongFloor(UdpPort port, WaitingPolicy policy) throws PosixException {
        this.port = port;
        this.policy = policy;
        epoll = Epoll.create();
        epoll.add(port.fd().number(), 0);
    }

    /**
     * Sends and waits for the answer, many times.
     *
     * @return nanoseconds of half a round trip, sorted
     */
    long[] ask(int address, int toPort, int lengthBytes, int warmUp, int count) throws PosixException {
        long[] nanos = new long[count];
        for (int i = -warmUp; i < count; i++) {
            long start = System.nanoTime();
            send(address, toPort, lengthBytes);
            await();
            if (i >= 0) {
                nanos[i] = (System.nanoTime() - start) / 2;
            }
        }
        Arrays.sort(nanos);
        return nanos;
    }

    /** Answers each datagram by one of its length, until one of length zero has come. */
    void answer() throws PosixException {
        while (true) {
            await();
            int length = port.lengthBytes(0);
            if (length == 0) {
                return;
            }
            send(port.sourceAddress(0), port.sourcePort(0), length);
        }
    }

    void send(int address, int toPort, int lengthBytes) {
        if (!port.add(0, lengthBytes, lengthBytes, address, toPort, 0) || port.flush() != 1) {
            throw new IllegalStateException("not sent");
        }
    }

    /** Waits for a datagram. */
    void await() throws PosixException {
        policy.reset();
        while (port.receive() == 0) {
            if (policy.idle()) {
                sleeps++;
                epoll.await(Epoll.FOREVER);
                policy.reset();
            }
        }
    }

    /** How often it slept. */
    long sleeps() {
        return sleeps;
    }

    @Override
    public void close() {
        epoll.close();
    }
}
