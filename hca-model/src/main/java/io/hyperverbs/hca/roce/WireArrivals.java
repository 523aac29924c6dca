package io.hyperverbs.hca.roce;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.link.ImpairedPort;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.link.Links;
import io.hyperverbs.hca.link.PacketArrivals;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What arrives at the ports of the HCA: straight from the network, and of a port of which a link is impaired by way of
 * an {@link ImpairedPort}. Engine thread only.
 */
final class WireArrivals {
    private final List<PacketPort> ports;
    private final Links links;
    private final Dispatch dispatch;
    private final ContextMemory contexts;
    private final CapturePoint capture;
    private final UnpaidTime unpaidTime;
    private final PortIngress[] ingresses;
    private final @Nullable ImpairedPort[] impaired;

    WireArrivals(
            List<PacketPort> ports,
            Links links,
            Dispatch dispatch,
            ContextMemory contexts,
            CapturePoint capture,
            UnpaidTime unpaidTime) {
        this.ports = List.copyOf(ports);
        this.unpaidTime = unpaidTime;
        this.links = links;
        this.dispatch = dispatch;
        this.contexts = contexts;
        this.capture = capture;
        this.ingresses = new PortIngress[ports.size()];
        this.impaired = new ImpairedPort[ports.size()];
        for (int i = 0; i < ingresses.length; i++) {
            ingresses[i] = ingress(i, ports.get(i));
        }
    }

    private PortIngress ingress(int index, PacketArrivals arrivals) {
        return new PortIngress(arrivals, index + 1, dispatch, contexts, capture, unpaidTime);
    }

    /** Takes packets that are there; in a pause not those of watched ports, while queue pairs have work. @return how many */
    int receive(long nowNanos, boolean isBusy, Wire.Confinement confinement) {
        boolean isPaused = isBusy && unpaidTime.isPaused(nowNanos);
        int packets = 0;
        for (PortIngress ingress : ingresses) {
            packets += isPaused && ingress.isWatched() ? 0 : ingress.receive(nowNanos, isBusy, confinement);
        }
        return packets;
    }

    long nanosToNext(long nowNanos) {
        long next = Long.MAX_VALUE;
        for (PortIngress ingress : ingresses) {
            next = Math.min(next, ingress.nanosToNext(nowNanos));
        }
        return next;
    }

    /**
     * Sets what happens on a link of a port. When the last impairment of the port goes, what is under way comes at once.
     */
    VerbsStatus impair(int port, int address, LinkSettings settings, long nowNanos, Wire.Confinement confinement) {
        VerbsStatus status = links.set(port, address, settings);
        if (status != VerbsStatus.SUCCESS) {
            return status;
        }
        int index = port - 1;
        ImpairedPort before = impaired[index];
        boolean isImpaired = links.isImpaired(port);
        if (isImpaired && before == null) {
            while (ingresses[index].isInBatch()) {
                int _ = ingresses[index].receive(nowNanos, false, confinement);
            }
            ImpairedPort after = links.impair(ports.get(index), port);
            impaired[index] = after;
            ingresses[index] = ingress(index, after);
        } else if (!isImpaired && before != null) {
            before.release();
            int packets;
            do {
                packets = ingresses[index].receive(nowNanos, false, confinement);
            } while (packets > 0);
            impaired[index] = null;
            ingresses[index] = ingress(index, ports.get(index));
        }
        return VerbsStatus.SUCCESS;
    }
}
