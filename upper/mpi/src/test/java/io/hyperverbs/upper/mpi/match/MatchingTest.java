package io.hyperverbs.upper.mpi.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatchingTest {
    private static final int CONTEXT = 4;

    private final Matching<String, String> matching = new Matching<>();

    private static Envelope message(int source, int tag) {
        return new Envelope(CONTEXT, source, tag, 8);
    }

    private static ReceivePattern pattern(int source, int tag) {
        return new ReceivePattern(CONTEXT, source, tag);
    }

    @Test
    void aMessageGoesToTheReceivePostedFirstOfThoseThatTakeIt() {
        matching.addReceive(pattern(1, 9), "other tag");
        matching.addReceive(pattern(ReceivePattern.ANY, ReceivePattern.ANY), "any");
        matching.addReceive(pattern(1, 5), "exact");

        assertThat(matching.receiveFor(message(1, 5))).contains("any");
        assertThat(matching.receiveFor(message(1, 5))).contains("exact");
        assertThat(matching.receiveFor(message(1, 5))).isEmpty();
        assertThat(matching.receives()).isEqualTo(1);
    }

    @Test
    void aReceiveGetsTheMessageThatArrivedFirst() {
        matching.addMessage(message(2, 5), "of another");
        matching.addMessage(message(1, 5), "first");
        matching.addMessage(message(1, 5), "second");

        assertThat(matching.messageFor(pattern(1, ReceivePattern.ANY)))
                .contains(new Matching.Found<>(message(1, 5), "first"));
        assertThat(matching.messageFor(pattern(ReceivePattern.ANY, 5)))
                .contains(new Matching.Found<>(message(2, 5), "of another"));
        assertThat(matching.peek(pattern(1, 5))).contains(message(1, 5));
        assertThat(matching.messages()).isEqualTo(1);
        assertThat(matching.messageFor(pattern(3, 5))).isEmpty();
    }

    @Test
    void contextsAreKeptApart() {
        matching.addMessage(message(1, 5), "here");

        assertThat(matching.messageFor(new ReceivePattern(CONTEXT + 2, ReceivePattern.ANY, ReceivePattern.ANY)))
                .isEmpty();
        assertThat(matching.peek(new ReceivePattern(CONTEXT + 2, 1, 5))).isEmpty();
    }

    /** In the model a receive looks through all messages there ever will be, in the order of each sender. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void withNamedSourcesTimeDoesNotChangeWhatAReceiveGets(long seed) {
        Random random = new Random(seed);
        List<Envelope> messages = new ArrayList<>();
        List<ReceivePattern> receives = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            messages.add(new Envelope(CONTEXT, random.nextInt(3), random.nextInt(3), i));
            receives.add(pattern(random.nextInt(3), random.nextInt(4) - 1));
        }

        Map<Integer, Long> seen = walk(messages, receives, random);

        assertThat(seen).isEqualTo(model(messages, receives)).hasSizeGreaterThan(1500);
    }

    /** Receive by number, and the length of its message, which names it. */
    private static Map<Integer, Long> model(List<Envelope> messages, List<ReceivePattern> receives) {
        List<Envelope> left = new ArrayList<>(messages);
        Map<Integer, Long> got = new HashMap<>();
        for (int i = 0; i < receives.size(); i++) {
            ReceivePattern receive = receives.get(i);
            Optional<Envelope> first = left.stream().filter(receive::takes).findFirst();
            if (first.isPresent()) {
                left.remove(first.get());
                got.put(i, first.get().bytes());
            }
        }
        return got;
    }

    /** Messages arrive and receives are posted in a random order of both. */
    private static Map<Integer, Long> walk(List<Envelope> messages, List<ReceivePattern> receives, Random random) {
        Matching<Integer, Envelope> matching = new Matching<>();
        Map<Integer, Long> got = new HashMap<>();
        int arrived = 0;
        int posted = 0;
        while (arrived < messages.size() || posted < receives.size()) {
            boolean arrives = posted == receives.size() || (arrived < messages.size() && random.nextBoolean());
            if (arrives) {
                Envelope message = messages.get(arrived++);
                Optional<Integer> receive = matching.receiveFor(message);
                receive.ifPresentOrElse(
                        number -> got.put(number, message.bytes()), () -> matching.addMessage(message, message));
            } else {
                int number = posted++;
                ReceivePattern receive = receives.get(number);
                matching.messageFor(receive)
                        .ifPresentOrElse(
                                found -> got.put(number, found.message().bytes()),
                                () -> matching.addReceive(receive, number));
            }
        }
        assertThat(matching.receives()).isEqualTo(receives.size() - got.size());
        assertThat(matching.messages()).isEqualTo(messages.size() - got.size());
        return got;
    }
}
