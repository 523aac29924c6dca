package io.hyperverbs.hca.port;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.PortContextLayout;
import io.hyperverbs.hca.layout.PortContextLayout.Field;
import io.hyperverbs.verbs.PortState;

/**
 * The state of each port. How far a queue pair's messages get is worked out when its attributes or
 * a port's state change ({@code QpRoute}), so that sending looks at the queue pair alone. Engine
 * thread only.
 */
public final class PortTable {
    private final PortSettings settings;
    private final WireAddresses wire;
    private final ContextMemory contexts;
    private final boolean[] up;
    private final int[] badPkeys;
    private final int[] qkeyViolations;

    public PortTable(PortSettings settings, WireAddresses wire, ContextMemory contexts) {
        this.settings = settings;
        this.wire = wire;
        this.contexts = contexts;
        this.up = new boolean[settings.count() + 1];
        this.badPkeys = new int[settings.count() + 1];
        this.qkeyViolations = new int[settings.count() + 1];
        for (int port = 1; port <= settings.count(); port++) {
            up[port] = true;
            note(port, Field.LID, settings.lid(port));
            note(port, Field.MTU, settings.mtuBytes());
            note(port, Field.STATE, PortState.ACTIVE.code());
            note(
                    port,
                    Field.ADDRESS,
                    settings.addresses().isEmpty() ? 0 : settings.addresses().get(port - 1));
            PortContextLayout.publishRelease(contexts.memory(), contexts.portEntry(port), port);
        }
    }

    public PortSettings settings() {
        return settings;
    }

    /** What the ports are called on the wire. */
    public WireAddresses wire() {
        return wire;
    }

    /** Whether there is such a port; ports count from 1. */
    public boolean isPort(long port) {
        return port >= 1 && port <= settings.count();
    }

    public boolean isUp(int port) {
        return up[port];
    }

    public PortState state(int port) {
        return up[port] ? PortState.ACTIVE : PortState.DOWN;
    }

    /** The port with that LID, or 0 if it is none of this HCA. */
    public int byLid(int lid) {
        return settings.portOf(lid);
    }

    /** The port with that LID if messages get there, else 0. */
    public int reachable(int lid) {
        int port = byLid(lid);
        return up[port] ? port : 0;
    }

    /** Takes a port down or up; the caller updates the routes of queue pairs and raises the events. */
    public void set(int port, boolean isUp) {
        up[port] = isUp;
        note(port, Field.STATE, state(port).code());
    }

    /** A message came to a port with a P_Key that its queue pair has not. */
    public void badPkey(int port) {
        contexts.count(Counter.BAD_PKEYS);
        if (isPort(port)) {
            note(port, Field.BAD_PKEYS, ++badPkeys[port]);
        }
    }

    /** A datagram came to a port with a Q_Key that its queue pair has not. */
    public void badQkey(int port) {
        if (isPort(port)) {
            note(port, Field.QKEY_VIOLATIONS, ++qkeyViolations[port]);
        }
    }

    public int badPkeys(int port) {
        return badPkeys[port];
    }

    public int qkeyViolations(int port) {
        return qkeyViolations[port];
    }

    /** Byte offset in the context memory of what queue pairs counted at that port. */
    public long totals(int port) {
        return PortContextLayout.totals(contexts.portEntry(port));
    }

    private void note(int port, Field field, long value) {
        PortContextLayout.set(contexts.memory(), contexts.portEntry(port), field, value);
    }
}
