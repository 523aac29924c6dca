package io.hyperverbs.vmm.envelope;

import io.hyperverbs.vmm.posix.Seccomp;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a sandbox tier with the control groups that were found promises of a guest, and what it does
 * not. Immutable.
 */
public final class Promises {
    private static final long MIB = 1L << 20;
    private static final String NONE = "no sandbox";

    /** How one is kept, or why it is not. */
    private record Line(boolean kept, String how) {}

    private final Map<Promise, Line> lines = new EnumMap<>(Promise.class);
    private final SandboxTier tier;
    private final GroupsFound groups;
    private final boolean refusesSockets;

    private Promises(SandboxTier tier, GroupsFound groups, boolean filter) {
        this.tier = tier;
        this.groups = groups;
        this.refusesSockets = filter && tier == SandboxTier.FILES;
    }

    /**
     * Of one machine.
     *
     * @param ownCore whether the HCA's engine has a core to itself
     */
    public static Promises of(SandboxTier tier, GroupsFound groups, boolean ownCore) {
        return of(tier, groups, ownCore, Seccomp.AVAILABLE);
    }

    /** The same on a processor whose system calls can be filtered, wherever this is asked. */
    public static Promises ofKnownProcessor(SandboxTier tier, GroupsFound groups, boolean ownCore) {
        return of(tier, groups, ownCore, true);
    }

    /**
     * The same for another processor.
     *
     * @param filter whether its system calls can be filtered
     */
    static Promises of(SandboxTier tier, GroupsFound groups, boolean ownCore, boolean filter) {
        Promises promises = new Promises(tier, groups, filter);
        promises.walls(filter && tier != SandboxTier.NONE);
        promises.memory();
        promises.processes();
        promises.processor();
        promises.core(ownCore, filter && tier != SandboxTier.NONE);
        return promises;
    }

    private void walls(boolean filter) {
        switch (tier) {
            case ROOT, USER -> {
                kept(Promise.OTHERS, "not seen");
                kept(Promise.FILES, "what it runs is read-only, all else is not there");
                kept(Promise.NETWORK, "none");
                kept(Promise.DISK, "files in memory, 64 MiB for each of its two folders");
            }
            case FILES -> {
                kept(Promise.OTHERS, "numbers of processes are seen, nothing is reached");
                kept(Promise.FILES, "what it runs can be read, nothing be written");
                kept(Promise.NETWORK, filter ? "no new socket, those of its begin alone" : "its own sockets alone");
                kept(Promise.DISK, "its program opens no file for writing");
            }
            case NONE ->
                List.of(Promise.OTHERS, Promise.FILES, Promise.NETWORK, Promise.DISK)
                        .forEach(one -> not(one, NONE));
        }
        if (filter) {
            kept(Promise.CALLS, "a filter refuses those that guests do not need");
        } else {
            not(Promise.CALLS, tier == SandboxTier.NONE ? NONE : "no filter on this processor");
        }
    }

    private void memory() {
        groups.by(Controller.MEMORY)
                .ifPresentOrElse(
                        by -> kept(
                                Promise.MEMORY,
                                "at most "
                                        + GuestLimits.MEMORY_BYTES / MIB
                                        + " MiB beside its RAM, page tables and the"
                                        + " kernel's other memory included, by "
                                        + by),
                        () -> not(
                                Promise.MEMORY,
                                "private data of its process has a limit; page tables and"
                                        + " the kernel's other memory have none"));
    }

    private void processes() {
        String most = "at most " + GuestLimits.PROCESSES;
        if (groups.has(Controller.PIDS)) {
            kept(Promise.PROCESSES, most + ", by " + groups.by(Controller.PIDS).orElseThrow());
        } else if (tier.hasNamespaces()) {
            kept(Promise.PROCESSES, most + " for its user");
        } else if (tier == SandboxTier.FILES) {
            kept(Promise.PROCESSES, most + ", counted twice a second");
        } else {
            not(Promise.PROCESSES, NONE);
        }
    }

    private void processor() {
        groups.by(Controller.CPU)
                .ifPresentOrElse(
                        by -> kept(Promise.PROCESSOR, "by weight, whatever it computes, by " + by),
                        () -> not(Promise.PROCESSOR, "who has more threads gets more"));
    }

    private void core(boolean own, boolean filter) {
        if (!own) {
            not(Promise.ENGINE_CORE, "programs share it (hca.core: shared, or one core)");
        } else if (groups.has(Controller.CPUSET)) {
            kept(
                    Promise.ENGINE_CORE,
                    "out of reach, by " + groups.by(Controller.CPUSET).orElseThrow());
        } else if (filter) {
            kept(Promise.ENGINE_CORE, "out of reach, by affinity that a guest cannot change");
        } else {
            not(Promise.ENGINE_CORE, "a guest can change its affinity");
        }
    }

    private void kept(Promise promise, String how) {
        lines.put(promise, new Line(true, how));
    }

    private void not(Promise promise, String why) {
        lines.put(promise, new Line(false, why));
    }

    private Line line(Promise promise) {
        Line line = lines.get(promise);
        if (line == null) {
            throw new IllegalStateException("nothing is said of " + promise);
        }
        return line;
    }

    public boolean keeps(Promise promise) {
        return line(promise).kept();
    }

    /**
     * Whether a guest can make no socket at all; where it can, it reaches nothing by one but what
     * is its own.
     */
    public boolean refusesSockets() {
        return refusesSockets;
    }

    /** How it is kept, or why it is not. */
    public String how(Promise promise) {
        return line(promise).how();
    }

    /** Such as {@code memory, processor share}; empty if none is (not) kept. */
    public String list(boolean kept) {
        return Arrays.stream(Promise.values())
                .filter(one -> keeps(one) == kept)
                .map(Promise::what)
                .collect(Collectors.joining(", "));
    }

    /** For the line that names the tier: what the control groups add, or that there are none. */
    public String summary() {
        String none = "memory and processor share are not promised";
        boolean memory = groups.has(Controller.MEMORY);
        boolean processor = groups.has(Controller.CPU);
        if (!memory && !processor) {
            return none;
        }
        String by = groups.by(Controller.MEMORY, Controller.CPU).orElseThrow();
        if (memory && processor) {
            return "memory and processor by " + by;
        }
        return memory
                ? "memory by " + by + ", processor share is not promised"
                : "processor by " + by + ", memory is not promised";
    }
}
