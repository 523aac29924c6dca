package io.hyperverbs.lab.ledger;

import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * What takes minutes to prove, with the sources that it is of. A build runs it at full size if one
 * of them has changed since it held so; else as small as docs/proofs.md says. {@code -Dproofs=all}
 * and {@code -Dproofs=none} decide for all of them.
 */
public enum Proof {
    /** Races over shared memory. */
    RACES(List.of(
            "hca-model/src/main/java/io/hyperverbs/hca/engine",
            "hca-model/src/main/java/io/hyperverbs/hca/layout",
            "tests/races/src/test/java")),
    /** Garbage in all that guests have mapped. */
    SCRIBBLING(List.of(
            "hca-model/src/main/java",
            "lab/attacks/src/main/java/io/hyperverbs/lab/attacks/cases/MemoryAttacks.java",
            "lab/attacks/src/main/java/io/hyperverbs/lab/attacks/cases/QueueAttacks.java",
            "tests/src/test/java/io/hyperverbs/tests/process/ScribbleTest.java")),
    /** What a guest at its quota costs its neighbours. */
    PACE(List.of(
            "backend-domain/src/main/java/io/hyperverbs/backend/budget",
            "backend-domain/src/main/java/io/hyperverbs/backend/channel",
            "hca-model/src/main/java/io/hyperverbs/hca/engine",
            "hca-model/src/main/java/io/hyperverbs/hca/schedule",
            "lab/attacks/src/main/java",
            "lab/run/src/main/java/io/hyperverbs/lab/run/isolate",
            "tests/src/test/java/io/hyperverbs/tests/process/NeighbourPaceTest.java",
            "vmm/src/main/java/io/hyperverbs/vmm/cores")),
    /** What a guest has of its share beside a greedy one. */
    FAIRNESS(List.of(
            "backend-domain/src/main/java/io/hyperverbs/backend/budget",
            "hca-model/src/main/java/io/hyperverbs/hca/engine",
            "hca-model/src/main/java/io/hyperverbs/hca/schedule",
            "lab/attacks/src/main/java/io/hyperverbs/lab/attacks/load",
            "lab/run/src/main/java/io/hyperverbs/lab/run/fairness",
            "tests/src/test/java/io/hyperverbs/tests/process/FairnessTest.java",
            "vmm/src/main/java/io/hyperverbs/vmm/cores")),
    /** Processes that hold nothing more after faults under load. */
    SOAK(List.of(
            "backend-domain/src/main/java/io/hyperverbs/backend/event",
            "backend-domain/src/main/java/io/hyperverbs/backend/session",
            "tests/src/test/java/io/hyperverbs/tests/process/SoakTest.java",
            "vmm/src/main/java/io/hyperverbs/vmm/domain",
            "vmm/src/main/java/io/hyperverbs/vmm/memory")),
    /** Guests killed at random points. */
    KILLS(List.of(
            "backend-domain/src/main/java/io/hyperverbs/backend/session",
            "backend-domain/src/main/java/io/hyperverbs/backend/verbs",
            "tests/src/test/java/io/hyperverbs/tests/process/GuestKillTest.java",
            "tests/src/test/java/io/hyperverbs/tests/process/KillRounds.java",
            "vmm/src/main/java/io/hyperverbs/vmm/domain",
            "vmm/src/main/java/io/hyperverbs/vmm/memory")),
    /** Attacks on sockets in the tier without namespaces, besides those on sandbox and processes. */
    NO_NAMESPACES(List.of(
            "backend-domain/src/main/java/io/hyperverbs/backend/channel",
            "lab/attacks/src/main/java",
            "tests/src/test/java/io/hyperverbs/tests/process/IsolateTest.java",
            "vmm/src/main/java/io/hyperverbs/vmm/posix",
            "vmm/src/main/java/io/hyperverbs/vmm/sandbox")),
    /** Bugs that a walk must find. */
    PLANTED_BUGS(List.of(
            "lab/run/src/main/java/io/hyperverbs/lab/run/inprocess",
            "lab/walk/src/main/java",
            "tests/src/test/java/io/hyperverbs/tests/walk",
            "lab/run/src/main/java/io/hyperverbs/lab/run/walk")),
    /** The contract on each data path, in domains of their own. */
    CONTRACT(List.of(
            "backend-domain/src/main/java/io/hyperverbs/backend/channel",
            "backend-domain/src/main/java/io/hyperverbs/backend/event",
            "backend-domain/src/main/java/io/hyperverbs/backend/forwarded",
            "frontend-guest/src/main/java",
            "lab/conformance/src/main/java",
            "verbs-api/src/main/java",
            "vmm/src/main/java/io/hyperverbs/vmm/io",
            "vmm/src/main/proto"));

    @SuppressWarnings("ImmutableEnumChecker") // Each is a List.of.
    private final List<String> sources;

    Proof(List<String> sources) {
        this.sources = sources;
    }

    List<String> sources() {
        return sources;
    }

    /** Whether this build runs it at full size; says why if so. */
    public boolean isDue() throws IOException {
        List<String> due = Ledger.of(word()).due(sources);
        if (!due.isEmpty()) {
            System.out.println(word() + " at full size, because of " + due);
        }
        return !due.isEmpty();
    }

    /** It ran at full size and held. */
    public void note() throws IOException {
        Ledger.of(word()).note(sources);
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
