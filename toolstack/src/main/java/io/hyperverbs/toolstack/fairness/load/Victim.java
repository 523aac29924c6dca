package io.hyperverbs.toolstack.fairness.load;

import io.hyperverbs.verbs.VerbsException;

/** Kinds of victims: operations one after the other, each timed from post to completion. */
public enum Victim {
    WRITE("write", "8 B writes, one at a time"),
    SEND("send", "64 B sends, one at a time"),
    ATOMIC("atomic", "fetch-and-add, one at a time"),
    BANDWIDTH("bandwidth", "64 KiB writes, 16 at a time"),
    MESSAGES("messages", "8 B writes, 64 at a time"),
    CONTROL("control", "register and deregister 4 KiB");

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
            case WRITE -> Transfers.writes(home, 8, 1);
            case SEND -> Transfers.sends(home, 64);
            case ATOMIC -> Transfers.atomics(home);
            case BANDWIDTH -> Transfers.writes(home, 64 << 10, 16);
            case MESSAGES -> Transfers.writes(home, 8, 64);
            case CONTROL -> Registrations.of(home, 1, 4096);
        };
    }
}
