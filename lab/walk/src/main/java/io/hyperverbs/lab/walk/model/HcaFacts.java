package io.hyperverbs.lab.walk.model;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** What a walk must know of the HCA beforehand, as a device query tells it. */
public record HcaFacts(
        int lid,
        int activeMtuBytes,
        int maxCqe,
        int maxQpWr,
        int maxSge,
        int maxInlineBytes,
        int maxReadAtomic,
        int maxSrqWr,
        int maxSrqSge,
        long maxMessageBytes) {

    /** One word; {@link #parse} reads it back. */
    public String format() {
        return LongStream.of(
                        lid,
                        activeMtuBytes,
                        maxCqe,
                        maxQpWr,
                        maxSge,
                        maxInlineBytes,
                        maxReadAtomic,
                        maxSrqWr,
                        maxSrqSge,
                        maxMessageBytes)
                .mapToObj(Long::toString)
                .collect(Collectors.joining(","));
    }

    /**
     * Reads back what {@link #format} wrote.
     *
     * @throws IllegalArgumentException if {@code word} is anything else
     */
    public static HcaFacts parse(String word) {
        List<Long> values =
                Arrays.stream(word.split(",", -1)).map(Long::valueOf).toList();
        if (values.size() != 10) {
            throw new IllegalArgumentException("10 numbers needed: " + word);
        }
        return new HcaFacts(
                Math.toIntExact(values.get(0)),
                Math.toIntExact(values.get(1)),
                Math.toIntExact(values.get(2)),
                Math.toIntExact(values.get(3)),
                Math.toIntExact(values.get(4)),
                Math.toIntExact(values.get(5)),
                Math.toIntExact(values.get(6)),
                Math.toIntExact(values.get(7)),
                Math.toIntExact(values.get(8)),
                values.get(9));
    }
}
