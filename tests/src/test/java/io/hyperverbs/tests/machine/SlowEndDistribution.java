package io.hyperverbs.tests.machine;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.Map;

/**
 * A copy of a distribution whose device domain does not get done with the end of domains of one
 * name, while a file is there.
 */
public final class SlowEndDistribution {
    private static final ClassDesc SESSION = ClassDesc.of("io.hyperverbs.backend.session.Session");

    private SlowEndDistribution() {}

    /**
     * Makes one.
     *
     * @param original folder with {@code host/} and {@code guest/}
     * @param copy where; what was there is replaced
     * @param domain the name
     * @param file the file
     */
    public static void make(Path original, Path copy, String domain, Path file) throws IOException {
        ClassTransform slow = ClassTransform.transformingMethodBodies(
                method -> method.methodName().equalsString("close"), new AtEntry(domain, file.toString()));
        String name = EndHold.class.getName().replace('.', '/') + ".class";
        try (InputStream hold = EndHold.class.getResourceAsStream("EndHold.class")) {
            if (hold == null) {
                throw new IOException("no class file " + name);
            }
            WovenDistribution.make(
                    original,
                    copy,
                    Map.of("io/hyperverbs/backend/verbs/SessionTeardown.class", slow),
                    Map.of(name, hold.readAllBytes()));
        }
    }

    /** {@code EndHold.hold(session.name(), domain, file);} */
    private record AtEntry(String domain, String file) implements CodeTransform {
        private static final int SESSION_ARGUMENT = 1;

        @Override
        public void atStart(CodeBuilder code) {
            ClassDesc text = ConstantDescs.CD_String;
            code.aload(SESSION_ARGUMENT)
                    .invokevirtual(SESSION, "name", MethodTypeDesc.of(text))
                    .ldc(domain)
                    .ldc(file)
                    .invokestatic(
                            ClassDesc.of(EndHold.class.getName()),
                            "hold",
                            MethodTypeDesc.of(ConstantDescs.CD_void, text, text, text));
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }
}
