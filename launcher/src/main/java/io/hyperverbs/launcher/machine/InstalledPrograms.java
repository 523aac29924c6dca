package io.hyperverbs.launcher.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Programs that modules on the host's class path bring: a module lists its own in {@value #LIST}, short name and main
 * class. A guest that runs one gets that module's jar besides its driver, and nothing else of the host's class path.
 * Immutable.
 */
public final class InstalledPrograms {
    /** In a module's jar. */
    static final String LIST = "META-INF/hyperverbs/programs.properties";

    private static final InstalledPrograms ALL = read(InstalledPrograms.class.getClassLoader());

    private record Installed(String mainClass, Path jar) {}

    private final Map<String, Installed> byName = new HashMap<>();
    private final Map<String, Installed> byClass = new HashMap<>();

    private InstalledPrograms() {}

    /** The program of that short name or main class, if a module brings it. */
    static Optional<Program> find(String name, List<String> args) {
        Installed named = ALL.byName.get(name);
        Installed found = named == null ? ALL.byClass.get(name) : named;
        return Optional.ofNullable(found).map(one -> new Program(one.mainClass, List.of(one.jar), args));
    }

    /** Whether a module brings a program of that short name or main class. */
    public static boolean has(String name) {
        return find(name, List.of()).isPresent();
    }

    /**
     * The program with this main class.
     *
     * @throws IllegalArgumentException if no module lists it
     */
    public static Program of(Class<?> main, List<String> args) {
        return find(main.getName(), args)
                .orElseThrow(() -> new IllegalArgumentException(main.getName() + " is in no " + LIST));
    }

    /** The jar that a class is in, or the folder of a module that is not packed: for programs that are written against it. */
    public static Path moduleOf(Class<?> one) {
        try {
            return Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static InstalledPrograms read(ClassLoader host) {
        InstalledPrograms all = new InstalledPrograms();
        try {
            for (URL list : Collections.list(host.getResources(LIST))) {
                all.add(list);
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(URL list) throws IOException, URISyntaxException {
        Path jar = jar(list);
        Properties programs = new Properties();
        try (InputStream text = list.openStream()) {
            programs.load(text);
        }
        for (String name : programs.stringPropertyNames()) {
            Installed one = new Installed(programs.getProperty(name), jar);
            if (byName.put(name, one) != null || byClass.put(one.mainClass, one) != null) {
                throw new IllegalStateException("two modules bring the program " + name + ", one is " + jar);
            }
        }
    }

    /** The jar that the list is in, or the folder of a module that is not packed. */
    private static Path jar(URL list) throws IOException, URISyntaxException {
        if (list.openConnection() instanceof JarURLConnection inJar) {
            return Path.of(inJar.getJarFileURL().toURI());
        }
        String place = list.toURI().toString();
        return Path.of(URI.create(place.substring(0, place.length() - LIST.length())));
    }
}
