package io.hyperverbs.upper.dsm.protocol;

/** Where the protocol sends to. What goes to one node arrives in order. */
public interface ControlOutbox {
    /** Sends a control message; {@code to} may be this node. */
    void send(int to, ControlMessage message);

    /** Sends this node's bytes of a minipage to the same place in another's memory, and then the message. */
    void sendCopy(int to, int minipage, ControlMessage grant);

    /** Fetches another node's bytes of a minipage, then calls {@link NodeProtocol#fetched}. */
    void fetch(int from, int minipage);
}
