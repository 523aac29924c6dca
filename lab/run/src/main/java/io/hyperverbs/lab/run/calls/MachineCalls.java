package io.hyperverbs.lab.run.calls;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.lab.bench.CallProgram;
import io.hyperverbs.lab.bench.CallRound;
import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.bench.DomainCommands;
import io.hyperverbs.lab.run.floor.Floor;
import io.hyperverbs.lab.run.floor.FloorCell;
import io.hyperverbs.lab.run.floor.Floors;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.HcaSpec;
import io.hyperverbs.launcher.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Rounds in a machine whose domains run {@link CallProgram}, and of a floor beside it. */
public final class MachineCalls implements CallSites {
    /** Beside what is registered, rings have to fit. */
    private static final long SPARE_BYTES = 16L << 20;

    /** Who measures how fast verbs are must not be held to a rate of them. */
    private static final Map<String, Long> WITHOUT_RATE =
            Map.of(QuotaKind.CONTROL_RATE.key(), 100_000_000L, QuotaKind.JOURNAL.key(), 1L << 40);

    private static final String NEW_GUEST = "new";

    private final CallPlan plan;
    private final DomainCommands commands;
    private final Floors floors;

    public MachineCalls(CallPlan plan, DomainCommands commands, Floors floors) {
        this.plan = plan;
        this.commands = commands;
        this.floors = floors;
    }

    /** A native domain, a guest, and guests that are not used before their round. */
    public static Topology topology(CallPlan plan, String name) {
        List<Guest> guests = new ArrayList<>();
        for (String domain : domains(plan)) {
            Guest guest = Guest.named(domain)
                    .withMemory(Guest.STANDARD_MEMORY_BYTES)
                    .withQuota(WITHOUT_RATE)
                    .running(CallProgram.class.getName(), Integer.toString(plan.largestBytes()));
            boolean isNew = domain.startsWith(NEW_GUEST);
            guest = isNew ? guest.running(CallProgram.class.getName(), "0") : guest.withMemory(memoryBytes(plan));
            guests.add(domain.equals(CallSite.NATIVE.domain()) ? guest.asNative() : guest);
        }
        return new Topology(name, HcaSpec.standard(), guests, List.of(), "hv bench reg");
    }

    /** In MiB, as guests have it. */
    private static long memoryBytes(CallPlan plan) {
        long wanted = plan.largestBytes() + SPARE_BYTES;
        return Math.max(Guest.STANDARD_MEMORY_BYTES, wanted + (-wanted & ((1 << 20) - 1)));
    }

    private static List<String> domains(CallPlan plan) {
        List<String> names = new ArrayList<>(List.of(CallSite.NATIVE.domain(), CallSite.BYPASS.domain()));
        for (int i = 0; i < plan.newGuests(); i++) {
            names.add(NEW_GUEST + i);
        }
        return names;
    }

    /** Waits until all programs take commands. */
    public void awaitReady() throws HvException {
        for (String domain : domains(plan)) {
            commands.awaitReady(domain);
        }
    }

    @Override
    public long[] run(CallSite site, CallCell cell, int round, CallTerms terms)
            throws HvException, InterruptedException {
        if (!site.isOfMachine()) {
            return floors.measure(new FloorCell(Floor.CALL, 0), terms.iterations(), terms.warmUp(), terms.millis());
        }
        String domain = cell.sequence() == CallSequence.FIRST ? NEW_GUEST + round : site.domain();
        CallRound command =
                new CallRound(cell.sequence(), cell.bytes(), terms.iterations(), terms.warmUp(), terms.millis());
        int _ = commands.give(domain, command.format());
        return commands.samples(domain);
    }

    /** Ends the programs. */
    public void end() throws HvException {
        for (String domain : domains(plan)) {
            commands.end(domain);
        }
    }
}
