package io.hyperverbs.backend.cm;

/** Whose connection it is that leads to another HCA. Under the lock of its connection manager. */
public interface RemoteUser {
    ConnectionState state();

    /** A message of the peer's came; it may be late, and changes nothing then. */
    void receive(ConnectionMessage message, MessageContent content, long nowNanos);
}
