package io.hyperverbs.tests.machine;

import io.hyperverbs.launcher.machine.StartCache;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A copy of a distribution with faults woven into classes of the trusted processes: the product has
 * no place for faults. Jars of other classes are links to the originals.
 */
final class WovenDistribution {
    private WovenDistribution() {}

    /**
     * Makes one.
     *
     * @param original folder with {@code host/} and {@code guest/}
     * @param copy where; what was there is replaced
     * @param faults by the name of the class file, such as {@code io/hyperverbs/hca/tpt/Tpt.class}
     */
    static void make(Path original, Path copy, Map<String, ClassTransform> faults) throws IOException {
        make(original, copy, faults, Map.of());
    }

    /** The same with classes that the faults call, by the name of the class file. */
    static void make(Path original, Path copy, Map<String, ClassTransform> faults, Map<String, byte[]> companions)
            throws IOException {
        Set<String> woven = new HashSet<>();
        for (String folder : List.of("host", "guest")) {
            Path into = emptied(copy.resolve(folder));
            for (Path jar : list(original.resolve(folder))) {
                Path target = into.resolve(jar.getFileName());
                if (folder.equals("host") && hasOneOf(jar, faults.keySet())) {
                    woven.addAll(weave(jar, target, faults, companions));
                } else {
                    Files.createSymbolicLink(target, jar);
                }
            }
        }
        linkGuestArchive(original, copy);
        if (!woven.equals(faults.keySet())) {
            throw new IOException("woven " + woven + " of " + faults.keySet());
        }
    }

    /** Guests' jars are as they were; what the trusted processes start from fits no more. */
    private static void linkGuestArchive(Path original, Path copy) throws IOException {
        Path into = emptied(copy.resolve(StartCache.FOLDER));
        Optional<Path> made = StartCache.GUEST.made(original);
        if (made.isPresent()) {
            Files.createSymbolicLink(into.resolve(made.get().getFileName()), made.get());
        }
    }

    private static Path emptied(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Path old : list(folder)) {
            Files.delete(old);
        }
        return folder;
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static boolean hasOneOf(Path jar, Set<String> classes) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return classes.stream().anyMatch(name -> file.getEntry(name) != null);
        }
    }

    private static Set<String> weave(
            Path jar, Path target, Map<String, ClassTransform> faults, Map<String, byte[]> companions)
            throws IOException {
        Set<String> woven = new HashSet<>();
        try (JarFile from = new JarFile(jar.toFile());
                OutputStream file = Files.newOutputStream(target);
                JarOutputStream to = new JarOutputStream(file)) {
            for (Enumeration<JarEntry> all = from.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                to.putNextEntry(new JarEntry(entry.getName()));
                ClassTransform fault = faults.get(entry.getName());
                try (InputStream bytes = from.getInputStream(entry)) {
                    if (fault == null) {
                        bytes.transferTo(to);
                    } else {
                        ClassFile files = ClassFile.of();
                        to.write(files.transformClass(files.parse(bytes.readAllBytes()), fault));
                        woven.add(entry.getName());
                    }
                }
                to.closeEntry();
            }
            // Into each jar: whichever is first on the class path has them.
            for (Map.Entry<String, byte[]> companion : companions.entrySet()) {
                to.putNextEntry(new JarEntry(companion.getKey()));
                to.write(companion.getValue());
                to.closeEntry();
            }
        }
        return woven;
    }
}
