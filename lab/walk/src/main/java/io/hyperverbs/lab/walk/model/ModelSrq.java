package io.hyperverbs.lab.walk.model;

import java.util.ArrayDeque;
import java.util.Deque;

/** A shared receive queue as the specification knows it. */
public final class ModelSrq extends ModelObject {
    final int number;
    final ModelPd pd;
    final int pieces;
    final Deque<ModelReceive> receives = new ArrayDeque<>();
    int room;

    /** Fewer receives than that are told, once; 0: not armed. */
    int limit;

    ModelSrq(int number, ModelPd pd, int pieces) {
        super(pd);
        this.number = number;
        this.pd = pd;
        this.pieces = pieces;
    }

    /** Tells objects of a walk apart, those that are gone too. */
    public int number() {
        return number;
    }

    /** Whether a region lies in the PD that its receives' keys are looked up in. */
    public boolean shares(ModelRegion region) {
        return region.pd == pd;
    }

    /** Receives posted and not taken. */
    public int receivesPosted() {
        return receives.size();
    }

    public int room() {
        return room;
    }

    public int pieces() {
        return pieces;
    }

    public int limit() {
        return limit;
    }

    /** Whether the limit is passed by now; tells it once. */
    boolean passesLimit() {
        boolean passes = receives.size() < limit;
        limit = passes ? 0 : limit;
        return passes;
    }
}
