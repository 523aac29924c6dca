package io.hyperverbs.hca.ud;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.AhContextLayout;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.number.IntTable;
import io.hyperverbs.hca.number.RandomNumbers;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.GlobalRoute;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Address handles by number, inside their PD: a number of another PD is simply absent. Numbers are
 * random, and quarantined after use. Engine thread only.
 */
public final class AhTable {
    private static final int QUARANTINE = 1 << 14;

    private final ContextMemory contexts;
    private final PortSettings ports;
    private final WireAddresses wire;
    private final @Nullable AddressVector[] vectors;
    private final IntTable byNumber;
    private final RandomNumbers numbers;
    private int nextIndex = -1;
    private int live;

    public AhTable(ContextMemory contexts, PortSettings ports, WireAddresses wire, int maxAh, RandomGenerator random) {
        this.contexts = contexts;
        this.ports = ports;
        this.wire = wire;
        this.vectors = new AddressVector[maxAh];
        this.byNumber = new IntTable(maxAh);
        this.numbers = new RandomNumbers(random, maxAh, QUARANTINE);
    }

    public boolean isFull() {
        return live == vectors.length;
    }

    /** A new handle; the table is not full. */
    public AddressVector create(int domain, int pd, AddressAttributes to) {
        do {
            nextIndex = nextIndex == vectors.length - 1 ? 0 : nextIndex + 1;
        } while (vectors[nextIndex] != null);
        int lid = lid(to);
        AddressVector vector = new AddressVector(
                numbers.take(), nextIndex, pd, to, lid, address(to, lid), domain(to), ports.gid(to.port()));
        vectors[nextIndex] = vector;
        byNumber.put(vector.number(), nextIndex);
        live++;
        AhContextLayout.write(contexts.memory(), entry(nextIndex), vector.number(), domain, pd, to);
        return vector;
    }

    private int domain(AddressAttributes to) {
        GlobalRoute route = to.route();
        return route == null ? 0 : ports.domainOf(route.destination());
    }

    // A port takes only what is for its GID or a domain's behind it; of no LID, the GID decides.
    private int lid(AddressAttributes to) {
        GlobalRoute route = to.route();
        if (route == null || route.destination().isMulticast()) {
            return to.lid();
        }
        Gid gid = route.destination();
        int port = gid.isIpv4() ? wire.port(gid.ipv4()) : 0;
        int lid = port != 0 ? ports.lid(port) : ports.lidOf(gid);
        return to.lid() == 0 || to.lid() == lid ? lid : 0;
    }

    private int address(AddressAttributes to, int lid) {
        GlobalRoute route = to.route();
        if (wire.of(to.port()) == 0 || (route != null && route.destination().isMulticast())) {
            return 0;
        }
        if (route != null && route.destination().isIpv4() && ports.portOf(lid) == 0) {
            return route.destination().ipv4();
        }
        return wire.ofLid(lid);
    }

    public void destroy(AddressVector vector) {
        AhContextLayout.clear(contexts.memory(), entry(vector.index()));
        vectors[vector.index()] = null;
        byNumber.remove(vector.number());
        numbers.release(vector.number());
        live--;
    }

    /** The handle of that number, or null. */
    public @Nullable AddressVector byNumber(int number) {
        int index = byNumber.get(number);
        return index == IntTable.ABSENT ? null : vectors[index];
    }

    /** The handle of that number if it is one of that PD, or null. */
    @Nullable
    AddressVector find(int pd, int number) {
        AddressVector vector = byNumber(number);
        return vector != null && vector.pd() == pd ? vector : null;
    }

    private long entry(int index) {
        return contexts.entry(Table.AH, index, AhContextLayout.SIZE_BYTES);
    }
}
