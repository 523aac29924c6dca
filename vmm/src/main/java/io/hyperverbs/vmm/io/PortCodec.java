package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.PortLink;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.vmm.io.wire.GidQueriedMessage;
import io.hyperverbs.vmm.io.wire.PortLinkMessage;
import io.hyperverbs.vmm.io.wire.PortQueriedMessage;

/** What a port says of itself, to and from messages. Stateless; any thread. */
final class PortCodec {
    private PortCodec() {}

    static PortQueriedMessage toWire(PortAttributes a) {
        return PortQueriedMessage.newBuilder()
                .setState(a.state().code())
                .setMaxMtuBytes(a.maxMtuBytes())
                .setActiveMtuBytes(a.activeMtuBytes())
                .setLid(a.lid())
                .setGidPrefix(a.gidPrefix())
                .setGidInterface(a.gidInterface())
                .setPkey(a.pkey())
                .setGidTableLength(a.gidTableLength())
                .setPkeyTableLength(a.pkeyTableLength())
                .setMaxMessageBytes(a.maxMessageBytes())
                .setBadPkeys(a.badPkeys())
                .setQkeyViolations(a.qkeyViolations())
                .setLink(toWire(a.link()))
                .build();
    }

    static PortAttributes fromWire(PortQueriedMessage m) {
        return new PortAttributes(
                PortState.of(m.getState()),
                m.getMaxMtuBytes(),
                m.getActiveMtuBytes(),
                m.getLid(),
                m.getGidPrefix(),
                m.getGidInterface(),
                m.getPkey(),
                m.getGidTableLength(),
                m.getPkeyTableLength(),
                m.getMaxMessageBytes(),
                m.getBadPkeys(),
                m.getQkeyViolations(),
                fromWire(m.getLink()));
    }

    static GidQueriedMessage toWire(Gid gid) {
        return GidQueriedMessage.newBuilder()
                .setPrefix(gid.prefix())
                .setInterfaceId(gid.interfaceId())
                .build();
    }

    static Gid fromWire(GidQueriedMessage m) {
        return new Gid(m.getPrefix(), m.getInterfaceId());
    }

    private static PortLinkMessage toWire(PortLink link) {
        return PortLinkMessage.newBuilder()
                .setSmLid(link.smLid())
                .setSmSl(link.smSl())
                .setLmc(link.lmc())
                .setMaxVl(link.maxVl())
                .setActiveWidth(link.activeWidth())
                .setActiveSpeed(link.activeSpeed())
                .setPhysicalState(link.physicalState())
                .setSubnetTimeout(link.subnetTimeout())
                .setCapabilityFlags(link.capabilityFlags())
                .build();
    }

    private static PortLink fromWire(PortLinkMessage m) {
        return new PortLink(
                m.getSmLid(),
                m.getSmSl(),
                m.getLmc(),
                m.getMaxVl(),
                m.getActiveWidth(),
                m.getActiveSpeed(),
                m.getPhysicalState(),
                m.getSubnetTimeout(),
                m.getCapabilityFlags());
    }
}
