package io.hyperverbs.lab.run.bench;

import io.hyperverbs.lab.bench.CommandLoop;
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

/** Commands to domains that run a {@link CommandLoop}, through the store of their machine. One thread. */
public final class StoreCommands {
    private static final String TOOL = "domain/tool/";
    private static final int ENDED = -1;

    private final MachineClient client;
    private final DomainAnswers answers;

    /** Number of the last command of each domain. */
    private final Map<String, Integer> numbers = new HashMap<>();

    /** @param patience how long a command may take */
    public StoreCommands(MachineClient client, Duration patience) {
        this.client = client;
        this.answers = new DomainAnswers(client, patience);
    }

    /** Waits until the domains of these paths take commands. */
    public void awaitReady(List<MeasuredPath> paths) throws HvException {
        for (MeasuredPath path : paths) {
            awaitReady(path.active());
            awaitReady(path.passive());
        }
    }

    /** Waits until a domain's program takes commands. */
    public void awaitReady(String domain) throws HvException {
        answers.await(domain, "bench/ready");
    }

    /** Gives a command and removes the one before. */
    public void give(String domain, String line) throws HvException {
        int number = numbers.merge(domain, 1, Integer::sum);
        try {
            client.storeWrite(TOOL + "bench/" + domain + "/" + number, line);
            if (number > 1) {
                client.storeRemove(TOOL + "bench/" + domain + "/" + (number - 1));
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** Waits until the domain says that it is ready to answer its peer. */
    void awaitArmed(String domain) throws HvException {
        answers.await(domain, "bench/" + numbers.getOrDefault(domain, 0) + "/armed");
    }

    /** Waits for the answer to the last command, whatever it is. */
    public String awaitAnswer(String domain) throws HvException {
        return answers.await(domain, "bench/" + numbers.getOrDefault(domain, 0));
    }

    /** The words of the answer to the last command, {@code ok} first. */
    public String[] answer(String domain) throws HvException {
        String answer = awaitAnswer(domain);
        if (!answer.startsWith("ok")) {
            throw new HvException(ExitCode.FAILURE, "domain " + domain + ": " + answer, "hv bench -v shows more");
        }
        return answer.split(" ", -1);
    }

    /** The samples that answer the last command; they are asked for in chunks. */
    public long[] samples(String domain) throws HvException {
        String[] words = answer(domain);
        int count = Integer.parseInt(words[1]);
        int chunkCount = Integer.parseInt(words[2]);
        List<String> chunks = new ArrayList<>();
        chunks.add(words[3]);
        for (int i = 1; i < chunkCount; i++) {
            give(domain, "chunk " + i);
            chunks.add(answer(domain)[1]);
        }
        return SampleCodec.decode(chunks, count);
    }

    /** Ends the programs of these paths. */
    public void end(List<MeasuredPath> paths) throws HvException {
        for (MeasuredPath path : paths) {
            end(path.active());
            end(path.passive());
        }
    }

    /** Ends a domain's program, if it has not been ended. */
    public void end(String domain) throws HvException {
        if (numbers.getOrDefault(domain, 0) != ENDED) {
            give(domain, "end");
            numbers.put(domain, ENDED);
        }
    }
}
