package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.cases.ChannelFlood.Kind;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Floods of the control channel across reconnects, and requests that cost much. */
public final class FloodAttacks {
    /** Long enough that what is allowed at once is the smaller part of what would be taken. */
    private static final Duration LEAST = Duration.ofSeconds(2);

    private static final Duration MOST = Duration.ofSeconds(20);
    private static final long BETWEEN_NANOS = 50_000_000;

    // What the budget allows at once and in a second, and as much again for what is on its way.
    private static final long CONNECTIONS_AT_ONCE = 2 * 32;
    private static final long CONNECTIONS_PER_SECOND = 2 * 10;
    private static final long CALLS_AT_ONCE = 2 * 256;
    private static final long CALLS_PER_SECOND = 2 * 50;

    /** The longest answer to a call that comes to nothing, with resets and settings. */
    private static final long ANSWER_BYTES = 400;

    private static final int RUNS = 1024;

    private FloodAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                flood("bad-path", "calls methods that there are not", Kind.BAD_PATH),
                flood("compressed", "says that its messages are compressed", Kind.COMPRESSED),
                flood("after-end", "goes on with streams after their end", Kind.AFTER_END),
                flood("reconnects", "connects again and again", Kind.RECONNECTS),
                new IsolationCase(
                        "floods.wide-registrations",
                        "M7",
                        "registers one page in 1024 runs and in 5000",
                        "hostile guests let at 71781d9",
                        "device domain, VMM",
                        "EINVAL beyond 1024 runs, EAGAIN for their weight",
                        FloodAttacks::wideRegistrations));
    }

    private static IsolationCase flood(String name, String does, Kind kind) {
        return new IsolationCase(
                "floods." + name,
                "M6",
                does + ", as fast as it can, on one connection after the other",
                "hostile guests let at 71781d9",
                "device domain",
                "within the budget of the domain; its own session goes on",
                context -> flood(context, kind));
    }

    private static String flood(AttackContext context, Kind kind) throws IOException, Breach, VerbsException {
        long lastsNanos = Math.clamp(context.duration().toNanos(), LEAST.toNanos(), MOST.toNanos());
        long begin = System.nanoTime();
        long refused = 0;
        String seen;
        try (ChannelFlood flood = ChannelFlood.begin(kind)) {
            while (System.nanoTime() - begin < lastsNanos) {
                try {
                    flood.step();
                } catch (IOException full) {
                    // The backlog of a domain that pauses.
                    refused++;
                    LockSupport.parkNanos(BETWEEN_NANOS);
                }
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            seen = flood.connections()
                    + " connections, "
                    + flood.served()
                    + " served, "
                    + flood.sentCalls()
                    + " calls, "
                    + flood.answeredBytes()
                    + " bytes answered, "
                    + refused
                    + " refused";
            Breach.unless(flood.connections() > 1, "never closed: " + seen);
            Breach.unless(flood.served() <= CONNECTIONS_AT_ONCE + CONNECTIONS_PER_SECOND * seconds, seen);
            Breach.unless(flood.answeredBytes() <= ANSWER_BYTES * (CALLS_AT_ONCE + CALLS_PER_SECOND * seconds), seen);
        }
        OwnSession.expectServed(context, "a flood");
        return seen + ", session goes on";
    }

    private static String wideRegistrations(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        long pd = device.pd();
        Facts facts = new Facts();
        Set<VerbsStatus> refused = EnumSet.of(VerbsStatus.EINVAL, VerbsStatus.EAGAIN, VerbsStatus.EFAULT);
        for (int i = 0; i < 2000; i++) {
            ControlRequest request = new ControlRequest.RegisterMemory(
                    pd, 0, (long) RUNS * FrameRun.FRAME_BYTES, 1, scattered(i % 100 == 0 ? 5 * RUNS - 120 : RUNS));
            facts.count(device.status(request), refused, "a region in many runs");
        }
        Breach.unless(facts.of(VerbsStatus.EINVAL) > 0, "5000 runs were looked at");
        Breach.unless(facts.of(VerbsStatus.EAGAIN) > 0, "2000 wide requests cost no more than narrow ones");
        OwnSession.expectServed(context, "wide requests");
        return facts.toString();
    }

    private static List<FrameRun> scattered(int runs) {
        List<FrameRun> list = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            list.add(new FrameRun(2L * i, 1));
        }
        return list;
    }
}
