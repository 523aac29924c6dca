package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.session.Session;

/** Closes the session of a domain that broke the protocol. Must not block: any channel thread. */
public interface ViolationHandler {
    void violated(Session session, String words);
}
