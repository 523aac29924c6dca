package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.Failures;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.control.MachineReport;
import io.hyperverbs.vmm.domain.MachineException;
import io.hyperverbs.vmm.domain.ProcessEnd;
import io.hyperverbs.vmm.envelope.Promises;
import io.hyperverbs.vmm.sandbox.SandboxTier;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/** A running topology, seen from the toolstack. Closing lets go of it; it runs on. */
public final class RunningMachine implements AutoCloseable {
    /** Domains get a second to end; then they are killed. */
    private static final Duration END = Duration.ofSeconds(20);

    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE / 2);

    private final MachineFolder folder;
    private final MachineClient client;
    private final ProcessHandle vmm;
    private final OutputStream input;
    private boolean down;

    private RunningMachine(MachineFolder folder, MachineClient client, ProcessHandle vmm, OutputStream input) {
        this.folder = folder;
        this.client = client;
        this.vmm = vmm;
        this.input = input;
    }

    /**
     * Connects to the topology in {@code folder}.
     *
     * @throws HvException NOT_FOUND if its VMM does not run
     */
    public static RunningMachine attach(MachineFolder folder) throws HvException {
        return attach(folder, OutputStream.nullOutputStream());
    }

    /**
     * Connects to a topology that this process started.
     *
     * @param input standard input of its VMM
     */
    static RunningMachine attach(MachineFolder folder, OutputStream input) throws HvException {
        try {
            Optional<ProcessHandle> vmm = folder.vmm();
            if (vmm.isEmpty()) {
                throw new HvException(
                        ExitCode.NOT_FOUND, "topology " + folder.name() + " is not running", "hv up starts one");
            }
            return new RunningMachine(folder, MachineClient.connect(folder.vmmSocket()), vmm.get(), input);
        } catch (MachineException e) {
            throw Failures.of(e);
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot read " + folder.path() + ": " + e, "");
        }
    }

    public MachineFolder folder() {
        return folder;
    }

    public MachineClient client() {
        return client;
    }

    /** Which engines it keeps programs away from. */
    public EnginePlan engines() throws HvException {
        try {
            return EnginePlan.read(client);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /** What it promises of its guests. */
    public Promises promises() throws HvException {
        try {
            MachineReport status = client.status();
            return Promises.of(
                    SandboxTier.of(status.sandboxTier()).orElse(SandboxTier.NONE),
                    status.groups(),
                    EnginePlan.read(client).isDedicated()
                            && Runtime.getRuntime().availableProcessors() > 1);
        } catch (MachineException e) {
            throw Failures.of(e);
        }
    }

    /**
     * Ends all domains and the VMM and removes the state folder. Ends them by force if they do not
     * answer. Doing it twice does nothing.
     */
    public synchronized void shutDown() throws IOException, InterruptedException {
        if (down) {
            return;
        }
        down = true;
        try {
            client.shutdown();
        } catch (MachineException e) {
            // It does not answer: the domains die with it.
            vmm.destroy();
        }
        // Its JVM would wait 300 ms for the thread that reads this.
        input.close();
        awaitEnd();
        folder.delete();
    }

    private void awaitEnd() throws InterruptedException {
        if (!ProcessEnd.await(vmm, END)) {
            vmm.destroyForcibly();
            awaitExit();
        }
    }

    /** Whether the VMM lives. */
    public boolean isAlive() {
        return !ProcessEnd.hasEnded(vmm);
    }

    /** Waits until the VMM has ended. */
    public void awaitExit() throws InterruptedException {
        boolean _ = ProcessEnd.await(vmm, FOR_EVER);
    }

    @Override
    public void close() {
        client.close();
    }
}
