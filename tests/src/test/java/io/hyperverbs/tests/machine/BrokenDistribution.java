package io.hyperverbs.tests.machine;

import java.io.IOException;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A copy of a distribution in which five checks of guests, and the count of what is refused, are
 * gone.
 */
public final class BrokenDistribution {
    private static final ClassDesc STATUS = ClassDesc.of("io.hyperverbs.verbs.VerbsStatus");

    private BrokenDistribution() {}

    /**
     * Makes one.
     *
     * @param original folder with {@code host/} and {@code guest/}
     * @param copy where; what was there is replaced
     */
    public static void make(Path original, Path copy) throws IOException {
        Map<String, ClassTransform> faults = new LinkedHashMap<>();
        // Any flag is taken for one that is known.
        faults.put(
                "io/hyperverbs/hca/qp/SendQueue.class",
                instead("hasUnknownFlags", code -> code.iconst_0().ireturn()));
        // A producer index may be any distance ahead.
        faults.put(
                "io/hyperverbs/hca/layout/QueueIndexes.class",
                instead("available", code -> code.iload(0).iload(1).isub().ireturn()));
        // Any range is within a region.
        faults.put(
                "io/hyperverbs/hca/tpt/RangeCheck.class",
                instead("isWithin", code -> code.iconst_1().ireturn()));
        // Everybody is everybody's peer.
        faults.put(
                "io/hyperverbs/hca/transport/Message.class",
                instead("isFromPeerOf", code -> code.iconst_1().ireturn()));
        // Every frame is everybody's.
        faults.put(
                "io/hyperverbs/vmm/memory/FrameTable.class",
                instead(
                        "change",
                        code -> code.getstatic(STATUS, "SUCCESS", STATUS).areturn()));
        // What is refused is counted for nobody.
        faults.put("io/hyperverbs/backend/session/Rejections.class", instead("count", code -> code.return_()));
        WovenDistribution.make(original, copy, faults);
    }

    private static ClassTransform instead(String method, Consumer<CodeBuilder> body) {
        return ClassTransform.transformingMethodBodies(one -> one.methodName().equalsString(method), new Instead(body));
    }

    private record Instead(Consumer<CodeBuilder> body) implements CodeTransform {
        @Override
        public void atStart(CodeBuilder code) {
            body.accept(code);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            // Nothing of what was there.
        }
    }
}
