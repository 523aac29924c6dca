package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.lab.attacks.cases.ChannelFlood;
import io.hyperverbs.verbs.VerbsException;

/**
 * Kinds of attackers, after the classes of Husky (Kong et al., NSDI 2023), and floods of the
 * control channel.
 */
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
    QUEUES("queues", "creates and destroys queue pairs"),
    COMPUTE("compute", "16 threads that compute"),
    COMPUTE_300("compute-300", "300 threads that compute"),
    COMPUTE_600("compute-600", "600 threads that compute"),
    PINNED("pinned", "300 threads that compute on the last core they can get"),
    CALLS("calls", "control verbs, 64 under way"),
    REFUSED("refused", "control verbs that are refused"),
    REG_WIDE("reg-wide", "a region of 1024 runs and back"),
    CONTEXTS("contexts", "forwarded contexts, made and given back"),
    BAD_PATH("bad-path", "calls of no method, on connection after connection"),
    COMPRESSED("compressed", "calls that say they are compressed"),
    AFTER_END("after-end", "frames after the end of streams"),
    RECONNECTS("reconnects", "connects and hangs up");

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
            case COMPUTE -> ComputeThreads.anywhere(16);
            case COMPUTE_300 -> ComputeThreads.anywhere(300);
            case COMPUTE_600 -> ComputeThreads.anywhere(600);
            case PINNED -> ComputeThreads.onTheLastCore(300);
            case CALLS -> ControlStorm.calls(home);
            case REFUSED -> ControlStorm.refused(home);
            case REG_WIDE -> ControlStorm.wideRegions(home);
            case CONTEXTS -> ControlStorm.contexts(home);
            case BAD_PATH -> new ChannelStorm(ChannelFlood.Kind.BAD_PATH);
            case COMPRESSED -> new ChannelStorm(ChannelFlood.Kind.COMPRESSED);
            case AFTER_END -> new ChannelStorm(ChannelFlood.Kind.AFTER_END);
            case RECONNECTS -> new ChannelStorm(ChannelFlood.Kind.RECONNECTS);
        };
    }
}
