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
    private final long originMillis;
    private final LongSupplier clock;
    private long begunMillis;
    private long vmmMillis;

    /**
     * @param shown what shows the progress
     * @param originMillis when this process began, milliseconds since the epoch; times count from then
     * @param clock milliseconds since the epoch
     */
    StartTimeline(Progress shown, long originMillis, LongSupplier clock) {
        this.shown = shown;
        this.originMillis = originMillis;
        this.clock = clock;
    }

    /** Of this process, by this computer's clock. */
    static StartTimeline ofThisProcess(Progress shown) {
        long now = System.currentTimeMillis();
        long age = 0;
        try {
            String uptime = Files.readString(Path.of("/proc/uptime"));
            age = ProcessStat.of(ProcessHandle.current().pid()).ageMillis(uptime);
        } catch (IOException e) {
            // Without /proc its time starts here.
        }
        return new StartTimeline(shown, now - age, System::currentTimeMillis);
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
            lines(machine.client().status().domains()).forEach(context::note);
        } catch (MachineException e) {
            context.note("no times of the start: " + e.getMessage());
        }
    }

    /** The timeline in lines, seconds from the start of this process: of it, the VMM, each domain. */
    List<String> lines(List<DomainReport> domains) {
        Table table =
                new Table("hv.start/1", "domains", "DOMAIN", "BEGUN", "ANNOUNCED", "PROCESS", "CONNECTED", "READY");
        table.row("hv", seconds(originMillis), null, null, null, seconds(begunMillis));
        table.row("VMM", seconds(begunMillis), null, null, null, seconds(vmmMillis));
        for (DomainReport domain : domains) {
            StartTimes start = domain.start();
            table.row(
                    domain.name(),
                    seconds(domain.startedEpochMillis()),
                    seconds(start.announcedMillis()),
                    seconds(start.processMillis()),
                    seconds(start.connectedMillis()),
                    seconds(start.readyMillis()));
        }
        return table.render(Format.TABLE).lines().toList();
    }

    private @Nullable String seconds(long millis) {
        return millis == 0 ? null : String.format(Locale.ROOT, "%.2f", (millis - originMillis) / 1e3);
    }
}
