package io.hyperverbs.lab.run.calls;

import io.hyperverbs.backend.session.QuotaKind;
import io.hyperverbs.lab.bench.CallProgram;
import io.hyperverbs.lab.bench.CallRound;
import io.hyperverbs.lab.bench.CallSequence;
import io.hyperverbs.lab.run.bench.StoreCommands;
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

/** Rounds in a machine whose domains run {@link CallProgram}, and of floors beside it. */
public final class MachineCalls implements CallSites {
    /** Beside what is registered, rings have to fit. */
    private static final long SPARE_BYTES = 16L << 20;

    /** Who measures how fast verbs are must not be held to a rate of them. */
    private static final Map<String, Long> WITHOUT_RATE =
            Map.of(QuotaKind.CONTROL_RATE.key(), 100_000_000L, QuotaKind.JOURNAL.key(), 1L << 40);

    private static final String NEW_GUEST = "new";

    private final CallPlan plan;
    private final StoreCommands commands;
    private final Floors floors;

    public MachineCalls(CallPlan plan, StoreCommands commands, Floors floors) {
        this.plan = plan;
        this.commands = commands;
        this.floors = floors;
    }

    /** The domains of the sites, and guests that are not used before their round. */
    public static Topology topology(CallPlan plan, String name) {
        List<Guest> guests = new ArrayList<>();
        for (CallSite site : sites(plan)) {
            guests.add(guest(plan, site, site.domain(), arguments(plan, site)));
            if (plan.bench() == CallBench.CONN) {
                guests.add(guest(
                        plan,
                        site,
                        site.peer(),
                        CallProgram.ANSWER,
                        site.dataPath().name()));
            }
        }
        for (int i = 0; i < plan.newGuests(); i++) {
            guests.add(Guest.named(NEW_GUEST + i).withQuota(WITHOUT_RATE).running(CallProgram.class.getName(), "0"));
        }
        return new Topology(
                name,
                HcaSpec.standard(),
                guests,
                List.of(),
                "hv bench " + plan.bench().word());
    }

    private static Guest guest(CallPlan plan, CallSite site, String name, String... arguments) {
        Guest guest = Guest.named(name)
                .withMemory(memoryBytes(plan))
                .withQuota(WITHOUT_RATE)
                .withPostedEvents(site != CallSite.FORWARDED)
                .running(CallProgram.class.getName(), arguments);
        if (site == CallSite.NATIVE) {
            return guest.asNative();
        }
        boolean forwards = plan.bench() == CallBench.CONN && site == CallSite.FORWARDED;
        return forwards ? guest.onPath(site.word()) : guest;
    }

    private static String[] arguments(CallPlan plan, CallSite site) {
        return switch (plan.bench()) {
            case REG -> new String[] {Integer.toString(plan.largestBytes())};
            case EVENTS -> new String[] {CallProgram.EVENTS};
            case CONN ->
                new String[] {CallProgram.CONNECT, site.peer(), site.dataPath().name()};
        };
    }

    private static List<CallSite> sites(CallPlan plan) {
        return plan.bench().sites().stream().filter(CallSite::isOfMachine).toList();
    }

    /** In MiB, as guests have it. */
    private static long memoryBytes(CallPlan plan) {
        long wanted = (plan.bench() == CallBench.REG ? plan.largestBytes() : 0) + SPARE_BYTES;
        return Math.max(Guest.STANDARD_MEMORY_BYTES, wanted + (-wanted & ((1 << 20) - 1)));
    }

    private static List<String> domains(CallPlan plan) {
        List<String> names =
                new ArrayList<>(sites(plan).stream().map(CallSite::domain).toList());
        if (plan.bench() == CallBench.CONN) {
            sites(plan).forEach(site -> names.add(site.peer()));
        }
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
        Floor floor = site.floor();
        if (floor != null) {
            return floors.measure(new FloorCell(floor, 0), terms.iterations(), terms.warmUp(), terms.millis());
        }
        String domain = cell.sequence() == CallSequence.FIRST ? NEW_GUEST + round : site.domain();
        CallRound command =
                new CallRound(cell.sequence(), cell.bytes(), terms.iterations(), terms.warmUp(), terms.millis());
        commands.give(domain, command.format());
        return commands.samples(domain);
    }

    /** Ends the programs. */
    public void end() throws HvException {
        for (String domain : domains(plan)) {
            commands.end(domain);
        }
    }
}
