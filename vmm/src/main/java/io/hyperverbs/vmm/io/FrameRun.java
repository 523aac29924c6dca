package io.hyperverbs.vmm.io;

/**
 * Consecutive machine frames of 4096 bytes.
 *
 * @param firstFrame machine frame number, from 0
 * @param count at least 1
 */
public record FrameRun(long firstFrame, long count) {
    public static final int FRAME_BYTES = 4096;

    public FrameRun {
        if (firstFrame < 0 || count < 1 || count > Long.MAX_VALUE / FRAME_BYTES - firstFrame) {
            throw new ProtocolViolation("frame run " + firstFrame + " + " + count + " is out of range");
        }
    }

    public long firstMachineAddress() {
        return firstFrame * FRAME_BYTES;
    }

    public long lengthBytes() {
        return count * FRAME_BYTES;
    }
}
