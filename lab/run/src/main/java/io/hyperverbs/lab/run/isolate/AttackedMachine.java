package io.hyperverbs.lab.run.isolate;

import io.hyperverbs.lab.attacks.AttackReport;
import io.hyperverbs.lab.attacks.Neighbours;
import io.hyperverbs.launcher.context.HcaDescription;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.context.Inventory;
import io.hyperverbs.launcher.context.Resources;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.MachineLauncher;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.DomainKind;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.envelope.Promises;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Three victims with traffic, the device domain and the HCA: what an attack must leave alone. And
 * the attackers, as far as they are started, heard and ended.
 */
public final class AttackedMachine {
    /** Names of attackers begin with it. */
    public static final String ATTACKER = "mallory";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration STEP = Duration.ofMillis(10);

    private final MachineLauncher launcher;
    private final RunningMachine machine;
    private final Duration limit;
    private final Victims victims;
    private final int pkey;
    private @Nullable Stopwatch stopwatch;

    private AttackedMachine(MachineLauncher launcher, RunningMachine machine, Duration limit) throws HvException {
        this.launcher = launcher;
        this.machine = machine;
        this.limit = limit;
        this.victims = new Victims(machine.client());
        this.pkey = firstPkey(machine.client());
    }

    /**
     * Starts the victims side by side and waits until all have traffic.
     *
     * @param limit how long one attack may take
     */
    public static AttackedMachine start(MachineLauncher launcher, RunningMachine machine, Duration limit)
            throws HvException, InterruptedException {
        return start(launcher, machine, limit, 0);
    }

    /**
     * The same with victims that work.
     *
     * @param loadPercent of what all of them make at full speed
     */
    public static AttackedMachine start(
            MachineLauncher launcher, RunningMachine machine, Duration limit, int loadPercent)
            throws HvException, InterruptedException {
        AttackedMachine attacked = new AttackedMachine(launcher, machine, limit);
        attacked.victims.start(attacked::add, loadPercent);
        attacked.introduce();
        return attacked;
    }

