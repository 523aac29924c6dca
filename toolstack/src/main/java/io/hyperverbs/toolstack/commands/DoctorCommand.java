package io.hyperverbs.toolstack.commands;

import io.hyperverbs.frontend.executable.ExecutableEnvironment;
import io.hyperverbs.lab.run.bench.Environment;
import io.hyperverbs.lab.run.bench.HopProbe;
import io.hyperverbs.lab.run.bench.HopState;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.StartCache;
import io.hyperverbs.launcher.machine.StateRoot;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.topology.Units;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.envelope.GroupsFound;
import io.hyperverbs.vmm.envelope.Promise;
import io.hyperverbs.vmm.envelope.Promises;
import io.hyperverbs.vmm.posix.Landlock;
import io.hyperverbs.vmm.posix.TunDevice;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import io.hyperverbs.vmm.sandbox.SandboxReport;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import picocli.CommandLine.Command;

/** {@code hv doctor}. */
@Command(
        name = "doctor",
        description = "Looks at this computer and says what works; paste it into reports of bugs. Ends"
                + " with 1 if something that is needed is missing.",
        footer = {"  hv doctor", "  hv doctor --format json"})
public final class DoctorCommand extends HvCommand {
    private static final int PROBE_MILLIS = 50;
    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
    private static final Path USER_NAMESPACES = Path.of("/proc/sys/user/max_user_namespaces");

    private static final Path SYSTEMD = Path.of("/run/systemd/system");
    private static final Pattern KILOBYTES = Pattern.compile("([0-9]{1,15}) kB");

    private final Table table = new Table("hv.doctor/1", "findings", "WHAT", "VERDICT", "FOUND");
    private boolean missing;

