package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.output.Format;
import io.hyperverbs.launcher.output.Table;
import io.hyperverbs.launcher.progress.Progress;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.ProcessStat;
import io.hyperverbs.vmm.domain.StartTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of a start goes, for {@code -v}: shows the progress of a start on, and notes when
 * it has come how far.
 */
final class StartTimeline implements Progress {
    private final Progress shown;
    private final LongSupplier clock;
    private long begunMillis;
    private long vmmMillis;

    /**
     * @param shown what shows the progress
     * @param clock milliseconds since the epoch
     */
    StartTimeline(Progress shown, LongSupplier clock) {
        this.shown = shown;
        this.clock = clock;
    }

    /** By this computer's clock. */
    static StartTimeline start(Progress shown) {
        return new StartTimeline(shown, System::currentTimeMillis);
    }

    @Override
    public void begin(String task, long steps) {
        begunMillis = clock.getAsLong();
        shown.begin(task, steps);
    }

    @Override
    public void step(String what) {
        // The first is the VMM's.
        vmmMillis = vmmMillis == 0 ? clock.getAsLong() : vmmMillis;
        shown.step(what);
    }

    @Override
    public void close() {
        shown.close();
    }

    /** Says where the time went, with {@code -v}. A machine that cannot be asked runs on all the same. */
    void note(CommandContext context, RunningMachine machine) {
        if (!context.options().verbose()) {
            return;
        }
        try {
            context.note("seconds since hv began, until each had come so far:");
            lines(originMillis(), machine.client().status().domains()).forEach(context::note);
        } catch (MachineException | IOException e) {
            context.note("no times of the start: " + e.getMessage());
        }
    }

    /** When this process began, milliseconds since the epoch. */
    private long originMillis() throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime"));
        long age = ProcessStat.of(ProcessHandle.current().pid()).ageMillis(uptime);
        return clock.getAsLong() - age;
    }

    /**
     * The timeline in lines: of this process, the VMM, each domain.
     *
     * @param originMillis since the epoch; seconds count from then
     */
    List<String> lines(long originMillis, List<DomainReport> domains) {
        Table table =
                new Table("hv.start/1", "domains", "DOMAIN", "BEGUN", "PROCESS", "ANNOUNCED", "CONNECTED", "READY");
        table.row("hv", seconds(originMillis, originMillis), null, null, null, seconds(originMillis, begunMillis));
        table.row("VMM", seconds(originMillis, begunMillis), null, null, null, seconds(originMillis, vmmMillis));
        for (DomainReport domain : domains) {
            StartTimes start = domain.start();
            table.row(
                    domain.name(),
                    seconds(originMillis, domain.startedEpochMillis()),
                    seconds(originMillis, start.processMillis()),
                    seconds(originMillis, start.announcedMillis()),
                    seconds(originMillis, start.connectedMillis()),
                    seconds(originMillis, start.readyMillis()));
        }
        return table.render(Format.TABLE).lines().toList();
    }

    private static @Nullable String seconds(long originMillis, long millis) {
        return millis == 0 ? null : String.format(Locale.ROOT, "%.2f", (millis - originMillis) / 1e3);
    }
}
