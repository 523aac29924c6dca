package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.path.SrqPort;
import org.jspecify.annotations.Nullable;

/**
 * The shared receive queues of one context by number, for completions that name them. A look
 * allocates nothing and takes no lock; a change copies.
 */
final class SharedQueues {
    @SuppressWarnings("ArrayRecordComponent") // Searched, never compared.
    private record Table(int[] numbers, SrqPort[] ports) {}

    private volatile Table table = new Table(new int[0], new SrqPort[0]);

    /** The queue with that number, or null. */
    @Nullable
    SrqPort find(int srqn) {
        Table now = table;
        for (int i = 0; i < now.numbers.length; i++) {
            if (now.numbers[i] == srqn) {
                return now.ports[i];
            }
        }
        return null;
    }

    synchronized void add(int srqn, SrqPort port) {
        int count = table.numbers.length;
        int[] numbers = java.util.Arrays.copyOf(table.numbers, count + 1);
        SrqPort[] ports = java.util.Arrays.copyOf(table.ports, count + 1);
        numbers[count] = srqn;
        ports[count] = port;
        table = new Table(numbers, ports);
    }

    synchronized void remove(int srqn) {
        Table old = table;
        int kept = 0;
        int[] numbers = new int[Math.max(0, old.numbers.length - 1)];
        SrqPort[] ports = new SrqPort[numbers.length];
        for (int i = 0; i < old.numbers.length; i++) {
            if (old.numbers[i] != srqn && kept < numbers.length) {
                numbers[kept] = old.numbers[i];
                ports[kept++] = old.ports[i];
            }
        }
        table = new Table(numbers, ports);
    }
}
