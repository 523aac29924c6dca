package io.hyperverbs.vmm.sandbox;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Runs the filter's instructions as the kernel does. */
class CallFilterTest {
    static final int X86_64 = 0xc000_003e;
    private static final int AARCH64 = 0xc000_00b7;
    static final int ALLOW = 0x7fff_0000;
    private static final int KILL_PROCESS = 0x8000_0000;
    static final int EPERM = 0x0005_0001;
    static final int ENOSYS = 0x0005_0026;

    static final int PID = 4711;

    private static final int OPEN = 2;
    private static final int MMAP = 9;
    private static final int IOCTL = 16;
    private static final int MADVISE = 28;
    private static final int SOCKET = 41;
    private static final int CONNECT = 42;
    private static final int SOCKETPAIR = 53;
    private static final int SETSOCKOPT = 54;
    private static final int CLONE = 56;
    private static final int FCNTL = 72;
    private static final int PRCTL = 157;
    private static final int OPENAT = 257;
    private static final int PRLIMIT64 = 302;
    private static final int ACCEPT4 = 288;
    private static final int FIRST_NEW_CALL = 424;
    static final int LAST_CALL = 1023;

    /** kill, tgkill. */
    private static final Set<Integer> SIGNALS = Set.of(62, 234);

    /** Allowed to the test's arguments, which are all zero: one line of a trace each. */
    private static final Set<Integer> WITH_ZEROS = Set.of(OPEN, OPENAT, MMAP, FCNTL, PRLIMIT64, CONNECT);

    /** connect, ftruncate, rename, mkdir, rmdir, unlink, unlinkat. */
    private static final Set<Integer> ONLY_WITH_WALLS = Set.of(CONNECT, 77, 82, 83, 84, 87, 263);

    private static final ByteBuffer GUEST = CallFilter.forGuests(PID, true);
    private static final ByteBuffer WITHOUT_WALLS = CallFilter.forGuests(PID, false);

    @Test
    void allowsTheListedCallsAndNoOther() {
        Set<Integer> allowed = Arrays.stream(AllowedCalls.all()).boxed().collect(toSet());
        assertThat(allowed).hasSize(AllowedCalls.all().length);
        for (int call = 0; call <= LAST_CALL; call++) {
            int refused = call < FIRST_NEW_CALL ? EPERM : ENOSYS;
            boolean passes = allowed.contains(call) || WITH_ZEROS.contains(call);

            assertThat(run(GUEST, X86_64, call)).as("call %d", call).isEqualTo(passes ? ALLOW : refused);
            assertThat(run(WITHOUT_WALLS, X86_64, call))
                    .as("call %d", call)
                    .isEqualTo(passes && !ONLY_WITH_WALLS.contains(call) ? ALLOW : refused);
        }
    }

    /** By the names of their groups, as whoever reads the list may not know the numbers. */
    @Test
    void listsNoCallThatReachesOthers() {
        int[] others = {
            57,
            58,
            59,
            322, // fork, vfork, execve, execveat
            90,
            91,
            268,
            452, // chmod, fchmod, fchmodat, fchmodat2
            92,
            93,
            94,
            260, // chown, fchown, lchown, fchownat
            132,
            235,
            261,
            280, // utime, utimes, futimesat, utimensat
            188,
            189,
            190,
            197,
            198,
            199,
            463,
            466, // setxattr and removexattr
            80,
            81,
            161,
            133,
            259, // chdir, fchdir, chroot, mknod, mknodat
            86,
            265,
            88,
            266,
            285, // link, linkat, symlink, symlinkat, fallocate
            49,
            50,
            43,
            288, // bind, listen, accept, accept4
            203,
            141,
            142,
            144,
            314,
            251, // places, priorities and classes of processors
            206,
            207,
            208,
            209,
            210,
            333,
            425,
            426,
            427, // io_setup and io_uring
            101,
            310,
            311,
            312,
            434,
            438,
            319,
            447, // other processes, memory files
            29,
            30,
            64,
            68,
            240,
            323,
            298,
            321, // System V, message queues, surface
            250,
            248,
            175,
            246,
            165,
            272,
            308,
            317 // keys, modules, namespaces, filters
        };
        for (int call : others) {
            assertThat(AllowedCalls.all()).as("call %d", call).doesNotContain(call);
            assertThat(run(GUEST, X86_64, call)).isNotEqualTo(ALLOW);
        }
    }

