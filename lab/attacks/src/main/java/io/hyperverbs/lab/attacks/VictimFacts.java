package io.hyperverbs.lab.attacks;

import java.util.List;
import java.util.stream.Stream;

/**
 * What an attacker is given of a victim, true to the bit: whatever it might have guessed or spied.
 *
 * @param idleQpn a queue pair of its own peer that carries nothing: it expects {@code psn} for ever
 * @param address of its registered buffer, in its own process
 */
public record VictimFacts(int lid, int qpn, int idleQpn, int psn, int lkey, int rkey, long address, long lengthBytes) {
    /** Key of the store. */
    static final String KEY = "isolate/facts";

    String format() {
        return Stream.of(lid, qpn, idleQpn, psn, lkey, rkey, address, lengthBytes)
                .map(Number.class::cast)
                .map(number -> Long.toString(number.longValue()))
                .reduce((a, b) -> a + " " + b)
                .orElseThrow();
    }

    static VictimFacts parse(String line) {
        List<Long> words = Stream.of(line.split(" ", -1)).map(Long::valueOf).toList();
        return new VictimFacts(
                words.get(0).intValue(),
                words.get(1).intValue(),
                words.get(2).intValue(),
                words.get(3).intValue(),
                words.get(4).intValue(),
                words.get(5).intValue(),
                words.get(6),
                words.get(7));
    }
}
