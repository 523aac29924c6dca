package io.hyperverbs.hca.link;

import io.hyperverbs.hca.capture.CapturePoint;
import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.LinkContextLayout;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The links of an HCA for which something was ever set, each by the port of the HCA and the address of the other one.
 * Engine thread only, but for {@link #prepare}.
 */
public final class Links {
    /** Links for which something can be set: between two ports and those of 63 other HCAs, and the ports themselves. */
    public static final int MOST = 256;

    /** Address of the port as a whole, which all links of it share. */
    public static final int WHOLE_PORT = 0;

    private final ContextMemory contexts;
    private final CapturePoint capture;
    private final List<ImpairedLink> links = new ArrayList<>();
    private final ConcurrentHashMap<Integer, PacketSlots> slots = new ConcurrentHashMap<>();

    /** {@code capture} sees what links lose. */
    public Links(ContextMemory contexts, CapturePoint capture) {
        this.contexts = contexts;
        this.capture = capture;
    }

    /** Makes the memory for packets of a port that are under way, which takes a while; once. Any thread. */
    public void prepare(int port) {
        slots.computeIfAbsent(port, _ -> new PacketSlots());
    }

    /**
     * Sets what happens on a link from now on.
     *
     * @param port {@link #prepare}d
     * @param address of the other port, or {@link #WHOLE_PORT}, which can have nothing but a queue
     * @return EINVAL: something that a port as a whole cannot have; ENOMEM: more than {@link #MOST} links
     */
    public VerbsStatus set(int port, int address, LinkSettings settings) {
        if (address == WHOLE_PORT && !settings.isQueueAlone()) {
            return VerbsStatus.EINVAL;
        }
        ImpairedLink link = find(port, address);
        if (link == null) {
            // The port itself has an entry as soon as a link of it has.
            int needed = address == WHOLE_PORT || find(port, WHOLE_PORT) != null ? 1 : 2;
            if (links.size() + needed > MOST) {
                return VerbsStatus.ENOMEM;
            }
            whole(port);
            link = address == WHOLE_PORT ? whole(port) : add(port, address);
        }
        link.settings(settings);
        return VerbsStatus.SUCCESS;
    }

    /** Whether a link of the port, or the port itself, does not do what it should. */
    public boolean isImpaired(int port) {
        return links.stream()
                .anyMatch(link -> link.port() == port && !link.settings().isNone());
    }

    /** What the arrivals of a port become. */
    public ImpairedPort impair(PacketArrivals network, int port) {
        PacketSlots room = slots.computeIfAbsent(port, _ -> new PacketSlots());
        return new ImpairedPort(network, this, contexts, new LostPackets(capture, port), whole(port), room);
    }

    /** Nothing is under way on the links of a port any more: what comes next waits for nothing before it. */
    void forgetUnderWay(int port) {
        for (ImpairedLink link : links) {
            if (link.port() == port) {
                link.forgetUnderWay();
            }
        }
    }

    private ImpairedLink whole(int port) {
        ImpairedLink whole = find(port, WHOLE_PORT);
        return whole == null ? add(port, WHOLE_PORT) : whole;
    }

    /** The link, if something was set for it. */
    @Nullable
    ImpairedLink find(int port, int address) {
        // A handful: faster than hashing.
        for (int i = 0; i < links.size(); i++) {
            ImpairedLink link = links.get(i);
            if (link.address() == address && link.port() == port) {
                return link;
            }
        }
        return null;
    }

    private ImpairedLink add(int port, int address) {
        long entry = contexts.entry(Table.LINK, links.size(), LinkContextLayout.SIZE_BYTES);
        ImpairedLink link = new ImpairedLink(contexts, entry, port, address);
        links.add(link);
        return link;
    }
}