    @Test
    void refusesTheSameCallsByTheNumbersOfTheOtherAbi() {
        for (int call : AllowedCalls.all()) {
            assertThat(run(GUEST, X86_64, call | 0x4000_0000)).isEqualTo(ENOSYS);
        }
        assertThat(run(GUEST, X86_64, -1)).isEqualTo(ENOSYS);
    }

    @Test
    void killsWhatComesByAnotherArchitecture() {
        for (ByteBuffer filter : List.of(GUEST, WITHOUT_WALLS)) {
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
    void letsAGuestSignalAndLimitItselfAlone() {
        for (int call : SIGNALS) {
            assertThat(run(GUEST, X86_64, call, PID)).isEqualTo(ALLOW);
            for (int other : new int[] {PID - 1, PID + 1, 1, 0, -1, -PID}) {
                assertThat(run(GUEST, X86_64, call, other)).as("%d", other).isEqualTo(EPERM);
            }
        }
        assertThat(run(GUEST, X86_64, PRLIMIT64, 0)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, PRLIMIT64, PID)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, PRLIMIT64, PID + 1)).isEqualTo(EPERM);
    }

    @Test
    void refusesMemoryThatNoLimitCounts() {
        int shared = 1;
        int privately = 2;
        int validated = 3;
        int anonymous = 0x20;
        int stack = 0x2_0000;
        int noReserve = 0x4000;
        for (int flags : new int[] {shared, validated, privately | anonymous | noReserve | stack}) {
            assertThat(run(GUEST, X86_64, MMAP, 0, 4096, 3, flags)).isEqualTo(ALLOW);
        }
        int growsDown = 0x100;
        int huge = 0x4_0000;
        for (int flags : new int[] {
            shared | anonymous, validated | anonymous, privately | anonymous | growsDown, privately | anonymous | huge
        }) {
            assertThat(run(GUEST, X86_64, MMAP, 0, 4096, 3, flags)).isEqualTo(EPERM);
        }
    }

