package io.hyperverbs.vmm.sandbox;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * System calls that no guest needs, by group, with their numbers on x86-64. Namespaces and file
 * modes stop most of them anyway; the list keeps bugs of the kernel behind them out of reach.
 */
enum DeniedCalls {
    /** Other processes' memory, descriptors and state. */
    INSPECTION(
            101, // ptrace
            310, // process_vm_readv
            311, // process_vm_writev
            312, // kcmp
            438, // pidfd_getfd
            440, // process_madvise
            448, // process_mrelease
            434, // pidfd_open
            424, // pidfd_send_signal
            200), // tkill, which names no process
    /** Other processes' share of the computer. */
    PRIORITIES(
            141, // setpriority
            142, // sched_setparam
            144, // sched_setscheduler
            251, // ioprio_set
            314), // sched_setattr
    /** A guest is one process. */
    PROCESSES(
            57, // fork
            58, // vfork
            59, // execve
            322), // execveat
    /** Memory and messages that no limit of a process counts, or that others could meet. */
    SHARING(
            29, // shmget
            30, // shmat
            31, // shmctl
            64, // semget
            65, // semop
            66, // semctl
            220, // semtimedop
            68, // msgget
            69, // msgsnd
            70, // msgrcv
            71, // msgctl
            240, // mq_open
            241, // mq_unlink
            319, // memfd_create
            447), // memfd_secret
    /** New worlds in which an ordinary user is root. */
    NAMESPACES(
            155, // pivot_root
            161, // chroot
            165, // mount
            166, // umount2
            272, // unshare
            308, // setns
            428, // open_tree
            429, // move_mount
            430, // fsopen
            431, // fsconfig
            432, // fsmount
            433, // fspick
            442, // mount_setattr
            467), // open_tree_attr
    /** Large interfaces of the kernel with a history. */
    KERNEL_SURFACE(
            248, // add_key
            249, // request_key
            250, // keyctl
            298, // perf_event_open
            300, // fanotify_init
            304, // open_by_handle_at
            321, // bpf
            323, // userfaultfd
            425, // io_uring_setup
            426, // io_uring_enter
            427), // io_uring_register
    /** The computer as a whole. */
    COMPUTER(
            135, // personality
            163, // acct
            164, // settimeofday
            167, // swapon
            168, // swapoff
            169, // reboot
            170, // sethostname
            171, // setdomainname
            172, // iopl
            173, // ioperm
            174, // create_module
            175, // init_module
            176, // delete_module
            179, // quotactl
            246, // kexec_load
            305, // clock_adjtime
            159, // adjtimex
            227, // clock_settime
            313, // finit_module
            320, // kexec_file_load
            103, // syslog
            153, // vhangup
            443), // quotactl_fd
    /** Where memory and processes are, which is the VMM's to say. */
    PLACEMENT(
            256, // migrate_pages
            279, // move_pages
            134, // uselib
            139, // sysfs
            136, // ustat
            156, // _sysctl
            180, // nfsservctl
            212); // lookup_dcookie

    @SuppressWarnings("ImmutableEnumChecker") // never written
    private final int[] numbers;

    DeniedCalls(int... numbers) {
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