    public DoctorCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Environment here = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        note("java", here.jdk() + " in " + System.getProperty("java.home"));
        add(
                "compiler",
                ToolProvider.getSystemJavaCompiler() == null ? "warn" : "ok",
                ToolProvider.getSystemJavaCompiler() == null ? "none: hv run takes no .java files" : "there");
        add("cores", here.cores() >= 2 ? "ok" : "warn", cores(here.cores(), online(), here.cpu()));
        note("start caches", startCaches());
        note("memory", size(here.memory()));
        note("kernel", here.kernel());
        sandbox(here);
        hop();
        note("halt poll", here.haltPollNanos() + " ns");
        memfd();
        state();
        note("commit", here.commit());
        context().print(table);
        return (missing ? ExitCode.FAILURE : ExitCode.OK).number();
    }

    private void sandbox(Environment here) throws IOException {
        SandboxReport report = SandboxProbe.probe();
        add("sandbox", report.tier() == SandboxTier.NONE ? "missing" : "ok", report.summary());
        report.reasons().forEach(reason -> note("sandbox tried", reason));
        executables(report.tier());
        mpi(report.tier());
        addresses(report.tier());
        promises(report.tier(), here.cores() > 1);
        if (Files.isReadable(USER_NAMESPACES)) {
            note("user namespaces", Files.readString(USER_NAMESPACES).strip() + " at most");
        }
    }

    /** What there is, and what this process is held from, as by taskset or the service that started it. */
    static String cores(int usable, int online, String cpu) {
        String use =
                usable >= 2 ? "engines of HCAs have " + usable / 2 + " of them at most" : "program and HCA share it";
        String held = online > usable
                ? "; the computer has " + online + ", taskset -cp 0-" + (online - 1) + " $$ lets the shell use them"
                : "";
        return usable + " (" + cpu + "); " + use + held;
    }

    private static int online() throws IOException {
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            return (int) lines.filter(line -> line.startsWith("processor")).count();
        }
    }

    /** Whether hv exec runs programs that are linked with libibverbs. */
    private void executables(SandboxTier tier) {
        String why;
        if (!tier.hasNamespaces()) {
            why = "a sandbox without namespaces runs none";
        } else if (!installation().isBuilt("libibverbs.so.1")) {
            why = "no libibverbs: it was built without a C compiler or infiniband/verbs.h";
        } else if (ExecutableEnvironment.allocator().isEmpty()) {
            why = "no " + ExecutableEnvironment.ALLOCATOR + ": they register mappings, but no memory of malloc";
        } else if (Landlock.abi() < Landlock.ABI_SCOPES) {
            why = "they can end each other and their guest: Landlock knows no signals before Linux 6.12";
        } else {
            note("executables", "hv exec runs programs that are linked with libibverbs");
            return;
        }
        add("executables", "warn", why);
    }

    /** Whether hv mpirun runs programs of some MPI. */
    private void mpi(SandboxTier tier) {
        if (!tier.hasNamespaces()) {
            add("mpi", "warn", "a sandbox without namespaces runs none");
        } else if (!installation().isBuilt(MpiKind.SHELL)) {
            add("mpi", "warn", "no " + MpiKind.SHELL + ": it was built without a C compiler or infiniband/verbs.h");
        } else {
            MpiFound found = MpiFound.in(Path.of("/usr"));
            add("mpi", found.works() ? "ok" : "warn", found.words());
        }
    }

    /** Whether guests may have ip in their topology. */
    private void addresses(SandboxTier tier) {
        if (!tier.hasNamespaces()) {
            add("ip", "warn", "guests get no addresses: a sandbox without namespaces has no network of its own");
        } else if (!TunDevice.isHere()) {
            add("ip", "warn", "guests get no addresses: no " + TunDevice.FILE + " that this user can open");
        } else {
            note("ip", "guests may have addresses, whose packets go over verbs");
        }
    }

    private static Installation installation() {
        return new Installation(Path.of(System.getProperty("hv.home", ".")));
    }

    /** What guests of a machine that is started here are kept from. */
    private void promises(SandboxTier tier, boolean ownCore) {
        GroupsFound.Search search = GroupsFound.search();
        search.missing().forEach((controller, why) -> note("cgroup " + controller.word(), "none: " + why));
        Promises promises = Promises.of(tier, search.found(), ownCore);
        for (Promise one : Promise.values()) {
            add("promise: " + one.what(), promises.keeps(one) ? "kept" : "not promised", promises.how(one));
        }
        boolean all = promises.keeps(Promise.MEMORY) && promises.keeps(Promise.PROCESSOR);
        if (!all && Files.isDirectory(SYSTEMD)) {
            note("to promise more", "systemd-run --user --scope -p Delegate=yes hv ...");
        }
    }

    /** Such as {@code 23.5GiB}, of what the kernel counts in kB. */
    static String size(String kilobytes) {
        Matcher matcher = KILOBYTES.matcher(kilobytes);
        return matcher.matches() ? Units.formatBytes(Long.parseLong(matcher.group(1)) << 10) : kilobytes;
    }

    private void hop() throws InterruptedException {
        double nanos = HopProbe.measureNanos(PROBE_MILLIS);
        HopState state = HopState.of(nanos);
        add(
                "core hop",
                state == HopState.SHARED ? "warn" : "ok",
                String.format(Locale.ROOT, "%.0f ns, %s", nanos, state.word()));
    }

    private void memfd() {
        SealedMemory.Verdict verdict = SealedMemory.probe();
        add("sealed memory", verdict.works() ? "ok" : "missing", verdict.words());
    }

    private void state() throws IOException {
        StateRoot root = StateRoot.of(context().environment().environment());
        Path parent = root.path().getParent();
        boolean usable = parent != null && Files.isWritable(parent);
        add(
                "state folder",
                usable ? "ok" : "missing",
                root.path()
                        + (usable ? "" : ": cannot be made")
                        + ", "
                        + root.running().size()
                        + " running");
    }

    private static String startCaches() {
        Path home = Path.of(System.getProperty("hv.home", "."));
        String missing = Arrays.stream(StartCache.values())
                .filter(cache -> !cache.isMade(home))
                .map(cache -> cache.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        return missing.isEmpty() ? "all made" : "none of " + missing + ": slower starts";
    }

    private void note(String what, String found) {
        add(what, "ok", found);
    }

    private void add(String what, String verdict, String found) {
        missing |= verdict.equals("missing");
        table.row(what, verdict, found);
    }
}
