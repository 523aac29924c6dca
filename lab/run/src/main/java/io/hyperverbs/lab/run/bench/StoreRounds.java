package io.hyperverbs.lab.run.bench;

import io.hyperverbs.lab.bench.BenchProgram;
import io.hyperverbs.lab.bench.BenchRound;
import io.hyperverbs.lab.bench.BenchVerb;
import io.hyperverbs.lab.bench.SampleCodec;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.DomainAnswers;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs rounds in a machine whose domains run {@link BenchProgram}, through the store. Only the
 * domains of a round do anything; all others wait in the store.
 */
public final class StoreRounds implements Rounds {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOOL = "domain/tool/";

    private final MachineClient client;
    private final DomainAnswers answers;

    /** Number of the last command of each domain. */
    private final Map<String, Integer> numbers = new HashMap<>();

    public StoreRounds(MachineClient client) {
        this.client = client;
        this.answers = new DomainAnswers(client, PATIENCE);
    }

    /** Waits until the domains of these paths have connected. */
    public void awaitReady(List<MeasuredPath> paths) throws HvException {
        for (MeasuredPath path : paths) {
            for (String domain : List.of(path.active(), path.passive())) {
                answers.await(domain, "bench/ready");
            }
        }
    }

    @Override
    public long[] run(MeasuredPath path, Cell cell, int iterations, int warmUp, int millis) throws HvException {
        boolean answered = cell.verb() == BenchVerb.SEND;
        if (answered) {
            // The passive side has to be up before the first message comes.
            int number = command(path, cell, false, iterations, warmUp, millis);
            answers.await(path.passive(), "bench/" + number + "/armed");
        }
        command(path, cell, true, iterations, warmUp, millis);
        long[] nanos = samples(path.active());
        if (answered) {
            answer(path.passive());
        }
        return nanos;
    }

    /** Ends the programs. */
    public void end(List<MeasuredPath> paths) throws HvException {
        for (MeasuredPath path : paths) {
            for (String domain : List.of(path.active(), path.passive())) {
                if (numbers.getOrDefault(domain, 0) >= 0) {
                    command(domain, "end");
                    numbers.put(domain, -1);
                }
            }
        }
    }

    private int command(MeasuredPath path, Cell cell, boolean active, int iterations, int warmUp, int millis)
            throws HvException {
        BenchRound command =
                new BenchRound(active, path.dataPath(), cell.verb(), cell.sizeBytes(), iterations, warmUp, millis);
        return command(active ? path.active() : path.passive(), command.format());
    }

    /** Gives a command and removes the one before; returns its number. */
    private int command(String domain, String line) throws HvException {
        int number = numbers.merge(domain, 1, Integer::sum);
        try {
            client.storeWrite(TOOL + "bench/" + domain + "/" + number, line);
            if (number > 1) {
                client.storeRemove(TOOL + "bench/" + domain + "/" + (number - 1));
            }
            return number;
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private long[] samples(String domain) throws HvException {
        String[] words = answer(domain).split(" ", -1);
        int count = Integer.parseInt(words[1]);
        int chunkCount = Integer.parseInt(words[2]);
        List<String> chunks = new ArrayList<>();
        chunks.add(words[3]);
        for (int i = 1; i < chunkCount; i++) {
            command(domain, "chunk " + i);
            chunks.add(answer(domain).split(" ", -1)[1]);
        }
        return SampleCodec.decode(chunks, count);
    }

    private String answer(String domain) throws HvException {
        String answer = answers.await(domain, "bench/" + numbers.getOrDefault(domain, 0));
        if (!answer.startsWith("ok")) {
            throw new HvException(ExitCode.FAILURE, "domain " + domain + ": " + answer, "hv bench -v shows more");
        }
        return answer;
    }
}
