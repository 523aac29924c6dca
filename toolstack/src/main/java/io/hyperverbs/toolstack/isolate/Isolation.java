package io.hyperverbs.toolstack.isolate;

import io.hyperverbs.toolstack.isolate.cases.BackingAttacks;
import io.hyperverbs.toolstack.isolate.cases.ChannelAttacks;
import io.hyperverbs.toolstack.isolate.cases.ComputeAttacks;
import io.hyperverbs.toolstack.isolate.cases.DescriptorAttacks;
import io.hyperverbs.toolstack.isolate.cases.DoorbellAttacks;
import io.hyperverbs.toolstack.isolate.cases.EnvelopeAttacks;
import io.hyperverbs.toolstack.isolate.cases.FloodAttacks;
import io.hyperverbs.toolstack.isolate.cases.HogAttacks;
import io.hyperverbs.toolstack.isolate.cases.KeyAttacks;
import io.hyperverbs.toolstack.isolate.cases.MemoryAttacks;
import io.hyperverbs.toolstack.isolate.cases.NeighbourAttacks;
import io.hyperverbs.toolstack.isolate.cases.PeerAttacks;
import io.hyperverbs.toolstack.isolate.cases.ProcessAttacks;
import io.hyperverbs.toolstack.isolate.cases.QueueAttacks;
import io.hyperverbs.toolstack.isolate.cases.RaceAttacks;
import io.hyperverbs.toolstack.isolate.cases.SandboxAttacks;
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
