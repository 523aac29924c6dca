package io.hyperverbs.tests.machine;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A copy of a distribution in which the HCA's engine throws once when a file is there, and removes
 * the file. The fault is woven into a class of the copy: the product has no place for one. All jars
 * but that class's are links to the originals.
 */
public final class FailingDistribution {
    private static final String FAILING_JAR = "hca-model";

    /** Called at each turn, for no queue pair's sake: what it throws fails the HCA as a whole. */
    private static final String FAILING_CLASS = "io/hyperverbs/hca/schedule/TimerWheel.class";

    private static final String FAILING_METHOD = "advance";

    private FailingDistribution() {}

    /**
     * Makes one.
     *
     * @param original folder with {@code host/} and {@code guest/}
     * @param copy where; what was there is replaced
     * @param trigger the file
     */
    public static void make(Path original, Path copy, Path trigger) throws IOException {
        for (String folder : List.of("host", "guest")) {
            Path into = Files.createDirectories(copy.resolve(folder));
            for (Path old : list(into)) {
                Files.delete(old);
            }
            for (Path jar : list(original.resolve(folder))) {
                Path target = into.resolve(jar.getFileName());
                if (folder.equals("host") && jar.getFileName().toString().startsWith(FAILING_JAR)) {
                    weave(jar, target, trigger);
                } else {
                    Files.createSymbolicLink(target, jar);
                }
            }
        }
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    private static void weave(Path jar, Path target, Path trigger) throws IOException {
        boolean woven = false;
        try (JarFile from = new JarFile(jar.toFile());
                OutputStream file = Files.newOutputStream(target);
                JarOutputStream to = new JarOutputStream(file)) {
            for (Enumeration<JarEntry> all = from.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                to.putNextEntry(new JarEntry(entry.getName()));
                try (InputStream bytes = from.getInputStream(entry)) {
                    if (entry.getName().equals(FAILING_CLASS)) {
                        to.write(weave(bytes.readAllBytes(), trigger));
                        woven = true;
                    } else {
                        bytes.transferTo(to);
                    }
                }
                to.closeEntry();
            }
        }
        if (!woven) {
            throw new UncheckedIOException(new IOException("no " + FAILING_CLASS + " in " + jar));
        }
    }

    private static byte[] weave(byte[] original, Path trigger) {
        ClassFile files = ClassFile.of();
        ClassTransform atEntry =
                ClassTransform.transformingMethodBodies(
                        method -> method.methodName().equalsString(FAILING_METHOD),
                        new AtEntry(trigger.toString()));
        return files.transformClass(files.parse(original), atEntry);
    }

    /** {@code if (new File(trigger).delete()) throw new IllegalStateException(trigger);} */
    private record AtEntry(String trigger) implements CodeTransform {
        private static final MethodTypeDesc OF_TEXT =
                MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

        @Override
        public void atStart(CodeBuilder code) {
            ClassDesc file = File.class.describeConstable().orElseThrow();
            make(code, file);
            code.invokevirtual(file, "delete", MethodTypeDesc.of(ConstantDescs.CD_boolean));
            code.ifThen(
                    then -> {
                        make(then, IllegalStateException.class.describeConstable().orElseThrow());
                        then.athrow();
                    });
        }

        private void make(CodeBuilder code, ClassDesc type) {
            code.new_(type).dup().ldc(trigger);
            code.invokespecial(type, ConstantDescs.INIT_NAME, OF_TEXT);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }
}
