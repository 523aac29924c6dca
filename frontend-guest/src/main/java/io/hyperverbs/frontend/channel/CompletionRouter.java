package io.hyperverbs.frontend.channel;

import io.hyperverbs.frontend.path.CompletionSink;
import io.hyperverbs.vmm.io.wire.CompletionsMessage;
import io.hyperverbs.vmm.io.wire.DataReplyMessage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** From the handle in a reply to the queue that takes its completions. Any thread. */
final class CompletionRouter {
    private final Map<Long, CompletionSink> sinks = new ConcurrentHashMap<>();

    void listen(long cq, CompletionSink sink) {
        sinks.put(cq, sink);
    }

    void forget(long cq) {
        sinks.remove(cq);
    }

    /** Completions of a queue that is gone are dropped. */
    void deliver(DataReplyMessage reply) {
        for (int i = 0; i < reply.getCompletionsCount(); i++) {
            CompletionsMessage completions = reply.getCompletions(i);
            CompletionSink sink = sinks.get(completions.getCq());
            if (sink != null) {
                sink.completions(
                        completions.getFirstIndex(), completions.getEntries().asReadOnlyByteBuffer());
            }
        }
    }
}
