package io.hyperverbs.lab.attacks;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an attacker is told of the processes around it: more than it could find out.
 *
 * @param state folder of the machine, with all its sockets
 * @param pids process numbers as the computer has them, by domain; {@code vmm} too
 */
public record Neighbours(Path state, SequencedMap<String, Long> pids) {
    /** Key of the store, written by the toolstack. */
    public static final String KEY = "isolate/neighbours";

    public Neighbours {
        pids = new LinkedHashMap<>(pids);
    }

    /** One line. */
    public String format() {
        return state
                + pids.entrySet().stream()
                        .map(entry -> " " + entry.getKey() + "=" + entry.getValue())
                        .collect(Collectors.joining());
    }

    /** The reverse of {@link #format}. */
    public static Neighbours parse(String line) {
        List<String> words = List.of(line.split(" ", -1));
        SequencedMap<String, Long> pids = new LinkedHashMap<>();
        for (String word : words.subList(1, words.size())) {
            int equals = word.indexOf('=');
            pids.put(word.substring(0, equals), Long.valueOf(word.substring(equals + 1)));
        }
        return new Neighbours(Path.of(words.getFirst()), pids);
    }

    /** Sockets that are not the attacker's. */
    public List<Path> sockets() {
        return pids.keySet().stream()
                .flatMap(name -> name.equals("vmm")
                        ? Stream.of(state.resolve("vmm.sock"))
                        : Stream.of("device.sock", "hypercall.sock")
                                .map(socket ->
                                        state.resolve("domains").resolve(name).resolve(socket)))
                .toList();
    }
}
