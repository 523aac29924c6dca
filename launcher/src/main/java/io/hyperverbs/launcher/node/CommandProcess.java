package io.hyperverbs.launcher.node;

import com.google.protobuf.ByteString;
import io.grpc.stub.ServerCallStreamObserver;
import io.hyperverbs.launcher.node.wire.CommandOutput;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Function;

/**
 * A command of {@code hv} that runs for the operator, as a process of its own. What it prints is sent as it comes; while
 * the operator takes no more, the command's pipe fills and it waits.
 */
final class CommandProcess {
    private static final int CHUNK_BYTES = 32 << 10;

    private final Process process;
    private final ServerCallStreamObserver<CommandOutput> operator;
    private boolean cancelled;

    CommandProcess(Process process, ServerCallStreamObserver<CommandOutput> operator) {
        this.process = process;
        this.operator = operator;
    }

    /** The operator waits no more: the command takes back what it began, as after Ctrl-C. Any thread. */
    synchronized void cancel() {
        cancelled = true;
        process.destroy();
        notifyAll();
    }

    /** The operator may have room again. Any thread. */
    synchronized void ready() {
        notifyAll();
    }

    /** Returns when the command has ended and the operator has its exit code. */
    void follow() throws InterruptedException {
        Thread errors = Thread.ofVirtual()
                .start(() -> send(
                        process.getErrorStream(),
                        bytes -> CommandOutput.newBuilder().setErr(bytes).build()));
        send(
                process.getInputStream(),
                bytes -> CommandOutput.newBuilder().setOut(bytes).build());
        errors.join();
        int exit = process.waitFor();
        put(CommandOutput.newBuilder().setExitCode(exit).build());
        synchronized (this) {
            if (!cancelled) {
                operator.onCompleted();
            }
        }
    }

    private void send(InputStream from, Function<ByteString, CommandOutput> message) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (from) {
            int length = from.read(chunk);
            while (length >= 0) {
                put(message.apply(ByteString.copyFrom(Arrays.copyOf(chunk, length))));
                length = from.read(chunk);
            }
        } catch (IOException e) {
            // The process is gone, and its pipe with it.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void put(CommandOutput output) throws InterruptedException {
        while (!cancelled && !operator.isReady()) {
            wait();
        }
        if (!cancelled) {
            operator.onNext(output);
        }
    }
}
