package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Units;
import io.hyperverbs.vmm.domain.Executables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Which guests the ranks of an MPI program run in.
 *
 * @param byGuest how many run in each, by name, in the order in which guests get them; none has 0
 */
record MpiRanks(Map<String, Integer> byGuest) {
    /** With less UCX cannot register its pools, and tries without end. */
    private static final long LEAST_MEMORY_BYTES = 128L << 20;

    /** A guest and its room for executables. */
    record Room(String guest, Executables executables) {}

    /**
     * Spreads ranks evenly; the first guests get one more.
     *
     * @throws HvException CONFLICT if they do not fit
     */
    static MpiRanks place(int ranks, List<Room> rooms) throws HvException {
        for (Room room : rooms) {
            long memory = room.executables.memoryBytes();
            if (memory < LEAST_MEMORY_BYTES) {
                throw new HvException(
                        ExitCode.CONFLICT,
                        "an executable in " + room.guest + " has " + Units.formatBytes(memory)
                                + " of memory, MPI needs " + Units.formatBytes(LEAST_MEMORY_BYTES),
                        "executables: {memory: " + Units.formatBytes(LEAST_MEMORY_BYTES) + "} in its topology");
            }
        }
        int places = rooms.stream().mapToInt(room -> room.executables.count()).sum();
        if (ranks > places) {
            throw new HvException(
                    ExitCode.CONFLICT,
                    ranks + " ranks, but there is room for " + places + ": "
                            + rooms.stream()
                                    .map(room -> room.guest + " " + room.executables.count())
                                    .collect(Collectors.joining(", ")),
                    "executables: {count: N} in the topology makes more");
        }
        Map<String, Integer> byGuest = new LinkedHashMap<>();
        List<Room> open = new ArrayList<>(rooms);
        for (int placed = 0; placed < ranks; ) {
            open.removeIf(room -> byGuest.getOrDefault(room.guest, 0) >= room.executables.count());
            for (Room room : open.subList(0, Math.min(open.size(), ranks - placed))) {
                byGuest.merge(room.guest, 1, Integer::sum);
                placed++;
            }
        }
        return new MpiRanks(byGuest);
    }

    /** Guests with ranks; mpirun itself runs in the first. */
    List<String> guests() {
        return List.copyOf(byGuest.keySet());
    }

    /** As mpirun takes it: {@code a:2,b:2}. */
    String hosts() {
        return byGuest.entrySet().stream()
                .map(one -> one.getKey() + ":" + one.getValue())
                .collect(Collectors.joining(","));
    }

    int count() {
        return byGuest.values().stream().mapToInt(Integer::intValue).sum();
    }
}
