package io.hyperverbs.lab.run.walk;

import io.hyperverbs.lab.walk.model.Expected;
import io.hyperverbs.lab.walk.model.ExpectedEvent;
import io.hyperverbs.lab.walk.model.ModelMemory;
import io.hyperverbs.lab.walk.model.ModelQp;
import io.hyperverbs.lab.walk.model.ModelWindowKey;
import io.hyperverbs.lab.walk.step.Slots;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares what one domain has seen with what must come there. Completions of one queue come in
 * order; those of different queues in any. Empty texts are good news.
 */
final class Judge {
    /** A send or a receive queue. */
    private record Queue(int qp, boolean receive) {}

    private final Map<Long, Expected> awaited = new HashMap<>();
    private final Map<Queue, Deque<Expected>> queues = new HashMap<>();
    private final List<ExpectedEvent> events = new ArrayList<>();
    private final Map<Integer, Integer> numbers;
    private final byte[] memory = new byte[Slots.ARENA_BYTES];

    /**
     * @param numbers in the HCA by number of the object in the model, filled by the conductor
     */
    Judge(Map<Integer, Integer> numbers) {
        this.numbers = numbers;
    }

    void expect(List<Expected> completions, List<ExpectedEvent> more) {
        for (Expected one : completions) {
            awaited.put(one.wrId(), one);
            queues.computeIfAbsent(queue(one), q -> new ArrayDeque<>()).add(one);
        }
        events.addAll(more);
    }

    private static Queue queue(Expected one) {
        return new Queue(one.qp().number(), one.receive());
    }

    /** A completion: {@code wc cq wr_id status opcode bytes qpn immediate ended source}. */
    String completion(String[] words) {
        String found = String.join(" ", Arrays.asList(words).subList(1, words.length));
        Expected one = awaited.remove(Long.parseLong(words[2]));
        if (one == null) {
            return "completion that must not come: CQ " + found;
        }
        Deque<Expected> queue = queues.getOrDefault(queue(one), new ArrayDeque<>());
        Expected next = queue.peek();
        boolean inOrder = next != null && next.wrId() == one.wrId();
        queue.remove(one);
        Integer immediate = words[7].equals("-") ? null : Integer.valueOf(words[7]);
        boolean matches = words[8].equals(ended(one))
                && isFrom(one, words[9])
                && one.cqSlot() == Integer.parseInt(words[1])
                && Integer.valueOf(words[6]).equals(numbers.get(one.qp().number()))
                && one.matches(
                        VerbsStatus.valueOf(words[3]),
                        WorkCompletion.Opcode.valueOf(words[4]),
                        Integer.parseInt(words[5]),
                        immediate);
        if (!matches) {
            return "completion is CQ " + found + ", must be " + text(one);
        }
        return inOrder ? "" : "completion out of order: CQ " + found;
    }

    private boolean isFrom(Expected one, String qpn) {
        ModelQp source = one.source();
        return source == null || Integer.valueOf(qpn).equals(numbers.get(source.number()));
    }

    /** The number of the key that a message ended. */
    private String ended(Expected one) {
        ModelWindowKey key = one.ended();
        return key == null
                ? "-"
                : Integer.toString(key.number(numbers.getOrDefault(key.window().number(), 0)));
    }

    private String text(Expected one) {
        return "CQ "
                + one.cqSlot()
                + " "
                + one.text()
                + " qp="
                + numbers.get(one.qp().number())
                + " ended="
                + ended(one);
    }

    /** An asynchronous event: {@code event context type number}. */
    String event(String[] words) {
        for (ExpectedEvent one : events) {
            if (one.context() == Integer.parseInt(words[1])
                    && one.type().name().equals(words[2])
                    && Integer.valueOf(words[3]).equals(numbers.get(one.number()))) {
                events.remove(one);
                return "";
            }
        }
        return "event that must not come: context "
                + String.join(" ", Arrays.asList(words).subList(1, words.length));
    }

    /** What has not come though it must have by now. */
    String missing() {
        if (!awaited.isEmpty()) {
            return "no completion " + text(awaited.values().iterator().next());
        }
        return events.isEmpty()
                ? ""
                : "no event "
                        + events.getFirst().type()
                        + " in context "
                        + events.getFirst().context();
    }

    /** What a query found, {@code name=value} from the third word on. */
    String attributes(String[] words, Order order) {
        Map<String, String> found = new HashMap<>();
        for (String word : Arrays.asList(words).subList(2, words.length)) {
            int equals = word.indexOf('=');
            found.put(word.substring(0, equals), word.substring(equals + 1));
        }
        for (Map.Entry<String, Long> one : order.attributes().entrySet()) {
            String value = found.get(one.getKey());
            if (!one.getValue().toString().equals(value)) {
                return "query finds " + one.getKey() + " " + value + ", must be " + one.getValue();
            }
        }
        return "";
    }

    /** Bytes that have changed: {@code mem offset base64}. */
    void changed(String[] words) {
        byte[] piece = Base64.getDecoder().decode(words[2]);
        System.arraycopy(piece, 0, memory, Integer.parseInt(words[1]), piece.length);
    }

    /** Whether the memory of the domain is as the model has it from {@code base} on. */
    String memory(ModelMemory model, int base) {
        for (int i = 0; i < memory.length; i++) {
            short wanted = model.cell(base + i);
            if (wanted != ModelMemory.ANY && wanted != (memory[i] & 0xff)) {
                return String.format("memory at %d is 0x%02x, must be 0x%02x", i, memory[i] & 0xff, wanted);
            }
        }
        return "";
    }
}
