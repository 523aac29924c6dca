package io.hyperverbs.tests.fuzz;

import java.util.Locale;

/** All targets, by name. */
enum FuzzKind {
    WQE,
    PACKET,
    RING,
    RANGE,
    CHANNEL,
    EXECUTABLE,
    HYPERCALL,
    TOPOLOGY,
    JOURNAL;

    /** Its name on command lines, and its corpus's folder. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static FuzzKind of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    FuzzTarget target() {
        return switch (this) {
            case WQE -> new WqeTarget();
            case PACKET -> new PacketTarget();
            case RING -> new RingTarget();
            case RANGE -> new RangeTarget();
            case CHANNEL -> new DeviceChannelTarget();
            case EXECUTABLE -> new ExecutableTarget();
            case HYPERCALL -> new HypercallTarget();
            case TOPOLOGY -> new TopologyTarget();
            case JOURNAL -> new JournalTarget();
        };
    }

    /** Plays one input against a new target. */
    void play(byte[] bytes) {
        target().play(new Input(bytes));
    }
}
