package io.hyperverbs.vmm.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/**
 * Confines the calling thread, and what it starts or becomes, to named files ({@code landlock(7)}):
 * no other file, no TCP, no signal or abstract socket out of its domain, no look into a process
 * outside it. Other threads of the process stay as they are.
 */
public final class Landlock {
    /** What a path may be used for. */
    public enum Use {
        READ(READ_FILE | READ_DIR),
        /** Read, and start programs or be loaded by them. */
        RUN(READ_FILE | READ_DIR | EXECUTE),
        /**
         * Read, write, and make files and folders, but start nothing. What is made stays, so that
         * whoever counts it sees all of it.
         */
        WRITE(READ_FILE | READ_DIR | WRITE_FILE | TRUNCATE | MAKE_DIR | MAKE_REG);

        private final long rights;

        Use(long rights) {
            this.rights = rights;
        }
    }

    /** One permission: {@code path} and all below it. A path that is not there is passed over. */
    public record Rule(Path path, Use use) {}

    /** The first ABI that keeps signals and abstract sockets inside. */
    public static final int ABI_SCOPES = 6;

    private static final int ABI_TRUNCATE = 3;
    private static final int ABI_NETWORK = 4;
    private static final int ABI_DEVICES = 5;

    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_DIR = 1 << 3;
    private static final long MAKE_DIR = 1 << 7;
    private static final long MAKE_REG = 1 << 8;
    private static final long TRUNCATE = 1 << 14;

    /** Rights that a rule for a single file may have. */
    private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;

    /** All of the first ABI: 13 rights. */
    private static final long FIRST_RIGHTS = (1 << 13) - 1;

    private static final long REFER = 1 << 13;
    private static final long IOCTL_DEV = 1 << 15;
    private static final long TCP_BIND_AND_CONNECT = 3;
    private static final long ABSTRACT_SOCKETS_AND_SIGNALS = 3;

    private static final long SYS_CREATE_RULESET = 444;
    private static final long SYS_ADD_RULE = 445;
    private static final long SYS_RESTRICT_SELF = 446;
    private static final long VERSION = 1;
    private static final long PATH_BENEATH = 1;

    /** {@code struct landlock_ruleset_attr}: files, network (ABI 4), scopes (ABI 6). */
    private static final long RULESET_BYTES = 24;

    /** {@code struct landlock_path_beneath_attr}, packed: rights, then a descriptor. */
    private static final long RULE_BYTES = 12;

    private static final int O_PATH_CLOEXEC = 0x20_0000 | 0x8_0000;

    private static final CFunction SYSCALL = CFunction.of("syscall");

    private Landlock() {}

    /** What the kernel offers; 0 if nothing. */
    public static int abi() {
        int abi = SYSCALL.call(SYS_CREATE_RULESET, 0, 0, VERSION);
        return Math.max(0, abi);
    }

    /**
     * From now on, for good, the calling thread may do to files what {@code rules} say and no more.
     *
     * @throws PosixException EPERM unless new privileges were given up before; ENOSYS without
     *     Landlock
     */
    public static void confine(Collection<Rule> rules) throws PosixException {
        int abi = abi();
        long handled = handledRights(abi);
        try (Arena arena = Arena.ofConfined();
                Fd ruleset = ruleset(arena, abi, handled)) {
            for (Rule rule : rules) {
                if (Files.exists(rule.path())) {
                    add(arena, ruleset, rule, handled);
                }
            }
            int result = SYSCALL.call(SYS_RESTRICT_SELF, ruleset.number(), 0);
            CLibrary.check(result, "landlock_restrict_self");
        }
    }

    private static long handledRights(int abi) {
        return FIRST_RIGHTS
                | (abi > 1 ? REFER : 0)
                | (abi >= ABI_TRUNCATE ? TRUNCATE : 0)
                | (abi >= ABI_DEVICES ? IOCTL_DEV : 0);
    }

    private static Fd ruleset(Arena arena, int abi, long handled) throws PosixException {
        MemorySegment attributes = arena.allocate(RULESET_BYTES, Long.BYTES);
        attributes.set(JAVA_LONG, 0, handled);
        attributes.set(JAVA_LONG, 8, abi >= ABI_NETWORK ? TCP_BIND_AND_CONNECT : 0);
        attributes.set(JAVA_LONG, 16, abi >= ABI_SCOPES ? ABSTRACT_SOCKETS_AND_SIGNALS : 0);
        // An older kernel takes longer attributes as long as the rest is zero.
        int number = SYSCALL.call(SYS_CREATE_RULESET, attributes.address(), RULESET_BYTES, 0);
        return new Fd(CLibrary.check(number, "landlock_create_ruleset"));
    }

    private static void add(Arena arena, Fd ruleset, Rule rule, long handled) throws PosixException {
        try (Fd file = Fd.open(rule.path(), O_PATH_CLOEXEC)) {
            long rights = rule.use().rights & handled;
            if (!Files.isDirectory(rule.path())) {
                rights &= OF_FILES;
            }
            MemorySegment attributes = arena.allocate(RULE_BYTES);
            attributes.set(JAVA_LONG_UNALIGNED, 0, rights);
            attributes.set(JAVA_INT_UNALIGNED, 8, file.number());
            int result = SYSCALL.call(SYS_ADD_RULE, ruleset.number(), PATH_BENEATH, attributes.address(), 0);
            CLibrary.check(result, "landlock_add_rule " + rule.path());
        }
    }
}
