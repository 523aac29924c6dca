package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.DomainMemory;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Buffers out of the domain's RAM. */
@CaseGroup("buffer")
public final class BufferCases {
    private BufferCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (long alignment = 1; alignment <= 4096; alignment *= 8) {
            long bytes = alignment;
            cases.add(
                    "aligned-to-" + bytes,
                    "a buffer has exactly the length and at least the alignment asked for",
                    rig -> aligned(rig, bytes));
        }
    }

    private static void aligned(Rig rig, long alignmentBytes) throws VerbsException {
        for (long length : new long[] {1, 63, 4096, 4097}) {
            MemorySegment buffer = rig.buffer(length, alignmentBytes);
            Expect.equal(length, buffer.byteSize(), "length");
            Expect.isTrue(buffer.isNative(), "the buffer is not native memory");
            Expect.equal(0L, buffer.address() % alignmentBytes, "address modulo alignment");
        }
    }

    @Case("no length, or an alignment that is no power of two up to 4096: EINVAL")
    static void badArguments(Rig rig) {
        DomainMemory memory = rig.domain().memory();
        long[][] bad = {{0, 8}, {-1, 8}, {Long.MIN_VALUE, 8}, {64, 0}, {64, 3}, {64, -8}, {64, 8192}};
        for (long[] pair : bad) {
            Expect.refused(
                    VerbsStatus.EINVAL,
                    pair[0] + " bytes aligned to " + pair[1],
                    () -> memory.allocate(pair[0], pair[1]));
        }
    }

    @Case("more than the domain's RAM: ENOMEM, also where sums would wrap")
    static void tooLarge(Rig rig) {
        DomainMemory memory = rig.domain().memory();
        for (long length : new long[] {memory.capacityBytes() + 1, 1L << 62, Long.MAX_VALUE - 4095, Long.MAX_VALUE}) {
            Expect.refused(VerbsStatus.ENOMEM, length + " bytes", () -> memory.allocate(length, 4096));
        }
    }

    @Case("live buffers do not overlap")
    static void disjoint(Rig rig) throws VerbsException {
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            MemorySegment buffer = rig.buffer(1 + 97L * i, 8);
            buffer.fill((byte) i);
            buffers.add(buffer);
        }
        for (int i = 0; i < buffers.size(); i++) {
            MemorySegment buffer = buffers.get(i);
            for (long at = 0; at < buffer.byteSize(); at++) {
                Expect.equal((byte) i, buffer.get(ValueLayout.JAVA_BYTE, at), "byte of buffer " + i);
            }
        }
    }

    @Case("a buffer is zero when it is handed out, also a second time")
    static void zeroedOnReuse(Rig rig) throws VerbsException {
        DomainMemory memory = rig.domain().memory();
        for (int round = 0; round < 4; round++) {
            MemorySegment buffer = memory.allocate(10_000, 64);
            for (long at = 0; at < buffer.byteSize(); at++) {
                Expect.equal((byte) 0, buffer.get(ValueLayout.JAVA_BYTE, at), "byte " + at);
            }
            buffer.fill((byte) 0xff);
            memory.free(buffer);
        }
    }

    @Case("freeing gives all of a buffer back, whatever the order")
    static void allCanBeHadAgain(Rig rig) throws VerbsException {
        DomainMemory memory = rig.domain().memory();
        // A leak of one piece in a round would use up the RAM long before the last round.
        long piece = Math.max(1, memory.capacityBytes() / 64);
        for (int round = 0; round < 32; round++) {
            MemorySegment first = memory.allocate(piece, 4096);
            MemorySegment second = memory.allocate(piece, 1);
            MemorySegment third = memory.allocate(piece, 64);
            memory.free(second);
            memory.free(first);
            memory.free(third);
        }
    }

    @Case("freeing what was not allocated, or twice: IllegalArgumentException")
    static void freeOfAnythingElse(Rig rig) throws VerbsException {
        DomainMemory memory = rig.domain().memory();
        MemorySegment buffer = memory.allocate(4096, 64);
        refusesToFree(memory, buffer.asSlice(64, 64), "a piece of a buffer");
        refusesToFree(memory, MemorySegment.ofArray(new byte[64]), "an array");
        try (Arena arena = Arena.ofConfined()) {
            refusesToFree(memory, arena.allocate(64), "memory outside the RAM");
        }
        memory.free(buffer);
        refusesToFree(memory, buffer, "a buffer that is free");
    }

    private static void refusesToFree(DomainMemory memory, MemorySegment buffer, String what) throws VerbsException {
        try {
            memory.free(buffer);
        } catch (IllegalArgumentException expected) {
            return;
        }
        throw new AssertionError("freeing " + what + " succeeded");
    }
}
