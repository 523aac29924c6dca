package io.hyperverbs.verbs.sa;

import io.hyperverbs.verbs.VerbsObject;

/** One join of a multicast group; closing it leaves. Queue pairs are attached apart from it. */
public interface MulticastMembership extends VerbsObject {
    /** The group as it was when joined: its MLID and Q_Key are what an address handle needs. */
    MemberRecord record();
}
