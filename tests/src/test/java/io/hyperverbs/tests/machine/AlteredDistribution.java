package io.hyperverbs.tests.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A copy of a distribution in which a method of the device domain is another. The change is woven
 * into a class of the copy: the product has no place for it. All jars but that class's are links to
 * the originals.
 *
 * @param jar what the name of the jar begins with
 * @param className such as {@code io/hyperverbs/hca/schedule/TimerWheel.class}
 * @param method of all its methods of that name
 */
record AlteredDistribution(String jar, String className, String method, CodeTransform change) {
    /**
     * Makes one.
     *
     * @param original folder with {@code host/} and {@code guest/}
     * @param copy where; what was there is replaced
     */
    void make(Path original, Path copy) throws IOException {
        for (String folder : List.of("host", "guest")) {
            Path into = Files.createDirectories(copy.resolve(folder));
            for (Path old : list(into)) {
                Files.delete(old);
            }
            for (Path file : list(original.resolve(folder))) {
                Path target = into.resolve(file.getFileName());
                if (folder.equals("host") && file.getFileName().toString().startsWith(jar)) {
                    weave(file, target);
                } else {
                    Files.createSymbolicLink(target, file);
                }
            }
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private void weave(Path from, Path target) throws IOException {
        boolean woven = false;
        try (JarFile old = new JarFile(from.toFile());
                OutputStream file = Files.newOutputStream(target);
                JarOutputStream to = new JarOutputStream(file)) {
            for (Enumeration<JarEntry> all = old.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                to.putNextEntry(new JarEntry(entry.getName()));
                try (InputStream bytes = old.getInputStream(entry)) {
                    if (entry.getName().equals(className)) {
                        to.write(weave(bytes.readAllBytes()));
                        woven = true;
                    } else {
                        bytes.transferTo(to);
                    }
                }
                to.closeEntry();
            }
        }
        if (!woven) {
            throw new UncheckedIOException(new IOException("no " + className + " in " + from));
        }
    }

    private byte[] weave(byte[] original) {
        ClassFile files = ClassFile.of();
        ClassTransform atEntry =
                ClassTransform.transformingMethodBodies(
                        model -> model.methodName().equalsString(method),
                        change);
        return files.transformClass(files.parse(original), atEntry);
    }
}
