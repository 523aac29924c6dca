package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import io.hyperverbs.vmm.io.wire.CreateAhMessage;
import io.hyperverbs.vmm.io.wire.GidMessage;
import io.hyperverbs.vmm.io.wire.GlobalRouteMessage;
import io.hyperverbs.vmm.io.wire.MulticastMessage;

/** Addresses of datagrams in messages; numbers of any value pass, to be judged by the HCA. */
final class AddressCodec {
    private AddressCodec() {}

    static CreateAhMessage toWire(ControlRequest.CreateAh request) {
        AddressAttributes address = request.attributes();
        CreateAhMessage.Builder message = CreateAhMessage.newBuilder()
                .setPd(request.pd())
                .setPort(address.port())
                .setLid(address.lid())
                .setServiceLevel(address.serviceLevel())
                .setSourcePathBits(address.sourcePathBits())
                .setStaticRate(address.staticRate());
        GlobalRoute route = address.route();
        if (route != null) {
            message.setRoute(GlobalRouteMessage.newBuilder()
                    .setDestination(toWire(route.destination()))
                    .setFlowLabel(route.flowLabel())
                    .setSourceGidIndex(route.sourceGidIndex())
                    .setHopLimit(route.hopLimit())
                    .setTrafficClass(route.trafficClass()));
        }
        return message.build();
    }

    static ControlRequest.CreateAh fromWire(CreateAhMessage m) {
        return new ControlRequest.CreateAh(
                m.getPd(),
                new AddressAttributes(
                        m.getPort(),
                        m.getLid(),
                        m.getServiceLevel(),
                        m.getSourcePathBits(),
                        m.getStaticRate(),
                        m.hasRoute() ? fromWire(m.getRoute()) : null));
    }

    static MulticastMessage toWire(long qp, Gid group, int lid) {
        return MulticastMessage.newBuilder()
                .setQp(qp)
                .setGroup(toWire(group))
                .setLid(lid)
                .build();
    }

    static Gid fromWire(GidMessage m) {
        return new Gid(m.getPrefix(), m.getInterfaceId());
    }

    private static GidMessage toWire(Gid gid) {
        return GidMessage.newBuilder()
                .setPrefix(gid.prefix())
                .setInterfaceId(gid.interfaceId())
                .build();
    }

    private static GlobalRoute fromWire(GlobalRouteMessage m) {
        return new GlobalRoute(
                fromWire(m.getDestination()),
                m.getFlowLabel(),
                m.getSourceGidIndex(),
                m.getHopLimit(),
                m.getTrafficClass());
    }
}
