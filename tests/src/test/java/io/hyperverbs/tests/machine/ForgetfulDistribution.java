package io.hyperverbs.tests.machine;

import java.io.IOException;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A copy of a distribution whose device domain forgets the memory regions of guests that end. */
public final class ForgetfulDistribution {
    private static final String TEARDOWN = "io/hyperverbs/backend/verbs/SessionTeardown.class";
    private static final ClassDesc REGION = ClassDesc.of("io.hyperverbs.backend.session.RegionObject");

    private ForgetfulDistribution() {}

    /**
     * Makes one.
     *
     * @param original folder with {@code host/} and {@code guest/}
     * @param copy where; what was there is replaced
     */
    public static void make(Path original, Path copy) throws IOException {
        ClassTransform forgets = ClassTransform.transformingMethodBodies(
                one -> one.methodName().equalsString("destroyAll"), new Forgetting());
        WovenDistribution.make(original, copy, Map.of(TEARDOWN, forgets));
    }

    /** {@code if (!objects.isEmpty() && objects.get(0) instanceof RegionObject) return 0;} */
    private record Forgetting() implements CodeTransform {
        private static final ClassDesc LIST = List.class.describeConstable().orElseThrow();
        private static final int OBJECTS = 2;

        @Override
        public void atStart(CodeBuilder code) {
            code.aload(OBJECTS).invokeinterface(LIST, "isEmpty", MethodTypeDesc.of(ConstantDescs.CD_boolean));
            code.ifThenElse(empty -> {}, some -> {
                some.aload(OBJECTS).iconst_0();
                some.invokeinterface(LIST, "get", MethodTypeDesc.of(ConstantDescs.CD_Object, ConstantDescs.CD_int));
                some.instanceOf(REGION);
                some.ifThen(forgotten -> forgotten.iconst_0().ireturn());
            });
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }
}
