package io.hyperverbs.vmm.sandbox;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * System calls that a guest may make whatever their arguments are, by group, with their numbers on
 * x86-64. Made from traces of guests by {@code .ci/guest-calls}, and what the JDK makes in their
 * place (docs/adr/0020); those whose arguments count are in {@link CallFilter}.
 */
enum AllowedCalls {
    /** Reading and writing by descriptor. */
    DESCRIPTORS(
            0, // read
            1, // write
            3, // close
            8, // lseek
            17, // pread64
            18, // pwrite64
            19, // readv
            20, // writev
            295, // preadv
            296, // pwritev
            32, // dup
            33, // dup2
            292, // dup3
            22, // pipe
            293, // pipe2
            40, // sendfile
            74, // fsync
            75, // fdatasync
            73, // flock
            221, // fadvise64
            326), // copy_file_range
    /** Files by name, but neither their modes, owners, times nor attributes. */
    NAMES(
            4, // stat
            5, // fstat
            6, // lstat
            262, // newfstatat
            332, // statx
            137, // statfs
            138, // fstatfs
            21, // access
            269, // faccessat
            89, // readlink
            267, // readlinkat
            78, // getdents
            217, // getdents64
            79), // getcwd
    /** Changes of files, where it has a file system of its own. */
    CHANGES(
            77, // ftruncate
            82, // rename
            83, // mkdir
            84, // rmdir
            87, // unlink
            263), // unlinkat
    /** Memory of its own. */
    MEMORY(
            10, // mprotect
            11, // munmap
            12, // brk
            25, // mremap
            26, // msync
            27, // mincore
            324), // membarrier
    /** Threads and what they wait for. */
    THREADS(
            24, // sched_yield
            35, // nanosleep
            60, // exit
            186, // gettid
            202, // futex
            204, // sched_getaffinity
            219, // restart_syscall
            230, // clock_nanosleep
            231, // exit_group
            273, // set_robust_list
            309, // getcpu
            334, // rseq
            7, // poll
            271, // ppoll
            213, // epoll_create
            291, // epoll_create1
            233, // epoll_ctl
            232, // epoll_wait
            281, // epoll_pwait
            441, // epoll_pwait2
            290, // eventfd2
            283, // timerfd_create
            286, // timerfd_settime
            287), // timerfd_gettime
    /** What to do with signals to itself. */
    SIGNALS(
            13, // rt_sigaction
            14, // rt_sigprocmask
            15, // rt_sigreturn
            131), // sigaltstack
    /** Connections that are there. */
    CONNECTIONS(
            44, // sendto
            45, // recvfrom
            46, // sendmsg
            47, // recvmsg
            48, // shutdown
            51, // getsockname
            52, // getpeername
            55), // getsockopt
    /** About the computer and itself. */
    QUESTIONS(
            39, // getpid
            63, // uname
            96, // gettimeofday
            97, // getrlimit
            98, // getrusage
            99, // sysinfo
            100, // times
            102, // getuid
            104, // getgid
            107, // geteuid
            108, // getegid
            110, // getppid
            115, // getgroups
            201, // time
            228, // clock_gettime
            229, // clock_getres
            318); // getrandom

    @SuppressWarnings("ImmutableEnumChecker") // never written
    private final int[] numbers;

    AllowedCalls(int... numbers) {
        this.numbers = numbers;
    }

    /** All of them, each once, in order. */
    static int[] all() {
        return numbers(EnumSet.allOf(AllowedCalls.class));
    }

    /** Those that change no file. */
    static int[] withoutChanges() {
        return numbers(EnumSet.complementOf(EnumSet.of(CHANGES)));
    }

    private static int[] numbers(Set<AllowedCalls> groups) {
        return groups.stream()
                .flatMapToInt(group -> IntStream.of(group.numbers))
                .sorted()
                .toArray();
    }
}
