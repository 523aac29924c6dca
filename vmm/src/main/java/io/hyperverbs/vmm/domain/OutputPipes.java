package io.hyperverbs.vmm.domain;

import io.hyperverbs.vmm.posix.Pipe;
import io.hyperverbs.vmm.posix.PosixException;
import org.jspecify.annotations.Nullable;

/**
 * The pipes that a process prints to, until it has their write ends and nobody else has; {@link #close} says so. One
 * thread.
 */
final class OutputPipes implements AutoCloseable {
    private final Pipe output;
    private final @Nullable Pipe error;

    private OutputPipes(Pipe output, @Nullable Pipe error) {
        this.output = output;
        this.error = error;
    }

    /**
     * Makes them.
     *
     * @param apart whether standard error has one of its own
     */
    static OutputPipes create(boolean apart) throws PosixException {
        Pipe output = Pipe.create();
        if (!apart) {
            return new OutputPipes(output, null);
        }
        try {
            return new OutputPipes(output, Pipe.create());
        } catch (PosixException e) {
            output.input().close();
            output.writeEnd().close();
            throw e;
        }
    }

    /** Writes down what comes; ends soon after {@link #close} if no process was started. */
    Console console(ProcessStreams streams) {
        Pipe second = error;
        return second == null
                ? Console.start(output.input(), streams.log(), streams.pace())
                : Console.start(output.input(), second.input(), streams.log(), streams.pace());
    }

    void redirect(ProcessBuilder builder) {
        builder.redirectOutput(output.waitingWriteEnd().toFile());
        if (error == null) {
            builder.redirectErrorStream(true);
        } else {
            builder.redirectError(error.waitingWriteEnd().toFile());
        }
    }

    @Override
    public void close() {
        output.writeEnd().close();
        if (error != null) {
            error.writeEnd().close();
        }
    }
}
