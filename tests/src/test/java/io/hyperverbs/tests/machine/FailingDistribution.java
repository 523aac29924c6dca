package io.hyperverbs.tests.machine;

import java.io.File;
import java.io.IOException;
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
 * A copy of a distribution in which the HCA's engine throws once when a file is there, and removes
 * the file. The fault is woven into a class of the copy: the product has no place for one. All jars
 * but that class's are links to the originals.
 */
public final class FailingDistribution {
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
        WovenDistribution.make(
                original,
                copy,
                Map.of(
                        FAILING_CLASS,
                        ClassTransform.transformingMethodBodies(
                                method -> method.methodName().equalsString(FAILING_METHOD),
                                new AtEntry(trigger.toString()))));
    }

    /** {@code if (new File(trigger).delete()) throw new IllegalStateException(trigger);} */
    private record AtEntry(String trigger) implements CodeTransform {
        private static final MethodTypeDesc OF_TEXT = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String);

        @Override
        public void atStart(CodeBuilder code) {
            ClassDesc file = File.class.describeConstable().orElseThrow();
            make(code, file);
            code.invokevirtual(file, "delete", MethodTypeDesc.of(ConstantDescs.CD_boolean));
            code.ifThen(then -> {
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
