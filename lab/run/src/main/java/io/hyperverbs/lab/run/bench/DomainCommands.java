package io.hyperverbs.lab.run.bench;

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
 * Commands to programs of the bench in a machine's domains, through the store, and their samples. A domain without a
 * command waits in the store. One thread.
 */
public final class DomainCommands {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TOOL = "domain/tool/";
    private static final int ENDED = -1;

    private final MachineClient client;
    private final DomainAnswers answers;

    /** Number of the last command of each domain. */
    private final Map<String, Integer> numbers = new HashMap<>();

    public DomainCommands(MachineClient client) {
        this.client = client;
        this.answers = new DomainAnswers(client, PATIENCE);
    }

    /** Waits until a domain's program takes commands. */
    public void awaitReady(String domain) throws HvException {
        String _ = answers.await(domain, "bench/ready");
    }

    /** Gives a command and removes the one before; returns its number. */
    public int give(String domain, String line) throws HvException {
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

    /** Waits until a domain is ready to answer its peer, as command {@code number} says. */
    public void awaitArmed(String domain, int number) throws HvException {
        String _ = answers.await(domain, "bench/" + number + "/armed");
    }

    /** What the last command of a domain has measured, in nanoseconds. */
    public long[] samples(String domain) throws HvException {
        String[] words = answer(domain).split(" ", -1);
        int count = Integer.parseInt(words[1]);
        int chunkCount = Integer.parseInt(words[2]);
        List<String> chunks = new ArrayList<>();
        chunks.add(words[3]);
        for (int i = 1; i < chunkCount; i++) {
            int _ = give(domain, "chunk " + i);
            chunks.add(answer(domain).split(" ", -1)[1]);
        }
        return SampleCodec.decode(chunks, count);
    }

    /**
     * The answer to a domain's last command.
     *
     * @throws HvException FAILURE with its words if it failed
     */
    public String answer(String domain) throws HvException {
        String answer = answers.await(domain, "bench/" + numbers.getOrDefault(domain, 0));
        if (!answer.startsWith("ok")) {
            throw new HvException(ExitCode.FAILURE, "domain " + domain + ": " + answer, "hv bench -v shows more");
        }
        return answer;
    }

    /** Ends a domain's program, if it has not been ended. */
    public void end(String domain) throws HvException {
        if (numbers.getOrDefault(domain, 0) != ENDED) {
            int _ = give(domain, "end");
            numbers.put(domain, ENDED);
        }
    }
}
