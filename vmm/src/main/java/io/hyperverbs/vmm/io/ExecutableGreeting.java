package io.hyperverbs.vmm.io;

import static io.hyperverbs.vmm.io.Field.string;
import static io.hyperverbs.vmm.io.Field.uint32;
import static io.hyperverbs.vmm.io.Field.uint64;

import io.hyperverbs.verbs.VerbsStatus;

/**
 * What a guest's driver says first to an executable that connects, as executable.proto has it.
 *
 * @param version of what follows
 * @param status code of a {@link VerbsStatus}; not 0: the connection ends here
 * @param message why, if it ends here
 * @param memoryBytes of the executable's memory
 * @param domain name of the guest
 */
public record ExecutableGreeting(int version, int status, String message, long memoryBytes, String domain) {
    private static final int VERSION = 1;

    private static final Shape<ExecutableGreeting> SHAPE = Shape.of(
            ExecutableGreeting.class,
            uint32("version", 1),
            uint32("status", 2),
            string("message", 3),
            uint64("memory_bytes", 4),
            string("domain", 5));

    /** To one that has memory. */
    public static ExecutableGreeting welcome(String domain, long memoryBytes) {
        return new ExecutableGreeting(VERSION, 0, "", memoryBytes, domain);
    }

    /** To one that is not served. */
    public static ExecutableGreeting refusal(String domain, VerbsStatus status, String message) {
        return new ExecutableGreeting(VERSION, status.code(), message, 0, domain);
    }

    /** As it lies in its packet. */
    public byte[] bytes() {
        return SHAPE.bytes(this);
    }
}
