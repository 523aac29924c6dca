package io.hyperverbs.vmm.posix;

import org.jspecify.annotations.Nullable;

/**
 * The sockets that a UDP port receives from: its own, and one for each multicast group. A socket
 * that is bound to an address of its own hears no group (Linux compares the destination with what it
 * is bound to), and one that is bound to none would hear what is meant for other ports of this
 * computer. One thread at a time; {@link #receive} allocates nothing.
 */
final class PortSockets implements AutoCloseable {
    /** The own socket has bit 0 of the masks. */
    private static final int MOST_SOCKETS = Long.SIZE;

    private final Fd own;
    private final Epoll epoll;
    private final @Nullable Fd[] sockets = new Fd[MOST_SOCKETS];
    private final int[] groups = new int[MOST_SOCKETS];
    private long used;
    private long readable;
    private int last;

    /** Takes over {@code own}, also when it fails. */
    PortSockets(Fd own) throws PosixException {
        this.own = own;
        sockets[0] = own;
        used = 1;
        try {
            epoll = Epoll.create();
        } catch (PosixException e) {
            own.close();
            throw e;
        }
        try {
            epoll.add(own.number(), 0);
        } catch (PosixException e) {
            close();
            throw e;
        }
    }

    Fd own() {
        return own;
    }

    /** Readable after something came to any of the sockets. */
    Fd fd() {
        return epoll.fd();
    }

    boolean hears(int group) {
        return indexOf(group) >= 0;
    }

    /** Takes over {@code socket}, also when it fails: ENOBUFS for one too many. */
    void add(int group, Fd socket) throws PosixException {
        int index = Long.numberOfTrailingZeros(~used);
        try {
            if (index == MOST_SOCKETS) {
                throw new PosixException((MOST_SOCKETS - 1) + " multicast groups are joined", Errno.ENOBUFS);
            }
            epoll.add(socket.number(), index);
            sockets[index] = socket;
            groups[index] = group;
            used |= 1L << index;
        } catch (PosixException e) {
            socket.close();
            throw e;
        }
    }

    /** What it has received is lost. Does nothing for a group that is not there. */
    void remove(int group) {
        int index = indexOf(group);
        if (index < 0) {
            return;
        }
        Fd socket = sockets[index];
        if (socket != null) {
            // The kernel forgets a closed descriptor in the epoll.
            socket.close();
        }
        sockets[index] = null;
        used &= ~(1L << index);
        readable &= ~(1L << index);
    }

    private int indexOf(int group) {
        for (int i = 1; i < MOST_SOCKETS; i++) {
            if ((used & 1L << i) != 0 && groups[i] == group) {
                return i;
            }
        }
        return -1;
    }

    /**
     * One recvmmsg(2) from the own socket where there are no groups. Else the sockets take turns, and
     * an epoll_wait(2) before each round finds out which have something: an empty port costs that one
     * call, however many groups there are.
     */
    int receive(DatagramReceiver receiver) {
        if (used == 1) {
            return receiver.receive(own);
        }
        while (true) {
            int next = nextReadable();
            if (next < 0) {
                return 0;
            }
            Fd socket = sockets[next];
            int got = socket == null ? 0 : receiver.receive(socket);
            if (socket == null || !receiver.mayHaveMore()) {
                readable &= ~(1L << next);
            }
            if (got > 0) {
                return got;
            }
        }
    }

    /** -1 if none is. */
    private int nextReadable() {
        long later = readable & -1L << last << 1;
        if (later == 0) {
            look();
            later = readable;
        }
        if (later == 0) {
            return -1;
        }
        last = Long.numberOfTrailingZeros(later);
        return last;
    }

    /** Each arrival is reported once, so a socket stays readable until it was found empty. */
    private void look() {
        try {
            int reports = epoll.await(0);
            for (int i = 0; i < reports; i++) {
                readable |= 1L << epoll.tag(i);
            }
        } catch (PosixException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        for (Fd socket : sockets) {
            if (socket != null) {
                socket.close();
            }
        }
        epoll.close();
    }
}
