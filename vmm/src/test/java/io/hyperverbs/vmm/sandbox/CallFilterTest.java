package io.hyperverbs.vmm.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
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

    private static final int PID = 4711;

    private static final int MMAP = 9;
    private static final int IOCTL = 16;
    private static final int SOCKET = 41;
    private static final int CONNECT = 42;
    private static final int BIND = 49;
    private static final int CLONE = 56;
    private static final int SCHED_SETAFFINITY = 203;
    private static final int PRLIMIT64 = 302;
    private static final int CLONE3 = 435;
    private static final int OPENAT2 = 437;
    private static final int LAST_CALL = 1023;

    /** kill, rt_sigqueueinfo, tgkill, rt_tgsigqueueinfo. */
    private static final Set<Integer> SIGNALS = Set.of(62, 129, 234, 297);

    private static final ByteBuffer GUEST = CallFilter.forGuests(PID);
    private static final ByteBuffer SOCKETS = CallFilter.forNewSockets();

    @Test
    void refusesTheListedCallsAndNoOther() {
        Set<Integer> denied = Arrays.stream(DeniedCalls.all()).boxed().collect(Collectors.toSet());
        assertThat(denied).hasSize(DeniedCalls.all().length);
        for (int call = 0; call <= LAST_CALL; call++) {
            // No thread, and a process of number zero.
            boolean refused = denied.contains(call) || call == CLONE || SIGNALS.contains(call);
            boolean unknown = call == CLONE3 || call == OPENAT2;
            int expected = refused ? EPERM : unknown ? ENOSYS : ALLOW;

            assertThat(run(GUEST, X86_64, call)).as("call %d", call).isEqualTo(expected);
        }
    }

    @Test
    void refusesTheSameCallsByTheNumbersOfTheOtherAbi() {
        for (ByteBuffer filter : List.of(GUEST, SOCKETS)) {
            for (int call : DeniedCalls.all()) {
                assertThat(run(filter, X86_64, call | 0x4000_0000)).isEqualTo(ENOSYS);
            }
            assertThat(run(filter, X86_64, -1)).isEqualTo(ENOSYS);
        }
    }

    @Test
    void killsWhatComesByAnotherArchitecture() {
        for (ByteBuffer filter : List.of(GUEST, SOCKETS)) {
            assertThat(run(filter, AARCH64, 0)).isEqualTo(KILL_PROCESS);
            assertThat(run(filter, 0x4000_0003, 26)).isEqualTo(KILL_PROCESS);
        }
    }

    @Test
    void letsThreadsBeMadeButNoProcessesAndNoNamespaces() {
        int thread = 0x003d_0f00;
        assertThat(run(GUEST, X86_64, CLONE, thread)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, CLONE, thread & ~0x1_0000)).isEqualTo(EPERM);
        for (int bit : new int[] {17, 25, 26, 27, 28, 29, 30}) {
            assertThat(run(GUEST, X86_64, CLONE, thread | 1 << bit))
                    .as("bit %d", bit)
                    .isEqualTo(EPERM);
        }
    }

    @Test
    void letsAGuestSignalItselfAlone() {
        for (int call : SIGNALS) {
            assertThat(run(GUEST, X86_64, call, PID)).isEqualTo(ALLOW);
            for (int other : new int[] {PID - 1, PID + 1, 1, 0, -1, -PID}) {
                assertThat(run(GUEST, X86_64, call, other)).as("%d", other).isEqualTo(EPERM);
            }
        }
    }

    @Test
    void letsAGuestChangeItsOwnLimitsAndPlaceAlone() {
        assertThat(run(GUEST, X86_64, PRLIMIT64, 0)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, PRLIMIT64, PID)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, PRLIMIT64, PID + 1)).isEqualTo(EPERM);
        assertThat(run(GUEST, X86_64, SCHED_SETAFFINITY, 0)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, SCHED_SETAFFINITY, PID + 1)).isEqualTo(EPERM);
    }

    @Test
    void refusesSharedMemoryWithoutAFile() {
        int shared = 1;
        int privately = 2;
        int validated = 3;
        int anonymous = 0x20;
        int noReserve = 0x4000;
        for (int flags : new int[] {shared, validated, privately | anonymous | noReserve}) {
            assertThat(run(GUEST, X86_64, MMAP, 0, 4096, 3, flags)).isEqualTo(ALLOW);
        }
        for (int flags : new int[] {shared, validated}) {
            assertThat(run(GUEST, X86_64, MMAP, 0, 4096, 3, flags | anonymous)).isEqualTo(EPERM);
        }
    }

    @Test
    void refusesFilesWithoutAName() {
        int temporary = 0x41_0000;
        assertThat(run(GUEST, X86_64, 2, 0, temporary)).isEqualTo(EPERM);
        assertThat(run(GUEST, X86_64, 257, 0, 0, temporary)).isEqualTo(EPERM);
        assertThat(run(GUEST, X86_64, 2, 0, 0x8_0242)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, 257, 0, 0, 0x8_0242)).isEqualTo(ALLOW);
    }

    @Test
    void doesNotTypeIntoTerminals() {
        assertThat(run(GUEST, X86_64, IOCTL, 0, 0x5412)).isEqualTo(EPERM);
        assertThat(run(GUEST, X86_64, IOCTL, 0, 0x541c)).isEqualTo(EPERM);
        assertThat(run(GUEST, X86_64, IOCTL, 0, 0x5413)).isEqualTo(ALLOW);
    }

    @Test
    void makesAndConnectsNoSocketWhereThatIsTheOnlyWall() {
        Set<Integer> refused = Set.of(SOCKET, CONNECT, BIND);
        for (int call = 0; call <= LAST_CALL; call++) {
            assertThat(run(SOCKETS, X86_64, call))
                    .as("call %d", call)
                    .isEqualTo(refused.contains(call) ? EPERM : ALLOW);
        }
    }

    private static int run(ByteBuffer code, int architecture, int call, int... arguments) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.nativeOrder());
        data.putInt(0, call).putInt(4, architecture);
        for (int i = 0; i < arguments.length; i++) {
            data.putInt(16 + 8 * i, arguments[i]);
        }
        int accumulator = 0;
        for (int at = 0; ; at++) {
            int operand = code.getInt(8 * at + 4);
            int ifTrue = Byte.toUnsignedInt(code.get(8 * at + 2));
            int ifFalse = Byte.toUnsignedInt(code.get(8 * at + 3));
            switch (code.getShort(8 * at)) {
                case 0x20 -> accumulator = data.getInt(operand);
                case 0x54 -> accumulator &= operand;
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
