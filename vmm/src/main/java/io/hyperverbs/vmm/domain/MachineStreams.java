package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.posix.InputPipe;

/** What goes into the standard input of a machine's domains, and what comes out of them. Callable from any thread. */
public final class MachineStreams {
    private final Machine machine;

    public MachineStreams(Machine machine) {
        this.machine = machine;
    }

    /**
     * What feeds the standard input of a guest that was started for it.
     *
     * @throws MachineException ENOENT; EINVAL: not started for it
     */
    public InputPipe input(String name) throws MachineException {
        InputPipe input = machine.find(name).input;
        if (input == null) {
            throw new MachineException(VerbsStatus.EINVAL, "domain " + name + " was not started for input");
        }
        return input;
    }

    /**
     * Waits until what a domain printed before this call is in its log, and the verbs that it noted in its verb log; at
     * once for one without a process of its own, which writes its log itself.
     *
     * @return false after {@code millis}, or twice that where both are late
     * @throws MachineException ENOENT; EINTR
     */
    public boolean awaitWritten(String name, long millis) throws MachineException {
        DomainRecord domain = machine.find(name);
        DomainProcess process = domain.process;
        Console verbs = domain.verbs;
        try {
            return (process == null || process.awaitWritten(millis)) && (verbs == null || verbs.awaitWritten(millis));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MachineException(VerbsStatus.EINTR, "interrupted");
        }
    }
}
