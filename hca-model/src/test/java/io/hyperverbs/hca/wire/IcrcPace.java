package io.hyperverbs.hca.wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Measures the ICRC of packets with 4096, 1024 and 64 bytes of payload: storing it, checking one
 * with identification 0, and checking one whose identification is solved for. A tool, not a test;
 * its figures are this computer's.
 */
final class IcrcPace {
    private static final int ROUNDS = 25;
    private static final int PACKETS = 20_000;
    private static final int HEADERS = 28;
    private static final int SLOTS = 16;
    private static final int SLOT_BYTES = 4352;

    private final MemorySegment packets = Arena.global().allocate(SLOTS * SLOT_BYTES, 64);
    private final Icrc icrc = new Icrc(packets);
    private long sum;

    private IcrcPace() {}

    @SuppressWarnings("SystemOut") // a tool's output
    public static void main(String[] args) {
        IcrcPace pace = new IcrcPace();
        for (int payload : new int[] {4096, 1024, 64, 4096}) {
            int length = HEADERS + payload;
            System.out.printf(
                    "payload %4d: store %4d ns, check %4d ns, solve %4d ns a packet (median of %d x %d)%n",
                    payload,
                    pace.median(length, 0, false),
                    pace.median(length, 0, true),
                    pace.median(length, 0x718c, true),
                    ROUNDS,
                    PACKETS);
        }
        System.out.println("sum " + pace.sum);
    }

    private long median(int length, int identification, boolean check) {
        for (int slot = 0; slot < SLOTS; slot++) {
            icrc.store((long) slot * SLOT_BYTES, length, 1, 2, identification, 3, 4791);
        }
        long[] nanos = new long[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            for (int i = 0; i < PACKETS; i++) {
                long at = (long) (i % SLOTS) * SLOT_BYTES;
                if (check) {
                    sum += icrc.identification(at, length, 1, 2, 0, 3, 4791);
                } else {
                    icrc.store(at, length, 1, 2, identification, 3, 4791);
                }
            }
            nanos[round] = (System.nanoTime() - start) / PACKETS;
        }
        Arrays.sort(nanos);
        return nanos[ROUNDS / 2];
    }
}
