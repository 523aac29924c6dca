package io.hyperverbs.vmm.sandbox;

import static io.hyperverbs.vmm.sandbox.CallFilterTest.ALLOW;
import static io.hyperverbs.vmm.sandbox.CallFilterTest.ENOSYS;
import static io.hyperverbs.vmm.sandbox.CallFilterTest.EPERM;
import static io.hyperverbs.vmm.sandbox.CallFilterTest.LAST_CALL;
import static io.hyperverbs.vmm.sandbox.CallFilterTest.PID;
import static io.hyperverbs.vmm.sandbox.CallFilterTest.X86_64;
import static io.hyperverbs.vmm.sandbox.CallFilterTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The filter of who starts executables in a guest, beside that of its driver. */
class ExecutableFilterTest {
    private static final int MMAP = 9;
    private static final int SOCKET = 41;
    private static final int CLONE = 56;
    private static final int FCNTL = 72;
    private static final int MKNOD = 133;
    private static final int PRCTL = 157;
    private static final int MKNODAT = 259;
    private static final int PRLIMIT64 = 302;
    private static final int SECCOMP = 317;

    private static final ByteBuffer DRIVER = CallFilter.forGuests(PID, true);
    private static final ByteBuffer LISTENING = CallFilter.forListeningGuests(PID);
    private static final ByteBuffer EXECUTABLE = CallFilter.forExecutables();

    /** The driver has both filters, and works as if it had its own alone. */
    @Test
    void executablesMayMakeAllCallsOfAGuest() {
        for (int call = 0; call <= LAST_CALL; call++) {
            if (run(DRIVER, X86_64, call) == ALLOW) {
                assertThat(run(EXECUTABLE, X86_64, call)).as("call %d", call).isEqualTo(ALLOW);
            }
        }
        int thread = 0x003d_0f00;
        assertThat(run(EXECUTABLE, X86_64, CLONE, thread)).isEqualTo(ALLOW);
        assertThat(run(EXECUTABLE, X86_64, SOCKET, 1, 1)).isEqualTo(ALLOW);
        assertThat(run(EXECUTABLE, X86_64, SECCOMP)).isEqualTo(ALLOW);
        assertThat(run(EXECUTABLE, X86_64, PRLIMIT64, 0)).isEqualTo(ALLOW);
    }

    @Test
    void executablesStartProcessesButNoNamespaces() {
        int fork = 0x0120_0011;
        assertThat(run(EXECUTABLE, X86_64, CLONE, fork)).isEqualTo(ALLOW);
        for (int bit : new int[] {17, 25, 26, 27, 28, 29, 30}) {
            assertThat(run(EXECUTABLE, X86_64, CLONE, fork | 1 << bit))
                    .as("bit %d", bit)
                    .isEqualTo(EPERM);
        }
        // unshare, setns, mount, umount2, pivot_root, chroot; clone3, whose flags a filter cannot see.
        for (int call : new int[] {272, 308, 165, 166, 155, 161}) {
            assertThat(run(EXECUTABLE, X86_64, call)).as("call %d", call).isEqualTo(EPERM);
        }
        assertThat(run(EXECUTABLE, X86_64, 435)).isEqualTo(ENOSYS);
    }

    @Test
    void executablesReachNoOtherProcessAndNoMemoryThatNoLimitCounts() {
        assertThat(run(EXECUTABLE, X86_64, PRLIMIT64, PID)).isEqualTo(EPERM);
        // ptrace, process_vm_readv and writev, kcmp, pidfd_getfd is newer; memfd_create, System V, keys, bpf, perf,
        // io_uring.
        for (int call : new int[] {101, 310, 311, 312, 319, 29, 30, 64, 68, 248, 250, 321, 298, 425, 438, 240}) {
            assertThat(run(EXECUTABLE, X86_64, call)).as("call %d", call).isNotEqualTo(ALLOW);
        }
        int privateHuge = 0x4_0022;
        int sharedAnonymous = 0x21;
        assertThat(run(EXECUTABLE, X86_64, MMAP, 0, 4096, 3, privateHuge)).isEqualTo(EPERM);
        assertThat(run(EXECUTABLE, X86_64, MMAP, 0, 4096, 3, sharedAnonymous)).isEqualTo(EPERM);
    }

    /** F_SETOWN and F_GETOWN, as they may kill anyway; not F_SETSIG and F_SETOWN_EX. */
    @Test
    void executablesOwnSignalsOfDescriptorsButDoNotChooseThem() {
        for (int command = 8; command <= 15; command++) {
            assertThat(run(EXECUTABLE, X86_64, FCNTL, 3, command)).isEqualTo(command < 10 ? ALLOW : EPERM);
        }
    }

    @Test
    void executablesMakeNamedPipesButNoOtherNodes() {
        for (int kind : new int[] {0, 0x2000, 0x6000, 0x8000, 0xc000}) {
            assertThat(run(EXECUTABLE, X86_64, MKNOD, 0, kind | 0600)).isEqualTo(EPERM);
            assertThat(run(EXECUTABLE, X86_64, MKNODAT, 0, 0, kind | 0600)).isEqualTo(EPERM);
        }
        assertThat(run(EXECUTABLE, X86_64, MKNOD, 0, 0x1000 | 0600)).isEqualTo(ALLOW);
        assertThat(run(EXECUTABLE, X86_64, MKNODAT, 0, 0, 0x1000 | 0600)).isEqualTo(ALLOW);
    }

    @Test
    void executablesHaveSocketsOfTheirNetworkAlone() {
        for (int family : new int[] {1, 2, 10, 16}) {
            assertThat(run(EXECUTABLE, X86_64, SOCKET, family, 1)).isEqualTo(ALLOW);
        }
        for (int family : new int[] {0, 15, 17, 31, 38, 40, 44}) {
            assertThat(run(EXECUTABLE, X86_64, SOCKET, family, 1)).isEqualTo(EPERM);
        }
    }

    @Test
    void executablesMayGiveUpPrivilegesAndTheDriverMayNot() {
        // setuid, capget, capset.
        for (int call : new int[] {105, 125, 126}) {
            assertThat(run(EXECUTABLE, X86_64, call)).as("call %d", call).isEqualTo(ALLOW);
            assertThat(run(DRIVER, X86_64, call)).as("call %d", call).isEqualTo(EPERM);
            assertThat(run(LISTENING, X86_64, call)).as("call %d", call).isEqualTo(EPERM);
        }
        int keepCapabilities = 8;
        assertThat(run(EXECUTABLE, X86_64, PRCTL, keepCapabilities)).isEqualTo(ALLOW);
        assertThat(run(DRIVER, X86_64, PRCTL, keepCapabilities)).isEqualTo(EPERM);
        assertThat(run(LISTENING, X86_64, PRCTL, keepCapabilities)).isEqualTo(EPERM);
    }
}
