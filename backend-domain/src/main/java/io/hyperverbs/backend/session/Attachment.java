package io.hyperverbs.backend.session;

import io.hyperverbs.verbs.Gid;

/** A multicast group that a queue pair is attached to. */
public record Attachment(Gid group, int lid) {}
