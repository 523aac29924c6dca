package io.hyperverbs.lab.attacks.catalogue;

import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.cases.BackingAttacks;
import io.hyperverbs.lab.attacks.cases.ChannelAttacks;
import io.hyperverbs.lab.attacks.cases.ComputeAttacks;
import io.hyperverbs.lab.attacks.cases.DescriptorAttacks;
import io.hyperverbs.lab.attacks.cases.DoorbellAttacks;
import io.hyperverbs.lab.attacks.cases.EnvelopeAttacks;
import io.hyperverbs.lab.attacks.cases.FloodAttacks;
import io.hyperverbs.lab.attacks.cases.HogAttacks;
import io.hyperverbs.lab.attacks.cases.KeyAttacks;
import io.hyperverbs.lab.attacks.cases.MemoryAttacks;
import io.hyperverbs.lab.attacks.cases.NeighbourAttacks;
import io.hyperverbs.lab.attacks.cases.PeerAttacks;
import io.hyperverbs.lab.attacks.cases.ProcessAttacks;
import io.hyperverbs.lab.attacks.cases.QueueAttacks;
import io.hyperverbs.lab.attacks.cases.RaceAttacks;
import io.hyperverbs.lab.attacks.cases.SandboxAttacks;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** The registry of all attacks. Callable from any thread. */
public final class Isolation {
    private static final List<IsolationCase> ALL = Stream.of(
                    QueueAttacks.cases(),
                    RaceAttacks.cases(),
                    KeyAttacks.cases(),
                    MemoryAttacks.cases(),
                    DoorbellAttacks.cases(),
                    PeerAttacks.cases(),
                    ChannelAttacks.cases(),
                    ProcessAttacks.cases(),
                    NeighbourAttacks.cases(),
                    DescriptorAttacks.cases(),
                    HogAttacks.cases(),
                    SandboxAttacks.cases(),
                    EnvelopeAttacks.cases(),
                    ComputeAttacks.cases(),
                    BackingAttacks.cases(),
                    FloodAttacks.cases())
            .flatMap(Collection::stream)
            .toList();

    private Isolation() {}

    /** Names of all. */
    public static List<String> names() {
        return cases(List.of()).stream().map(IsolationCase::name).toList();
    }

    /** The attacks whose name, group or row is in {@code wanted}; all of them if it is empty. */
    public static List<IsolationCase> cases(Collection<String> wanted) {
        return ALL.stream()
                .filter(one -> wanted.isEmpty()
                        || wanted.contains(one.name())
                        || wanted.contains(one.group())
                        || one.rows().stream().anyMatch(wanted::contains))
                .toList();
    }
}
