package io.hyperverbs.lab.run.bench;

import io.hyperverbs.lab.bench.BenchProgram;
import io.hyperverbs.lab.bench.BenchRound;
import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.control.MachineClient;
import java.util.List;

/**
 * Runs rounds in a machine whose domains run {@link BenchProgram}, through the store. Only the
 * domains of a round do anything; all others wait in the store.
 */
public final class StoreRounds implements Rounds {
    private final DomainCommands commands;

    public StoreRounds(MachineClient client) {
        this.commands = new DomainCommands(client);
    }

    /** Waits until the domains of these paths have connected. */
    public void awaitReady(List<MeasuredPath> paths) throws HvException {
        for (MeasuredPath path : paths) {
            commands.awaitReady(path.active());
            commands.awaitReady(path.passive());
        }
    }

    @Override
    public long[] run(MeasuredPath path, Cell cell, int iterations, int warmUp, int millis) throws HvException {
        boolean answered = cell.verb() == BenchVerb.SEND;
        if (answered) {
            // The passive side has to be up before the first message comes.
            int number = command(path, cell, false, iterations, warmUp, millis);
            commands.awaitArmed(path.passive(), number);
        }
        int _ = command(path, cell, true, iterations, warmUp, millis);
        long[] nanos = commands.samples(path.active());
        if (answered) {
            String _ = commands.answer(path.passive());
        }
        return nanos;
    }

    /** Ends the programs. */
    public void end(List<MeasuredPath> paths) throws HvException {
        for (MeasuredPath path : paths) {
            commands.end(path.active());
            commands.end(path.passive());
        }
    }

    private int command(MeasuredPath path, Cell cell, boolean active, int iterations, int warmUp, int millis)
            throws HvException {
        BenchRound command =
                new BenchRound(active, path.dataPath(), cell.verb(), cell.sizeBytes(), iterations, warmUp, millis);
        return commands.give(active ? path.active() : path.passive(), command.format());
    }
}
