package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the faults that a topology has for its machine, by a thread of its own, which ends with the last of them.
 * Callable from any thread.
 */
public final class MachineFaults {
    /** More are no schedule that anybody wrote. */
    public static final int MOST = 10_000;

    /** Exit code of a process that SIGKILL ended; that of a native domain, which has none. */
    private static final int KILLED = 137;

    private final Machine machine;
    private final Runnable end;
    private @Nullable FaultSchedule schedule;

    public MachineFaults(Machine machine) {
        this(machine, () -> Runtime.getRuntime().halt(KILLED));
    }

    /**
     * @param end ends this process at once
     */
    MachineFaults(Machine machine, Runnable end) {
        this.machine = machine;
        this.end = end;
    }

    /**
     * Begins a schedule; its times count from now.
     *
     * @throws MachineException EBUSY: there was one already; EINVAL: more than {@link #MOST}, or a time below zero
     */
    public synchronized void begin(List<TimedFault> faults) throws MachineException {
        if (schedule != null) {
            throw new MachineException(VerbsStatus.EBUSY, "the machine has a schedule of faults already");
        }
        if (faults.size() > MOST || faults.stream().anyMatch(fault -> fault.atNanos() < 0)) {
            throw new MachineException(
                    VerbsStatus.EINVAL, "faults are at most " + MOST + ", and not before their schedule begins");
        }
        FaultSchedule begun = new FaultSchedule(faults, this::carryOut);
        schedule = begun;
        long beganNanos = System.nanoTime();
        Thread.ofPlatform().daemon().name("faults").start(() -> run(begun, beganNanos));
    }

    /** How far the schedule is. */
    public synchronized FaultCounts counts() {
        FaultSchedule begun = schedule;
        return begun == null ? FaultCounts.none() : begun.counts();
    }

    private void run(FaultSchedule begun, long beganNanos) {
        try {
            for (long next = begun.nextNanos(); next != FaultSchedule.NEVER; next = begun.nextNanos()) {
                long left = next - (System.nanoTime() - beganNanos);
                while (left > 0) {
                    TimeUnit.NANOSECONDS.sleep(left);
                    left = next - (System.nanoTime() - beganNanos);
                }
                if (machine.isClosing()) {
                    return;
                }
                begun.doWork(System.nanoTime() - beganNanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** As {@link FaultSchedule.Carrier}. */
    void carryOut(TimedFault fault) throws MachineException {
        switch (fault) {
            case TimedFault.SetLink link ->
                new LinkChange(machine.hcas().ends(link.first(), link.second()))
                        .set(link.settings(), LinkChange.ANSWER_MILLIS);
            case TimedFault.Kill kill -> kill(kill.domain());
            case TimedFault.EndHost _ -> end.run();
        }
    }

    private void kill(String name) throws MachineException {
        DomainRecord domain = machine.table().find(name);
        if (domain == null) {
            throw new MachineException(VerbsStatus.ENOENT, "no domain " + name);
        }
        if (machine.table().stateOf(domain).ended()) {
            throw new MachineException(VerbsStatus.ENOENT, "domain " + name + " has ended already");
        }
        machine.end(domain, VerbsStatus.EIO, "killed, as the topology's faults say", KILLED);
    }
}
