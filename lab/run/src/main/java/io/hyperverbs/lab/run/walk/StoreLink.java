package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.agent.WalkAgent;
import io.hyperverbs.lab.walk.model.HcaFacts;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.DomainAnswers;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import java.time.Duration;

/** Bursts by way of the machine's store, numbered; {@link WalkAgent} is at the other end. */
public final class StoreLink implements AgentLink {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final MachineClient client;
    private final DomainAnswers answers;
    private final String domain;
    private int number;

    public StoreLink(MachineClient client, String domain) {
        this.client = client;
        this.answers = new DomainAnswers(client, PATIENCE);
        this.domain = domain;
    }

    /** Waits for the agent to be there. */
    public HcaFacts hello() throws HvException {
        return HcaFacts.parse(read());
    }

    /** Has the agent close all and end. */
    public void end() throws HvException {
        write(WalkAgent.END);
    }

    @Override
    public String name() {
        return domain;
    }

    @Override
    public String exchange(String burst) throws HvException {
        write(burst);
        return read();
    }

    private void write(String burst) throws HvException {
        String key = "domain/tool/" + WalkAgent.KEY + domain + "/";
        try {
            if (number > 0) {
                client.storeRemove(key + number);
            }
            client.storeWrite(key + ++number, burst);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    private String read() throws HvException {
        return answers.await(domain, WalkAgent.KEY + number);
    }
}
