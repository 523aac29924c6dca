package io.hyperverbs.verbs.sa;

import io.hyperverbs.verbs.Gid;

/** The peer to reach: a guest by its name, a GID, or a LID. */
public sealed interface Destination {

    /** A domain of the topology by its name. */
    record Guest(String name) implements Destination {}

    /** The port with that GID; each guest has one of its own. */
    record OfGid(Gid gid) implements Destination {}

    /** The port with that LID, 16 bits; guests share the LID of their HCA. */
    record OfLid(int lid) implements Destination {}

    static Destination guest(String name) {
        return new Guest(name);
    }

    static Destination gid(Gid gid) {
        return new OfGid(gid);
    }

    static Destination lid(int lid) {
        return new OfLid(lid);
    }
}
