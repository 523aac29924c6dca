package io.hyperverbs.vmm.posix;

import static io.hyperverbs.vmm.posix.UdpTestPort.FIRST;
import static io.hyperverbs.vmm.posix.UdpTestPort.SECOND;
import static io.hyperverbs.vmm.posix.UdpTestPort.SMALL;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * Prints what each of the calls of a port allocates, a line for each: name, operations, bytes. Both
 * ends on one thread: whatever one of them allocates is counted. For a JVM with the second compiler:
 * without it a native call that keeps errno makes a segment of 40 bytes.
 */
final class UdpAllocations {
    static final int OPERATIONS = 100_000;

    private static final int BATCH = 8;
    private static final int BROADCAST = 0xffff_ffff;
    private static final int GROUP = 0xef77_0201;
    private static final int PASSES = 3;

    private final UdpPort a;
    private final UdpPort b;
    private long checksum;

    private UdpAllocations(UdpPort a, UdpPort b) {
        this.a = a;
        this.b = b;
    }

    public static void main(String[] args) throws PosixException {
        try (UdpPort a = UdpPort.open(FIRST, 0, SMALL);
                UdpPort b = UdpPort.open(SECOND, 0, SMALL)) {
            UdpAllocations calls = new UdpAllocations(a, b);
            print("datagrams", () -> calls.carry(64, 64, SECOND));
            print("segments", () -> calls.carry(640, 64, SECOND));
            print("drops", calls::drop);
            print("empty", calls::receiveNothing);
            b.join(GROUP);
            print("group", () -> calls.carry(64, 64, GROUP));
            print("emptyGroup", calls::receiveNothing);
            System.out.println("# " + calls.checksum);
        }
    }

    private static void print(String name, Runnable operations) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().threadId();
        long bytes = 0;
        for (int i = 0; i < PASSES; i++) {
            long before = threads.getThreadAllocatedBytes(thread);
            operations.run();
            bytes = threads.getThreadAllocatedBytes(thread) - before;
        }
        System.out.println(name + " " + OPERATIONS + " " + bytes);
    }

    private void carry(int lengthBytes, int segmentBytes, int to) {
        for (int i = 0; i < OPERATIONS / BATCH; i++) {
            for (int k = 0; k < BATCH; k++) {
                a.add(64L * k, lengthBytes, segmentBytes, to, b.port(), k & 3);
            }
            int sent = a.flush();
            int got = 0;
            while (got < sent) {
                got += take();
            }
        }
    }

    private int take() {
        int count = b.receive();
        for (int k = 0; k < count; k++) {
            checksum += b.offset(k) + b.lengthBytes(k) + b.segmentBytes(k) + b.tos(k);
            checksum += b.sourceAddress(k) + b.sourcePort(k) + b.destinationAddress(k);
        }
        return count;
    }

    private void drop() {
        for (int i = 0; i < OPERATIONS; i++) {
            a.add(0, 1, 1, BROADCAST, 1, 0);
            checksum += a.flush();
        }
    }

    private void receiveNothing() {
        for (int i = 0; i < OPERATIONS; i++) {
            checksum += b.receive();
        }
    }
}
