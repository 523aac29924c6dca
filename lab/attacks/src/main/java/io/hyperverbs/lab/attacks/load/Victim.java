package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.verbs.VerbsException;

/**
 * Kinds of victims. Operations one after the other are each timed from post to completion; of those
 * that keep many under way, a quarter at a time.
 */
public enum Victim {
    WRITE("write", "8 B writes, one at a time"),
    SEND("send", "64 B sends, one at a time"),
    ATOMIC("atomic", "fetch-and-add, one at a time"),
    BANDWIDTH("bandwidth", "64 KiB writes, 128 under way"),
    MESSAGES("messages", "8 B writes, 128 under way"),
    CONTROL("control", "register and deregister 4 KiB"),
    EVENTS("events", "8 B writes, each awaited by its event");

    private final String word;
    private final String does;

    Victim(String word, String does) {
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

    Load open(Home home) throws VerbsException {
        return switch (this) {
            case WRITE -> TransferLoad.writes(home, 8);
            case SEND -> TransferLoad.sends(home, 64);
            case ATOMIC -> TransferLoad.atomics(home);
            case BANDWIDTH -> new WriteStream(home, 64 << 10, 128);
            case MESSAGES -> new WriteStream(home, 8, 128);
            case CONTROL -> Registrations.of(home, 1, 4096);
            case EVENTS -> new EventPings(home);
        };
    }
}
