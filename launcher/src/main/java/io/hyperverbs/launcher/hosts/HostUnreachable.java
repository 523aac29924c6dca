package io.hyperverbs.launcher.hosts;

/** A host of a topology does not answer as it should. */
public final class HostUnreachable extends Exception {
    private static final long serialVersionUID = 1L;

    public HostUnreachable(String host, String why) {
        super("host " + host + ": " + why);
    }
}
