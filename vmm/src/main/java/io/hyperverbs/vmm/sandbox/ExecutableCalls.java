package io.hyperverbs.vmm.sandbox;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * System calls of executables besides those of a guest's driver, whatever their arguments are, by group, with their
 * numbers on x86-64. No namespaces, mounts, keys, tracing of others or memory that no limit counts; those whose
 * arguments count are in {@link CallFilter}.
 */
enum ExecutableCalls {
    /** Processes and groups of them. */
    PROCESSES(
            57, // fork
            58, // vfork
            59, // execve
            61, // wait4
            247, // waitid
            109, // setpgid
            111, // getpgrp
            112, // setsid
            121, // getpgid
            124, // getsid
            118, // getresuid
            120, // getresgid
            140, // getpriority
            143, // sched_getparam
            145, // sched_getscheduler
            146, // sched_get_priority_max
            147, // sched_get_priority_min
            148, // sched_rr_get_interval
            158, // arch_prctl
            160, // setrlimit
            218, // set_tid_address
            274, // get_robust_list
            317), // seccomp: they may give up more
    /** A domain of their own, out of which they signal and look into nobody. */
    APART(
            444, // landlock_create_ruleset
            446), // landlock_restrict_self
    /** Privileges, of which they have none and get none, and their own user: ping and ip look after both first. */
    PRIVILEGES(
            105, // setuid
            125, // capget
            126), // capset
    /** Signals among them. */
    SIGNALS(
            62, // kill
            200, // tkill
            234, // tgkill
            34, // pause
            36, // getitimer
            37, // alarm
            38, // setitimer
            127, // rt_sigpending
            128, // rt_sigtimedwait
            130, // rt_sigsuspend
            282, // signalfd
            289, // signalfd4
            222, // timer_create
            223, // timer_settime
            224, // timer_gettime
            225, // timer_getoverrun
            226), // timer_delete
    /** Files of the guest's own file systems, which limit them. */
    FILES(
            76, // truncate
            80, // chdir
            81, // fchdir
            85, // creat
            86, // link
            88, // symlink
            90, // chmod
            91, // fchmod
            95, // umask
            132, // utime
            235, // utimes
            258, // mkdirat
            264, // renameat
            265, // linkat
            266, // symlinkat
            268, // fchmodat
            280, // utimensat
            285, // fallocate
            316, // renameat2
            187, // readahead
            191, // getxattr
            192, // lgetxattr
            193), // fgetxattr
    /** What is waited for. */
    WAITING(
            23, // select
            270, // pselect6
            284, // eventfd
            436), // close_range
    /** Sockets, which reach the guest's own network. */
    SOCKETS(
            42, // connect
            43, // accept
            49, // bind
            50, // listen
            54, // setsockopt
            288, // accept4
            299, // recvmmsg
            307), // sendmmsg
    /** Memory of its own. */
    MEMORY(
            149, // mlock
            150, // munlock
            239, // get_mempolicy
            325); // mlock2

    @SuppressWarnings("ImmutableEnumChecker") // never written
    private final int[] numbers;

    ExecutableCalls(int... numbers) {
        this.numbers = numbers;
    }

    /** All of them, each once, in order. */
    static int[] all() {
        return Arrays.stream(values())
                .flatMapToInt(group -> IntStream.of(group.numbers))
                .sorted()
                .toArray();
    }
}
