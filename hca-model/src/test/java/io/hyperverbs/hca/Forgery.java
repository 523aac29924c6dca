package io.hyperverbs.hca;

import io.hyperverbs.hca.wire.PacketOpcode;
import java.util.function.Function;

/** A packet with something wrong about it, for what is right about it see its name. */
record Forgery(String name, Function<HostileScene, ForgedPacket> packet) {
    static Forgery forgery(String name, Function<HostileScene, ForgedPacket> packet) {
        return new Forgery(name, packet);
    }

    /** A write of RC into the buffer that is open to the peer, right in every way. */
    static ForgedPacket write(HostileScene scene, int bytes) {
        return new ForgedPacket(PacketOpcode.RC_RDMA_WRITE_ONLY, scene.rc.qpn, scene.peer.psn, bytes)
                .reth(scene.buffer.address(), scene.buffer.rkey(), bytes);
    }

    @Override
    public String toString() {
        return name;
    }
}
