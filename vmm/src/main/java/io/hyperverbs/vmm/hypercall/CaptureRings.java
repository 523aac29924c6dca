package io.hyperverbs.vmm.hypercall;

import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.capture.CaptureRingWriter;
import io.hyperverbs.vmm.hypercall.wire.CaptureStartNotice;
import io.hyperverbs.vmm.posix.Fd;
import io.hyperverbs.vmm.posix.MemoryMap;
import io.hyperverbs.vmm.posix.PosixException;
import java.lang.foreign.Arena;
import java.util.List;

/** The writing ends of a capture's two rings, mapped into this process until closed. */
public final class CaptureRings implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final CaptureRingWriter packets;
    private final CaptureRingWriter verbs;

    private CaptureRings(CaptureStartNotice start, List<Fd> descriptors) throws PosixException {
        packets =
                new CaptureRingWriter(MemoryMap.map(descriptors.getFirst(), start.getPacketRingBytes(), false, arena));
        verbs = new CaptureRingWriter(MemoryMap.map(descriptors.getLast(), start.getVerbRingBytes(), false, arena));
    }

    /** Maps them, and closes the descriptors. */
    static CaptureRings map(CaptureStartNotice start, List<Fd> descriptors) throws HypercallException {
        try {
            if (descriptors.size() != 2) {
                throw new HypercallException(VerbsStatus.ENOMEM, "out of descriptors");
            }
            return new CaptureRings(start, descriptors);
        } catch (PosixException | IllegalArgumentException e) {
            throw new HypercallException(VerbsStatus.ENOMEM, String.valueOf(e.getMessage()));
        } finally {
            descriptors.forEach(Fd::close);
        }
    }

    /** For the engine's thread. */
    public CaptureRingWriter packets() {
        return packets;
    }

    /** For one thread at a time. */
    public CaptureRingWriter verbs() {
        return verbs;
    }

    /** Nobody may write to them any more. */
    @Override
    public void close() {
        arena.close();
    }
}