    private static int firstPkey(MachineClient client) throws HvException {
        try {
            HcaView head = HcaView.read(client, "", List.of());
            return HcaDescription.of(head).ports().getFirst().pkey();
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** Tells attackers who is there. */
    private void introduce() throws HvException {
        MachineReport status = status();
        SequencedMap<String, Long> pids = new LinkedHashMap<>();
        pids.put("vmm", status.vmmPid());
        status.domains().forEach(domain -> pids.put(domain.name(), domain.pid()));
        try {
            machine.client()
                    .storeWrite(
                            "domain/tool/" + Neighbours.KEY,
                            new Neighbours(machine.folder().path(), pids).format());
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** Starts one more guest that runs {@code program}, in the first partition of its HCA alone. */
    public DomainReport add(String name, Program program) throws HvException {
        return launcher.add(machine, Guest.named(name).withPkeys(List.of(pkey)), Optional.of(program));
    }

    /**
     * A judge for an attack that has moments. The first one starts the stopwatch: before anything
     * is compared with how it was.
     *
     * @param duration how long an attacker may be stopped
     */
    PaceWatch watch(Duration duration) throws HvException {
        Stopwatch running = stopwatch;
        if (running == null) {
            running = Stopwatch.start(this, machine.client());
            stopwatch = running;
        }
        return new PaceWatch(machine.client(), running, trusted().getLast().heap(), duration);
    }

    /** What was counted of an attacker's misdeeds so far. */
    Traces traces(String attacker) throws HvException {
        try {
            return Traces.read(machine.client(), attacker);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** Whether an attacker has said its word about its n-th attack, or has ended. */
    boolean isOver(String attacker, int attack) throws HvException {
        try {
            return hasEnded(attacker)
                    || machine.client()
                            .storeRead(path(attacker, AttackReport.key(attack)), Duration.ZERO)
                            .isPresent();
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** Tier of the sandbox that attackers and victims are in. */
    public String tier() throws HvException {
        return status().sandboxTier();
    }

    /** What this machine promises of its guests. */
    public Promises promises() throws HvException {
        return machine.promises();
    }

    /** How things are now, to compare later. */
    public Baseline baseline() throws HvException {
        return new Baseline(resources(), footprint());
    }

    /** What an attacker says of its n-th attack; empty if it ends or takes too long instead. */
    Optional<AttackReport> said(String attacker, int attack) throws HvException {
        long end = System.nanoTime() + limit.toNanos();
        String path = path(attacker, AttackReport.key(attack));
        try {
            while (System.nanoTime() - end < 0) {
                boolean ended = hasEnded(attacker);
                // Looked at after the state: what it said before it ended counts.
                Optional<String> said = machine.client().storeRead(path, ended ? Duration.ZERO : LOOK);
                if (said.isPresent() || ended) {
                    return said.map(AttackReport::parse);
                }
            }
            return Optional.empty();
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** What an attacker has printed of an attack, if it could not tell it any more. */
    Optional<AttackReport> printed(String attacker, String attack) {
        try (Stream<String> lines = Files.lines(machine.folder().log(attacker))) {
            String start = attack + ": ";
            return lines.filter(line -> line.startsWith(start))
                    .map(line -> AttackReport.parse(line.substring(start.length())))
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return Optional.empty();
        }
    }

    /** Ends an attacker, if it has not ended; how it ended, in words. */
    Optional<String> end(String attacker) throws HvException {
        try {
            DomainReport report = machine.client().stopDomain(attacker, LOOK);
            return Optional.of("ended with " + report.exitCode() + " " + report.message());
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** Ends an attacker that waits after its last attack; how it ended, in words. */
    Optional<String> dismiss(String attacker, int attack) throws HvException {
        goOn(attacker, attack);
        Optional<String> end = end(attacker);
        try {
            machine.client().storeRemove("domain/tool/" + AttackReport.goOn(attacker, attack));
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        return end;
    }

    /**
     * How a guest's death went.
     *
     * @param millis until the HCA had what it had before
     * @param wrong what is not as it was, or null
     */
    public record Death(long millis, @Nullable String wrong) {}

    /** Kills a guest. */
    public Death kill(DomainReport guest, Baseline before) throws HvException, InterruptedException {
        long start = System.nanoTime();
        if (!ProcessHandle.of(guest.pid()).map(ProcessHandle::destroyForcibly).orElse(false)) {
            return new Death(0, guest.name() + " was not there to be killed");
        }
        String left = leftovers(before.resources());
        long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
        return new Death(millis, left == null ? harm(before) : left);
    }

    /**
     * Rounds a second that all victims together make at full speed. They must have been started
     * with a load.
     */
    public long peakPerSecond() throws HvException {
        return victims.peakPerSecond();
    }

    /** Rounds that all victims together have made. */
    public long rounds() throws HvException {
        return victims.rounds();
    }

    /** The trusted processes. */
    public List<Trusted> trusted() throws HvException {
        MachineReport status = status();
        long backend = status.domains().stream()
                .filter(domain -> domain.kind() == DomainKind.BACKEND)
                .mapToLong(DomainReport::pid)
                .findFirst()
                .orElseThrow(() -> new HvException(ExitCode.FAILURE, "no device domain", ""));
        return List.of(
                new Trusted("VMM", status.vmmPid(), machine.folder().vmmLog()),
                new Trusted("device domain", backend, machine.folder().log("backend")));
    }

    /** Lets an attacker go on after its n-th attack. */
    public void goOn(String attacker, int attack) throws HvException {
        try {
            machine.client().storeWrite("domain/tool/" + AttackReport.goOn(attacker, attack), "");
            if (attack > 0) {
                // Keys of one name are bounded.
                machine.client().storeRemove("domain/tool/" + AttackReport.goOn(attacker, attack - 1));
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** What an attack has done to others, or null if nothing. */
    public @Nullable String harm(Baseline before) throws HvException, InterruptedException {
        try {
            for (DomainReport domain : machine.client().status().domains()) {
                if (!domain.name().startsWith(ATTACKER) && domain.state().ended()) {
                    return domain.name() + " ended: " + domain.message();
                }
            }
        } catch (MachineException e) {
            return "the VMM does not answer: " + e.getMessage();
        }
        String complaint = victims.complaint();
        if (complaint != null) {
            return complaint;
        }
        String excess = footprint().excess(before.footprint());
        return excess == null ? leftovers(before.resources()) : excess;
    }

    private @Nullable String leftovers(String before) throws HvException, InterruptedException {
        String now = resources();
        for (long waited = 0; !now.equals(before); waited += STEP.toMillis()) {
            if (waited > PATIENCE.toMillis()) {
                return "objects on the HCA stay: " + now.replaceAll("\\s+", " ");
            }
            Thread.sleep(STEP.toMillis());
            now = resources();
        }
        return null;
    }

    private String resources() throws HvException {
        try {
            MachineClient client = machine.client();
            return Resources.summary(new Inventory(
                            HcaView.read(client), "hv0", client.status().domains(), client::describeSession))
                    .render(Format.JSON);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private Footprint footprint() throws HvException {
        List<Trusted> trusted = trusted();
        List<Path> written = new ArrayList<>(List.of(machine.folder().path().resolve("journal")));
        trusted.forEach(process -> written.add(process.log()));
        return Footprint.of(trusted.stream().map(Trusted::pid).toList(), written);
    }

    private MachineReport status() throws HvException {
        try {
            return machine.client().status();
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private boolean hasEnded(String name) throws HvException {
        return status().domains().stream()
                .noneMatch(
                        domain -> domain.name().equals(name) && !domain.state().ended());
    }

    private static String path(String domain, String key) {
        return "domain/" + domain + "/" + key;
    }
}
