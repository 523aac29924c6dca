package io.hyperverbs.backend.cm;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.cm.RejectReason;
import java.nio.ByteBuffer;

/** Additional information of REJs: what would have been accepted (IBA 12.6.7.2). Stateless. */
final class RejectInformation {
    private RejectInformation() {}

    /** What a REJ of a REQ adds to its reason. */
    static PrivateData of(RejectReason reason, LocalPort port) {
        return switch (reason) {
            case INVALID_GID -> gid(port.gid());
            case TIMEOUT -> caGuid(port.caGuid());
            default -> PrivateData.none();
        };
    }

    static PrivateData caGuid(long guid) {
        return PrivateData.of(ByteBuffer.allocate(Long.BYTES).putLong(guid).array());
    }

    private static PrivateData gid(Gid gid) {
        return PrivateData.of(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(gid.prefix())
                .putLong(gid.interfaceId())
                .array());
    }
}
