package io.hyperverbs.vmm.sandbox;

import java.util.List;

/**
 * Options for a JVM that maps its classes from a file, as they were once loaded (CDS; JEP 310), in
 * place of reading and verifying them: half the processor time of a start (docs/adr/0018).
 */
public final class StartArchive {
    private StartArchive() {}

    /**
     * @param file as the JVM sees it; one that is missing or does not fit its jars is passed over
     *     without a word
     */
    public static List<String> use(String file) {
        return List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds*=off", "-Xlog:class+path=off");
    }
}
