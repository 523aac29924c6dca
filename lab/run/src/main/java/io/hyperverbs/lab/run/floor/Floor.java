package io.hyperverbs.lab.run.floor;

/** A floor: what is measured without an HCA. */
public enum Floor {
    WRITE("one-sided ring", "write, read", true, "one process asks another for a copy; from the request to the answer"),
    SEND(
            "relay",
            "send",
            true,
            "a message by a relay that copies it to a third process, and back by it; half the round trip"),
    COPY("copy", "any payload", true, "one thread copies its own memory"),
    WRITES(
            "one-sided stream",
            "bw of write, read",
            true,
            "a process asks another for copies, in batches of 64, with 128 outstanding; time for each"),
    SENDS(
            "relay stream",
            "bw of send",
            true,
            "messages in such batches by a relay that copies them to a third process, which takes them; time for each"),
    COPIES("copy stream", "any payload", true, "one thread copies its own memory, again and again; time for each"),
    FUTEX(
            "futex wake",
            "awaited write",
            false,
            "a process that polls wakes one that sleeps by futex; from the call to its return"),
    EVENTFD(
            "eventfd wake",
            "an event of other VMMs",
            false,
            "a thread that polls wakes one that sleeps in epoll; from the call to its return"),
    CALL(
            "grpc call",
            "a privileged verb",
            false,
            "a bare unary call to another process by a Unix socket, with the bytes of a request to register memory"
                    + " and of its reply; from the call to its return");

    private final String word;
    private final String of;
    private final boolean hasSizes;
    private final String says;

    Floor(String word, String of, boolean hasSizes, String says) {
        this.word = word;
        this.of = of;
        this.hasSizes = hasSizes;
        this.says = says;
    }

    /** Its name in tables. */
    public String word() {
        return word;
    }

    /** What it is the floor of. */
    public String of() {
        return of;
    }

    /** Whether it is measured for sizes of payload. */
    public boolean hasSizes() {
        return hasSizes;
    }

    /** Whether many messages are timed together. */
    public boolean isStream() {
        return this == WRITES || this == SENDS || this == COPIES;
    }

    /** What a sample is divided by: 2 where half of the round trip is reported, and for streams their messages. */
    public double divisor() {
        return isStream() ? FloorStream.MESSAGES : this == SEND ? 2 : 1;
    }

    /** What is measured. */
    public String says() {
        return says;
    }
}
