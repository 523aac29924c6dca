package io.hyperverbs.vmm.sandbox;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;

/** A small JVM for a program of this module, which needs no other. */
final class OwnJvm {
    private OwnJvm() {}

    /** Its command line, for the program's own words to follow. */
    static List<String> command(Path javaHome, Class<?> program) {
        List<String> command = new ArrayList<>();
        command.add(javaHome.resolve("bin/java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx16m", "-Xss512k"));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UseContainerSupport"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", classes()));
        command.add(program.getName());
        return command;
    }

    /** Where the classes are: the jar of the module. */
    static String classes() {
        CodeSource source = OwnJvm.class.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new IllegalStateException("no code source");
        }
        try {
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
