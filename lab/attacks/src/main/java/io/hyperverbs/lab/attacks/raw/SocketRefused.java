package io.hyperverbs.lab.attacks.raw;

import java.io.IOException;

/** The sandbox lets this guest make no sockets: it has those that were open when it began. */
public final class SocketRefused extends IOException {
    private static final long serialVersionUID = 1L;

    SocketRefused(IOException cause) {
        super("no socket can be made: " + cause.getMessage(), cause);
    }
}
