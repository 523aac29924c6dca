package io.hyperverbs.launcher.node;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.launcher.node.wire.CommandLine;
import io.hyperverbs.launcher.node.wire.CommandOutput;
import io.hyperverbs.launcher.node.wire.DownReply;
import io.hyperverbs.launcher.node.wire.DownRequest;
import io.hyperverbs.launcher.node.wire.NodeGrpc.NodeImplBase;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Answers the operator about one machine. Any thread. */
final class NodeService extends NodeImplBase {
    /** Commands that are about a machine that runs. All others start one, or need none. */
    static final List<String> COMMANDS =
            List.of("ps", "inspect", "logs", "run", "devinfo", "rdma", "trace", "journal", "port", "link");

    /** Takes down a machine. */
    interface Ending {
        void down() throws IOException, InterruptedException;
    }

    private final String machine;
    private final String hv;
    private final Map<String, String> environment;
    private final Ending ending;

    /**
     * @param machine name of the machine here
     * @param hv path of the script that runs a command
     * @param environment of commands, over that of this process
     */
    NodeService(String machine, String hv, Map<String, String> environment, Ending ending) {
        this.machine = machine;
        this.hv = hv;
        this.environment = Map.copyOf(environment);
        this.ending = ending;
    }

    @Override
    public void run(CommandLine line, StreamObserver<CommandOutput> observer) {
        String command = line.getWordsCount() == 0 ? "" : line.getWords(0);
        if (!COMMANDS.contains(command)) {
            observer.onError(Status.INVALID_ARGUMENT
                    .withDescription("no command for a host: '" + command + "'")
                    .asRuntimeException());
            return;
        }
        ServerCallStreamObserver<CommandOutput> operator = (ServerCallStreamObserver<CommandOutput>) observer;
        try {
            WorkFolder work = WorkFolder.make();
            CommandProcess process;
            try {
                ProgramFiles.unpack(line.getFilesList(), work.path());
                process = new CommandProcess(start(line, work), operator);
            } catch (IOException e) {
                work.close();
                throw e;
            }
            operator.setOnCancelHandler(process::cancel);
            operator.setOnReadyHandler(process::ready);
            // The handlers are called by this thread, once this method has returned.
            Thread.ofVirtual().start(() -> follow(process, work));
        } catch (IOException e) {
            observer.onError(
                    Status.INTERNAL.withDescription("cannot run hv: " + e).asRuntimeException());
        }
    }

    private static void follow(CommandProcess process, WorkFolder work) {
        try (work) {
            process.follow();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Process start(CommandLine line, WorkFolder work) throws IOException {
        List<String> words = new ArrayList<>(List.of(hv, line.getWords(0), "-t", machine));
        words.addAll(line.getWordsList().subList(1, line.getWordsCount()));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(work.path().toFile()).redirectInput(new File("/dev/null"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    @Override
    public void down(DownRequest request, StreamObserver<DownReply> observer) {
        try {
            ending.down();
            observer.onNext(DownReply.getDefaultInstance());
            observer.onCompleted();
        } catch (IOException e) {
            observer.onError(Status.INTERNAL
                    .withDescription("cannot remove the state folder: " + e)
                    .asRuntimeException());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
