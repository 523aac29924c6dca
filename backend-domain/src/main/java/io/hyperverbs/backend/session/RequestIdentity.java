package io.hyperverbs.backend.session;

import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What two equal requests have in common and no two others: the request itself, or the SHA-256 of
 * its message where it can be large. A hash of 32 bits would let a hostile domain have one request
 * answered for another. Holds at most {@value #KEPT_RUNS} frame runs or 32 bytes.
 */
sealed interface RequestIdentity {
    /** A registration with more runs of frames is known by its digest. */
    int KEPT_RUNS = 16;

    /** The request itself; small. */
    record Whole(ControlRequest request) implements RequestIdentity {}

    /** SHA-256 of the request's message, in hexadecimal digits. */
    record Digest(String sha256) implements RequestIdentity {}

    static RequestIdentity of(ControlRequest request) {
        return switch (request) {
            case ControlRequest.RegisterMemory r when isLong(r.runs()) -> digest(request);
            case ControlRequest.RegisterRing r when isLong(r.runs()) -> digest(request);
            case ControlRequest.ReregisterMemory r when isLong(r.runs()) -> digest(request);
            // Names and private data, as long as a message may be.
            case ControlRequest.Management _ -> digest(request);
            default -> new Whole(request);
        };
    }

    private static boolean isLong(List<FrameRun> runs) {
        return runs.size() > KEPT_RUNS;
    }

    private static Digest digest(ControlRequest request) {
        try {
            byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(ControlCodec.bytesOf(request));
            return new Digest(HexFormat.of().formatHex(sha256));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
