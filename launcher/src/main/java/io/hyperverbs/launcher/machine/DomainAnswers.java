package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;
import java.util.Optional;

/** What the programs of domains write into the machine's store, for a tool that waits for it. */
public final class DomainAnswers {
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final MachineClient client;
    private final Duration patience;

    /**
     * @param patience how long an answer may take
     */
    public DomainAnswers(MachineClient client, Duration patience) {
        this.client = client;
        this.patience = patience;
    }

    /** Waits for a domain's key; notices when the domain has ended instead. */
    public String await(String domain, String key) throws HvException {
        String path = "domain/" + domain + "/" + key;
        try {
            // By the clock: the store does not wait for a domain that has ended.
            long endNanos = System.nanoTime() + patience.toNanos();
            while (System.nanoTime() - endNanos < 0) {
                Optional<String> answer = client.storeRead(path, LOOK);
                if (answer.isPresent()) {
                    return answer.get();
                }
                checkAlive(domain);
            }
        } catch (MachineException e) {
            throw Failures.of(e);
        }
        throw new HvException(
                ExitCode.TIMEOUT, "domain " + domain + " did not answer within " + patience.toSeconds() + " s", "");
    }

    private void checkAlive(String domain) throws MachineException, HvException {
        for (var report : client.status().domains()) {
            if (report.name().equals(domain) && report.state().ended()) {
                throw new HvException(
                        ExitCode.FAILURE,
                        "domain " + domain + " ended with " + report.exitCode() + " " + report.message(),
                        "");
            }
        }
    }
}
