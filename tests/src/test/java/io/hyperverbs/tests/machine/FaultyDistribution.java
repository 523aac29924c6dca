package io.hyperverbs.tests.machine;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.MappedByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A copy of a distribution whose trusted processes have calls fail at random, while this says so:
 * system calls, records of the journal, threads.
 */
public final class FaultyDistribution {
    private static final String POSIX = "io/hyperverbs/vmm/posix/";
    private static final ClassDesc DICE = ClassDesc.of(FaultDice.class.getName());
    private static final MethodTypeDesc STRIKE = MethodTypeDesc.ofDescriptor("(Ljava/lang/String;Ljava/lang/String;)V");

    private final MappedByteBuffer control;

    private FaultyDistribution(MappedByteBuffer control) {
        this.control = control;
    }

    /**
     * Makes one, without faults for now.
     *
     * @param original folder with {@code host/} and {@code guest/}
     * @param copy where; what was there is replaced
     * @param file made; by it the processes are told
     */
    public static FaultyDistribution make(Path original, Path copy, Path file, long seed) throws IOException {
        Files.write(file, new byte[FaultDice.BYTES]);
        MappedByteBuffer control = FaultDice.map(file);
        control.putLong(FaultDice.SEED, seed);
        Map<String, ClassTransform> faults = new LinkedHashMap<>();
        String path = file.toString();
        faults.put(POSIX + "SocketCalls.class", at("shortage", path, "accept", "sendmsg", "recvmsg"));
        faults.put(POSIX + "Memfd.class", at("failure", path, "create"));
        faults.put(POSIX + "MemoryMap.class", at("failure", path, "mmap"));
        faults.put(POSIX + "EventFd.class", at("failure", path, "create"));
        faults.put(POSIX + "Fd.class", at("failure", path, "fcntl"));
        faults.put(POSIX + "Epoll.class", at("failure", path, "control", "await"));
        faults.put(
                "io/hyperverbs/backend/journal/Journal.class",
                at("journal", path, "intent", "commit", "undone", "ended"));
        faults.put("io/hyperverbs/vmm/hypercall/HypercallPort.class", at("thread", path, "open"));
        faults.put("io/hyperverbs/vmm/domain/ReserveThreads.class", at("thread", path, "lambda$new$0"));
        try (InputStream dice = FaultDice.class.getResourceAsStream("FaultDice.class")) {
            if (dice == null) {
                throw new IOException("no class file of the dice");
            }
            WovenDistribution.make(
                    original,
                    copy,
                    faults,
                    Map.of(FaultDice.class.getName().replace('.', '/') + ".class", dice.readAllBytes()));
        }
        return new FaultyDistribution(control);
    }

    /** From now on one call in so many fails; 0: none. */
    public void oneIn(int calls) {
        control.putInt(FaultDice.ONE_IN, calls);
    }

    /** Faults so far. */
    public long made() {
        return FaultDice.made(control);
    }

    private static ClassTransform at(String kind, String control, String... methods) {
        Set<String> those = Set.of(methods);
        return ClassTransform.transformingMethodBodies(
                method -> those.contains(method.methodName().stringValue()),
                new AtEntry(kind, String.join(", ", methods), control));
    }

    /** {@code FaultDice.kind(what, control);} */
    private record AtEntry(String kind, String what, String control) implements CodeTransform {
        @Override
        public void atStart(CodeBuilder code) {
            code.ldc(what).ldc(control).invokestatic(DICE, kind, STRIKE);
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
            code.with(element);
        }
    }
}
