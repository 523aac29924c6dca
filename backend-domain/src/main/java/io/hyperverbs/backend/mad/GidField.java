package io.hyperverbs.backend.mad;

import io.hyperverbs.verbs.Gid;

/** A GID in a management datagram: 16 bytes, both halves big-endian. Immutable; any thread. */
public final class GidField {
    private final NumberField prefix;
    private final NumberField interfaceId;

    private GidField(int offset) {
        prefix = NumberField.at(offset, Long.SIZE);
        interfaceId = NumberField.at(offset + Long.BYTES, Long.SIZE);
    }

    static GidField at(int offset) {
        return new GidField(offset);
    }

    public Gid get(byte[] mad) {
        return new Gid(prefix.get(mad), interfaceId.get(mad));
    }

    public void set(byte[] mad, Gid gid) {
        prefix.set(mad, gid.prefix());
        interfaceId.set(mad, gid.interfaceId());
    }
}
