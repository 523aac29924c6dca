package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.machine.LogTail;
import io.hyperverbs.launcher.machine.RunningMachine;
import io.hyperverbs.launcher.topology.Guest;
import io.hyperverbs.launcher.topology.Topology;
import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.domain.DomainReport;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows the consoles of all guests of a machine, each line with the guest's name before it. */
final class Consoles {
    private static final long LOOK_MILLIS = 100;
    private static final long ENDING_MILLIS = 2_000;

    /** Whether all have ended is asked less often than what they wrote. */
    private static final int LOOKS_PER_STATUS = 5;

    private final CommandContext context;
    private final RunningMachine machine;
    private final Map<String, LogTail> tails = new LinkedHashMap<>();
    private final Map<String, ByteArrayOutputStream> unfinished = new LinkedHashMap<>();
    private final LostHcas lost;
    private final boolean raw;
    private final int width;

    Consoles(CommandContext context, RunningMachine machine, Topology topology, boolean raw) {
        this.context = context;
        this.machine = machine;
        this.raw = raw;
        this.lost = new LostHcas(context);
        for (Guest guest : topology.guests()) {
            tails.put(guest.name(), new LogTail(machine.folder().log(guest.name()), 0));
            unfinished.put(guest.name(), new ByteArrayOutputStream());
        }
        width = tails.keySet().stream().mapToInt(String::length).max().orElse(1);
    }

    /** Returns when all guests have ended, with the first exit code that is not 0. */
    int follow() throws InterruptedException, IOException {
        for (int look = 1; ; look++) {
            boolean asked = look % LOOKS_PER_STATUS == 0;
            int exit = asked ? exitOfAll() : -1;
            copy();
            if (exit >= 0) {
                showUnfinished();
                return exit;
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private void copy() throws IOException {
        for (Map.Entry<String, LogTail> tail : tails.entrySet()) {
            ByteArrayOutputStream bytes = unfinished.get(tail.getKey());
            if (bytes == null || tail.getValue().copy(bytes) == 0) {
                continue;
            }
            byte[] all = bytes.toByteArray();
            bytes.reset();
            int shown = showLines(tail.getKey(), all);
            bytes.write(all, shown, all.length - shown);
        }
    }

    private void showUnfinished() throws IOException {
        for (Map.Entry<String, ByteArrayOutputStream> last : unfinished.entrySet()) {
            if (last.getValue().size() > 0) {
                last.getValue().write('\n');
                int _ = showLines(last.getKey(), last.getValue().toByteArray());
            }
        }
    }

    /** Shows the whole lines among these bytes; returns where the unfinished one begins. */
    private int showLines(String guest, byte[] bytes) throws IOException {
        byte[] before = (guest + " ".repeat(width - guest.length()) + " | ").getBytes(StandardCharsets.UTF_8);
        int begin = 0;
        for (int at = 0; at < bytes.length; at++) {
            if (bytes[at] == '\n') {
                // A character that is cut by the end of its line is shown in that line.
                try (OutputStream line = context.guestOut(raw)) {
                    line.write(before);
                    line.write(bytes, begin, at - begin);
                }
                context.print("");
                begin = at + 1;
            }
        }
        return begin;
    }

    /** -1 while one lives. */
    private int exitOfAll() throws InterruptedException {
        try {
            int exit = 0;
            List<DomainReport> domains = machine.client().status().domains();
            lost.look(domains);
            for (DomainReport domain : domains) {
                if (!tails.containsKey(domain.name())) {
                    continue;
                }
                if (!domain.state().ended()) {
                    return -1;
                }
                exit = exit == 0 ? domain.exitCode() : exit;
            }
            return exit;
        } catch (MachineException e) {
            // Ctrl-C reaches the VMM too; then this process ends before it complains.
            Thread.sleep(ENDING_MILLIS);
            context.note("the machine is gone: " + e.getMessage());
            return ExitCode.FAILURE.number();
        }
    }
}
