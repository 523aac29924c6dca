package io.hyperverbs.lab.bench.echo;

import io.hyperverbs.lab.bench.BenchFailure;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.WorkCompletion;

/** Takes requests from the completion queue of all connections and sends each back. One thread. */
final class EchoServer {
    private final EchoEnd end;

    EchoServer(EchoEnd end) {
        this.end = end;
    }

    /**
     * Serves until the client's last message.
     *
     * @return how many requests it has answered
     */
    long serve() throws VerbsException, BenchFailure {
        long requests = 0;
        boolean isOver = false;
        while (!isOver) {
            int count = end.take();
            for (int i = 0; i < count; i++) {
                WorkCompletion completion = end.at(i);
                if (completion.opcode() != WorkCompletion.Opcode.RECV) {
                    continue;
                }
                int connection = (int) completion.wrId();
                end.receive(connection);
                if (completion.hasImmediate()) {
                    isOver = true;
                } else {
                    end.send(connection);
                    requests++;
                }
            }
            if (count == 0) {
                end.idle();
            }
        }
        return requests;
    }
}
