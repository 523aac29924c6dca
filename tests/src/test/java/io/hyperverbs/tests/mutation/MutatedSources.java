package io.hyperverbs.tests.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What each class was like when PIT last went over all of its part. */
final class MutatedSources {
    private static final String HEAD =
            "# SHA-256 of sources whose mutants are noticed: mvn verify -Ppit writes them, and a"
                    + " build mutates what differs.";

    private final Path file;
    private final Map<String, String> digests = new TreeMap<>();

    private MutatedSources(Path file) {
        this.file = file;
    }

    static MutatedSources read(Path file) throws IOException {
        MutatedSources sources = new MutatedSources(file);
        if (Files.exists(file)) {
            for (String entry : ListFile.entries(file)) {
                String[] words = entry.split(" ", 2);
                sources.digests.put(words[0], words[1]);
            }
        }
        return sources;
    }

    /** Those of a part that are not as they were. */
    List<MutatedClass> changed(Part part) throws IOException {
        List<MutatedClass> changed = new ArrayList<>();
        for (MutatedClass one : part.classes()) {
            if (!one.digest().equals(digests.get(one.name()))) {
                changed.add(one);
            }
        }
        return changed;
    }

    /** Notes what a part's classes are like now. */
    void note(Part part) throws IOException {
        digests.keySet().removeIf(name -> !Part.isMutated(name));
        for (MutatedClass one : part.classes()) {
            digests.put(one.name(), one.digest());
        }
        List<String> lines = new ArrayList<>(List.of(HEAD));
        digests.forEach((name, digest) -> lines.add(name + " " + digest));
        Files.write(file, lines);
    }
}
