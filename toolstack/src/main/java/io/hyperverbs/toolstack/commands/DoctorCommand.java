package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.bench.Environment;
import io.hyperverbs.toolstack.bench.HopProbe;
import io.hyperverbs.toolstack.bench.HopState;
import io.hyperverbs.toolstack.cli.Desk;
import io.hyperverbs.toolstack.cli.ExitCode;
import io.hyperverbs.toolstack.cli.Table;
import io.hyperverbs.toolstack.machine.StartCache;
import io.hyperverbs.toolstack.machine.StateRoot;
import io.hyperverbs.vmm.sandbox.SandboxProbe;
import io.hyperverbs.vmm.sandbox.SandboxReport;
import io.hyperverbs.vmm.sandbox.SandboxTier;

import picocli.CommandLine.Command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import javax.tools.ToolProvider;

/** {@code hv doctor}. */
@Command(
        name = "doctor",
        description =
                "Looks at this computer and says what works; paste it into reports of bugs. Ends"
                        + " with 1 if something that is needed is missing.",
        footer = {"  hv doctor", "  hv doctor --format json"})
public final class DoctorCommand extends HvCommand {
    private static final int PROBE_MILLIS = 50;
    private static final Path USER_NAMESPACES = Path.of("/proc/sys/user/max_user_namespaces");

    private final Table table = new Table("hv.doctor/1", "findings", "WHAT", "VERDICT", "FOUND");
    private boolean missing;

    public DoctorCommand(Desk desk) {
        super(desk);
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Environment here = Environment.here(Path.of(System.getProperty("hv.home", ".")));
        note("java", here.jdk() + " in " + System.getProperty("java.home"));
        add(
                "compiler",
                ToolProvider.getSystemJavaCompiler() == null ? "warn" : "ok",
                ToolProvider.getSystemJavaCompiler() == null
                        ? "none: hv run takes no .java files"
                        : "there");
        add(
                "cores",
                here.cores() >= 2 ? "ok" : "warn",
                here.cores()
                        + " ("
                        + here.cpu()
                        + ")"
                        + (here.cores() >= 2 ? "" : "; program and HCA share it"));
        note("start caches", startCaches());
        note("memory", here.memory());
        note("kernel", here.kernel());
        sandbox();
        hop();
        note("halt poll", here.haltPollNanos() + " ns");
        memfd();
        state();
        note("commit", here.commit());
        desk().print(table);
        return (missing ? ExitCode.FAILURE : ExitCode.OK).number();
    }

    private void sandbox() throws IOException {
        SandboxReport report = SandboxProbe.probe();
        add("sandbox", report.tier() == SandboxTier.NONE ? "missing" : "ok", report.summary());
        report.reasons().forEach(reason -> note("sandbox tried", reason));
        if (Files.isReadable(USER_NAMESPACES)) {
            note("user namespaces", Files.readString(USER_NAMESPACES).strip() + " at most");
        }
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
        StateRoot root = StateRoot.of(desk().surroundings().environment());
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
        String missing =
                Arrays.stream(StartCache.values())
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