    @Test
    void refusesFilesWithoutAName() {
        int temporary = 0x41_0000;
        assertThat(run(GUEST, X86_64, OPEN, 0, temporary)).isEqualTo(EPERM);
        assertThat(run(GUEST, X86_64, OPENAT, 0, 0, temporary)).isEqualTo(EPERM);
        assertThat(run(GUEST, X86_64, OPEN, 0, 0x8_0242)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, OPENAT, 0, 0, 0x8_0242)).isEqualTo(ALLOW);
    }

    @Test
    void opensNoFileForWritingWhereThatIsTheOnlyWall() {
        int forReading = 0x8_0000;
        assertThat(run(WITHOUT_WALLS, X86_64, OPEN, 0, forReading)).isEqualTo(ALLOW);
        assertThat(run(WITHOUT_WALLS, X86_64, OPENAT, 0, 0, forReading)).isEqualTo(ALLOW);
        // O_WRONLY, O_RDWR, both, O_CREAT, O_TRUNC, O_TMPFILE.
        for (int flag : new int[] {1, 2, 3, 0x40, 0x200, 0x41_0000}) {
            assertThat(run(WITHOUT_WALLS, X86_64, OPEN, 0, flag)).isEqualTo(EPERM);
            assertThat(run(WITHOUT_WALLS, X86_64, OPENAT, 0, 0, flag)).isEqualTo(EPERM);
        }
    }

    @Test
    void makesUnixStreamSocketsAlone() {
        int stream = 1;
        int flags = 0x8_0800;
        for (int call : new int[] {SOCKET, SOCKETPAIR}) {
            assertThat(run(GUEST, X86_64, call, 1, stream)).isEqualTo(ALLOW);
            assertThat(run(GUEST, X86_64, call, 1, stream | flags)).isEqualTo(ALLOW);
            for (int type : new int[] {2, 3, 4, 5, 6, 10}) {
                assertThat(run(GUEST, X86_64, call, 1, type | flags)).isEqualTo(EPERM);
            }
            // IPv4, IPv6, netlink, packets, keys, kernel crypto, vsock, XDP.
            for (int family : new int[] {0, 2, 10, 16, 17, 15, 38, 40, 44}) {
                assertThat(run(GUEST, X86_64, call, family, stream)).isEqualTo(EPERM);
            }
        }
        assertThat(run(WITHOUT_WALLS, X86_64, SOCKET, 1, stream)).isEqualTo(EPERM);
        assertThat(run(WITHOUT_WALLS, X86_64, CONNECT)).isEqualTo(EPERM);
    }

    @Test
    void allowsDescriptorsCommandsThatNameNobodyAlone() {
        Set<Integer> commands = Set.of(0, 1, 2, 3, 4, 5, 6, 7, 1030);
        // F_SETOWN is 8, F_SETSIG 10, F_SETOWN_EX 15, F_ADD_SEALS 1033, F_SETPIPE_SZ 1031.
        for (int command = 0; command <= 1100; command++) {
            assertThat(run(GUEST, X86_64, FCNTL, 3, command))
                    .as("command %d", command)
                    .isEqualTo(commands.contains(command) ? ALLOW : EPERM);
        }
        assertThat(run(GUEST, X86_64, IOCTL, 0, 0x5413)).isEqualTo(ALLOW);
        // TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP, FIOASYNC, TIOCSCTTY, FS_IOC_SETFLAGS.
        for (int request : new int[] {0x5412, 0x541c, 0x8901, 0x8902, 0x5452, 0x540e, 0x40086602}) {
            assertThat(run(GUEST, X86_64, IOCTL, 0, request)).isEqualTo(EPERM);
        }
    }

    @Test
    void allowsItsOwnNamesAdviceAndSocketBuffersAlone() {
        assertThat(run(GUEST, X86_64, PRCTL, 15)).isEqualTo(ALLOW);
        // PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_PTRACER, PR_SET_MM.
        for (int option : new int[] {4, 22, 0x5961_6d61, 35}) {
            assertThat(run(GUEST, X86_64, PRCTL, option)).isEqualTo(EPERM);
        }
        int dontNeed = 4;
        int remove = 9;
        assertThat(run(GUEST, X86_64, MADVISE, 0, 4096, dontNeed)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, MADVISE, 0, 4096, remove)).isEqualTo(EPERM);
        int attachFilter = 26;
        assertThat(run(GUEST, X86_64, SETSOCKOPT, 3, 1, 7)).isEqualTo(ALLOW);
        assertThat(run(GUEST, X86_64, SETSOCKOPT, 3, 1, attachFilter)).isEqualTo(EPERM);
        assertThat(run(GUEST, X86_64, SETSOCKOPT, 3, 0, 7)).isEqualTo(EPERM);
    }

    @Test
    void aListeningGuestAcceptsBesides() {
        ByteBuffer listening = CallFilter.forListeningGuests(PID);
        for (int call = 0; call <= LAST_CALL; call++) {
            assertThat(run(listening, X86_64, call))
                    .as("call %d", call)
                    .isEqualTo(call == ACCEPT4 ? ALLOW : run(GUEST, X86_64, call));
        }
    }

    /** What the filter answers. */
    static int run(ByteBuffer code, int architecture, int call, int... arguments) {
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
                case 0x35 -> at += Integer.compareUnsigned(accumulator, operand) >= 0 ? ifTrue : ifFalse;
                case 0x06 -> {
                    return operand;
                }
                default -> throw new AssertionError("instruction " + code.getShort(8 * at));
            }
        }
    }
}
