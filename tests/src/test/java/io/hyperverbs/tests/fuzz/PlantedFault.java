package io.hyperverbs.tests.fuzz;

import io.hyperverbs.backend.journal.JournalDoor;
import io.hyperverbs.backend.session.Quota;
import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.frontend.executable.ExecutableDoor;
import io.hyperverbs.hca.layout.QueueIndexes;
import io.hyperverbs.hca.tpt.RangeCheck;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.vmm.hypercall.ExecutableMemory;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.VerbHandles;
import io.hyperverbs.vmm.memory.Grant;
import io.hyperverbs.vmm.memory.GrantTable;
import java.util.List;

/**
 * Mistakes that others made, woven into a copy of our classes by {@link PlantedLoader}: each call
 * of a method becomes a call of the mistaken one of the same name here.
 */
enum PlantedFault {
    /** Rxe, 2026: the sum of address and length wraps. */
    WRAPPING_RANGE_OF_REQUESTS(FuzzKind.WQE, RangeCheck.class, "isWithin"),
    WRAPPING_RANGE_OF_PACKETS(FuzzKind.PACKET, RangeCheck.class, "isWithin"),
    /** Rxe, 2021: an index of the other side is believed when it goes back. */
    SIGNED_DISTANCE(FuzzKind.RING, QueueIndexes.class, "available"),
    WRAPPING_RANGE(FuzzKind.RANGE, RangeCheck.class, "isWithin"),
    /** CVE-2018-20126: what a destroyed object used stays used. */
    LEAKING_QUOTA(FuzzKind.CHANNEL, Quota.class, "giveBack"),
    /** Whose object it is that an executable names is not asked. */
    HANDLES_OF_ALL(FuzzKind.EXECUTABLE, VerbHandles.class, "named"),
    /** Frames of an executable are not held against its memory. */
    ENDLESS_MEMORY(FuzzKind.EXECUTABLE, ExecutableDoor.FRAMES, "inMachine"),
    /** A grant that anybody may map. */
    GRANT_TO_ALL(FuzzKind.HYPERCALL, GrantTable.class, "find"),
    /** More is promised than the HCA has. */
    ENDLESS_HCA(FuzzKind.TOPOLOGY, HcaSpec.class, "limitOf"),
    /** What no longer reads well is taken for the end, whatever follows it. */
    END_AT_FIRST_DAMAGE(FuzzKind.JOURNAL, JournalDoor.SCAN, "lastWhole");

    final FuzzKind kind;
    final Class<?> owner;
    final String method;

    PlantedFault(FuzzKind kind, Class<?> owner, String method) {
        this.kind = kind;
        this.owner = owner;
        this.method = method;
    }

    /** The mistaken methods; what was an object's method has the object first. */
    public static final class Mistakes {
        private Mistakes() {}

        public static boolean isWithin(long base, long size, long address, long length) {
            return Long.compareUnsigned(address, base) >= 0 && Long.compareUnsigned(address + length, base + size) <= 0;
        }

        public static int available(int producerIndex, int ownIndex, int capacity) {
            int distance = producerIndex - ownIndex;
            return distance <= capacity ? distance : -1;
        }

        public static void giveBack(Quota quota, QuotaKind kind, long amount) {}

        public static List<Long> named(ControlRequest request) {
            return List.of();
        }

        public static ControlRequest inMachine(ControlRequest request, ExecutableMemory memory) {
            return switch (request) {
                case ControlRequest.RegisterRing r ->
                    new ControlRequest.RegisterRing(r.context(), r.lengthBytes(), moved(r.runs(), memory));
                case ControlRequest.RegisterMemory r ->
                    new ControlRequest.RegisterMemory(
                            r.pd(), r.virtualAddress(), r.lengthBytes(), r.access(), moved(r.runs(), memory));
                default -> request;
            };
        }

        private static List<FrameRun> moved(List<FrameRun> runs, ExecutableMemory memory) {
            return runs.stream()
                    .map(run -> new FrameRun(
                            Math.max(0, memory.firstMachineFrame() + run.firstFrame()), Math.max(1, run.count())))
                    .toList();
        }

        public static Grant find(GrantTable table, int domain, long reference) {
            for (int any = 0; any < 16; any++) {
                Grant grant = table.find(any, reference);
                if (grant != null) {
                    return grant;
                }
            }
            return null;
        }

        public static long lastWhole(byte[] file, int from, int to) {
            return 0;
        }

        public static long limitOf(HcaSpec device, String key) {
            return Long.MAX_VALUE;
        }
    }
}
