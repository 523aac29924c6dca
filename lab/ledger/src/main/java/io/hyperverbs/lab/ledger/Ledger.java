package io.hyperverbs.lab.ledger;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sources with their digests, as they were when what is proven of them last held at full size: one
 * file, a line for each. It is committed with the change that it is of. For one thread.
 */
public final class Ledger {
    /** Of a module: where its ledgers are. */
    static final String FOLDER = "/src/test/resources/proofs/";

    private static final String HEAD =
            "# Sources and their SHA-256 when a full run held. A build runs in full what differs, and writes this.";

    private final Path file;
    private final Map<String, String> digests = new TreeMap<>();

    private Ledger(Path file) {
        this.file = file;
    }

    /** That of a proof; empty if it was never noted. */
    public static Ledger of(String proof) throws IOException {
        return of("tests", proof);
    }

    /** One of a module; the tests of each note in their own, as modules are built beside each other. */
    static Ledger of(String module, String name) throws IOException {
        Ledger ledger = new Ledger(Sources.file(module + FOLDER + name + ".txt"));
        if (Files.exists(ledger.file)) {
            for (String line : Files.readAllLines(ledger.file)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] words = line.split(" ", 2);
                    ledger.digests.put(words[0], words[1]);
                }
            }
        }
        return ledger;
    }

    /**
     * Those of which a build proves it in full: that are not as they were, or what {@code
     * -Dproofs=all} and {@code -Dproofs=none} say.
     */
    public List<String> due(Collection<String> sources) throws IOException {
        return switch (System.getProperty("proofs", "changed")) {
            case "all" -> List.copyOf(sources);
            case "none" -> List.of();
            default -> changed(sources);
        };
    }

    /** Those that are not as they were. */
    List<String> changed(Collection<String> sources) throws IOException {
        List<String> changed = new ArrayList<>();
        for (String source : sources) {
            if (!Sources.digest(source).equals(digests.get(source))) {
                changed.add(source);
            }
        }
        return changed;
    }

    /** Whether what is proven of a source held when this was the digest of all that it depends on. */
    boolean isNoted(String source, String digest) {
        return digest.equals(digests.get(source));
    }

    /** Notes that it held of a source with this digest of all that it depends on. */
    void note(String source, String digest) throws IOException {
        digests.put(source, digest);
        write();
    }

    /** Notes that it held of these as they are now. */
    public void note(Collection<String> sources) throws IOException {
        for (String source : sources) {
            digests.put(source, Sources.digest(source));
        }
        write();
    }

    /** Forgets what is not there any more. */
    private void write() throws IOException {
        digests.keySet().removeIf(source -> !Files.exists(Sources.file(source)));
        List<String> lines = new ArrayList<>(List.of(HEAD));
        digests.forEach((source, digest) -> lines.add(source + " " + digest));
        Files.createDirectories(file.resolveSibling(""));
        Files.write(file, lines);
    }
}
