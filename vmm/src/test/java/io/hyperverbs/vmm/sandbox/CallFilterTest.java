package io.hyperverbs.vmm.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs the filter's instructions as the kernel does. */
class CallFilterTest {
    private static final int X86_64 = 0xc000_003e;
    private static final int AARCH64 = 0xc000_00b7;
    private static final int ALLOW = 0x7fff_0000;
    private static final int KILL_PROCESS = 0x8000_0000;
    private static final int EPERM = 0x0005_0001;
    private static final int ENOSYS = 0x0005_0026;

    private static final int CLONE = 56;
    private static final int IOCTL = 16;
    private static final int CLONE3 = 435;
    private static final int LAST_CALL = 1023;

    @Test
    void refusesTheListedCallsAndNoOther() {
        Set<Integer> denied = Arrays.stream(DeniedCalls.all()).boxed().collect(Collectors.toSet());
        assertThat(denied).hasSize(DeniedCalls.all().length);
        for (int call = 0; call <= LAST_CALL; call++) {
            int expected = denied.contains(call) ? EPERM : call == CLONE3 ? ENOSYS : ALLOW;

            assertThat(run(X86_64, call, 0, 0)).as("call %d", call).isEqualTo(expected);
        }
    }

    @Test
    void refusesTheSameCallsByTheNumbersOfTheOtherAbi() {
        for (int call : DeniedCalls.all()) {
            assertThat(run(X86_64, call | 0x4000_0000, 0, 0)).isEqualTo(ENOSYS);
        }
        assertThat(run(X86_64, -1, 0, 0)).isEqualTo(ENOSYS);
    }

    @Test
    void killsWhatComesByAnotherArchitecture() {
        assertThat(run(AARCH64, 0, 0, 0)).isEqualTo(KILL_PROCESS);
        assertThat(run(0x4000_0003, 26, 0, 0)).isEqualTo(KILL_PROCESS);
    }

    @Test
    void letsThreadsBeMadeButNoNamespaces() {
        int thread = 0x003d_0f00;
        assertThat(run(X86_64, CLONE, thread, 0)).isEqualTo(ALLOW);
        for (int bit : new int[] {17, 25, 26, 27, 28, 29, 30}) {
            assertThat(run(X86_64, CLONE, thread | 1 << bit, 0)).as("bit %d", bit).isEqualTo(EPERM);
        }
    }

    @Test
    void doesNotTypeIntoTerminals() {
        assertThat(run(X86_64, IOCTL, 0, 0x5412)).isEqualTo(EPERM);
        assertThat(run(X86_64, IOCTL, 0, 0x541c)).isEqualTo(EPERM);
        assertThat(run(X86_64, IOCTL, 0, 0x5413)).isEqualTo(ALLOW);
    }

    private static int run(int architecture, int call, int first, int second) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.nativeOrder());
        data.putInt(0, call).putInt(4, architecture).putInt(16, first).putInt(24, second);
        ByteBuffer code = CallFilter.forGuests();
        int accumulator = 0;
        for (int at = 0; ; at++) {
            int operand = code.getInt(8 * at + 4);
            int ifTrue = Byte.toUnsignedInt(code.get(8 * at + 2));
            int ifFalse = Byte.toUnsignedInt(code.get(8 * at + 3));
            switch (code.getShort(8 * at)) {
                case 0x20 -> accumulator = data.getInt(operand);
                case 0x15 -> at += accumulator == operand ? ifTrue : ifFalse;
                case 0x35 ->
                        at += Integer.compareUnsigned(accumulator, operand) >= 0 ? ifTrue : ifFalse;
                case 0x45 -> at += (accumulator & operand) != 0 ? ifTrue : ifFalse;
                case 0x06 -> {
                    return operand;
                }
                default -> throw new AssertionError("instruction " + code.getShort(8 * at));
            }
        }
    }
}
