package io.hyperverbs.toolstack.fairness.load;

import io.hyperverbs.verbs.VerbsException;

/** Kinds of attackers, after the classes of Husky (Kong et al., NSDI 2023). */
public enum Attacker {
    /** What sharing costs beside an honest neighbour. */
    EQUAL("equal", "what the victim does"),
    TINY("tiny", "8 B writes, 60 queue pairs"),
    WRITES("writes", "1 MiB writes, 4 queue pairs"),
    READS("reads", "1 MiB reads, 4 queue pairs"),
    SENDS("sends", "1 MiB sends, 4 queue pairs"),
    REG_SMALL("reg-small", "64 regions of 4 KiB and back"),
    REG_HUGE("reg-huge", "a region of 32 MiB and back"),
    MANY("many", "240 queue pairs with a region each, in turn"),
    RNR("rnr", "sends to 32 peers without receives"),
    ERRORS("errors", "forged keys, reset and reconnect"),
    DOORBELLS("doorbells", "all 4096 doorbells, nothing behind"),
    ARMS("arms", "arms a completion queue at each write"),
    QUEUES("queues", "creates and destroys queue pairs");

    private final String word;
    private final String does;

    Attacker(String word, String does) {
        this.word = word;
        this.does = does;
    }

    /** The name in options and outputs. */
    public String word() {
        return word;
    }

    /** In one line. */
    public String does() {
        return does;
    }

    Load open(Home home, Victim victim) throws VerbsException {
        return switch (this) {
            case EQUAL -> victim.open(home);
            case TINY -> Flood.writes(home, 60, 256, 8);
            case WRITES -> Flood.writes(home, 4, 16, 1 << 20);
            case READS -> Flood.reads(home, 4, 16, 1 << 20);
            case SENDS -> Flood.sends(home, 4, 16, 1 << 20);
            case REG_SMALL -> Registrations.of(home, 64, 4096);
            case REG_HUGE -> Registrations.of(home, 1, 32 << 20);
            case MANY -> Flood.inTurn(home, 240);
            case RNR -> new RnrStorm(home);
            case ERRORS -> new ErrorStorm(home);
            case DOORBELLS -> new DoorbellSpin(home);
            case ARMS -> new ArmFlood(home);
            case QUEUES -> new QueueStorm(home);
        };
    }
}
