package io.hyperverbs.hca.layout;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The element layouts of all shared memory: little-endian, with the exact handles for ordered
 * access.
 */
final class Bytes {
    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(LITTLE_ENDIAN);
    static final VarHandle ORDERED_INT = INT.varHandle().withInvokeExactBehavior();
    static final VarHandle ORDERED_LONG = LONG.varHandle().withInvokeExactBehavior();

    private Bytes() {}
}
