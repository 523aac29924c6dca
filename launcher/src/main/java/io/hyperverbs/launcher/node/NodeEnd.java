package io.hyperverbs.launcher.node;

import io.hyperverbs.launcher.machine.RunningMachine;
import java.io.IOException;

/** How a node ends its machine: asked by the operator, by a signal, or because all is over. Any thread. */
final class NodeEnd {
    private final RunningMachine machine;
    private final boolean wellBySignal;
    private volatile boolean asked;
    private volatile boolean finished;

    /**
     * @param wellBySignal whether a signal is how it is to be ended: then it is no failure of the process
     */
    NodeEnd(RunningMachine machine, boolean wellBySignal) {
        this.machine = machine;
        this.wellBySignal = wellBySignal;
    }

    /** Whether the machine's end was asked for. */
    boolean isAsked() {
        return asked;
    }

    /** The operator wants it. */
    void asked() throws IOException, InterruptedException {
        asked = true;
        machine.shutDown();
    }

    /** The main thread is through. */
    void finished() {
        finished = true;
        boolean _ = takeDown();
    }

    /** For a shutdown hook, which runs after an ordinary end too. */
    void terminated() {
        if (finished) {
            return;
        }
        asked = true;
        boolean gone = takeDown();
        if (wellBySignal) {
            // The JVM has no other way to end with a code of our own once a signal has come.
            Runtime.getRuntime().halt(gone ? 0 : 1);
        }
    }

    private boolean takeDown() {
        try {
            machine.shutDown();
            return true;
        } catch (IOException e) {
            System.err.println("hv: cannot remove " + machine.folder().path() + ": " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
