package io.hyperverbs.vmm.posix;

import java.lang.foreign.MemorySegment;

/**
 * A UDP port of one IPv4 address that sends and receives datagrams in batches: one recvmmsg(2) or
 * sendmmsg(2) for many, and by udp(7) UDP_SEGMENT and UDP_GRO many datagrams of one length as one
 * message. Never waits; {@link #fd} is for an {@link Epoll}. One thread at a time. {@link #receive},
 * the accessors, {@link #add} and {@link #flush} allocate nothing.
 *
 * <p>Addresses are ints, the first byte of the dotted form highest; ports are 0 to 65535; {@code
 * tos} is the byte of the IP header, DSCP in its upper six bits and ECN in the lower two.
 *
 * <p>What is sent is never fragmented (ip(7) IP_PMTUDISC_DO). Its IP identification is 0, and 0, 1,
 * 2 ... within a batch of segments where a packet of each leaves the computer; who receives cannot
 * see it (docs/measurements/udp.md).
 */
public final class UdpPort implements AutoCloseable {
    /** The longest datagram; the kernel refuses one that does not fit into a packet of the path. */
    public static final int MAX_DATAGRAM_BYTES = DatagramQueue.MAX_DATAGRAM_BYTES;

    /** The longest batch of segments. */
    public static final int MAX_BATCH_BYTES = DatagramQueue.MAX_BATCH_BYTES;

    /** The most segments of a batch. */
    public static final int MAX_SEGMENTS = DatagramQueue.MAX_SEGMENTS;

    private static final int RECEIVE_BUFFER_BYTES = DatagramReceiver.BUFFER_BYTES;

    private final int address;
    private final int port;
    private final int socketBufferBytes;
    private final int receiveBufferBytes;
    private final boolean coalescing;
    private final PortSockets sockets;
    private final DatagramReceiver receiver;
    private final DatagramQueue queue;

    /**
     * What a port takes of memory.
     *
     * @param receiveBuffers of 64 KiB each, the most messages of one {@link #receive}; 1 to 1024
     * @param sendBytes of {@link #sendMemory}
     * @param sendMessages that {@link #add} takes before a {@link #flush}; {@link #MAX_SEGMENTS} to
     *     1024
     * @param socketBufferBytes asked of the kernel in each direction; {@link #receiveBufferBytes}
     *     and {@link #sendBufferBytes} say what it gave
     * @param multicastTtl routers that multicast may pass, plus one
     */
    public record Settings(
            int receiveBuffers, int sendBytes, int sendMessages, int socketBufferBytes, int multicastTtl) {
        private static final int MOST_MESSAGES = 1024;

        public Settings {
            check("receiveBuffers", receiveBuffers, 1, MOST_MESSAGES);
            check("sendBytes", sendBytes, 1, Integer.MAX_VALUE);
            check("sendMessages", sendMessages, MAX_SEGMENTS, MOST_MESSAGES);
            check("socketBufferBytes", socketBufferBytes, 1, Integer.MAX_VALUE);
            check("multicastTtl", multicastTtl, 0, 0xff);
        }

        private static void check(String field, int value, int least, int most) {
            if (value < least || value > most) {
                throw new IllegalArgumentException(field + " " + value + ", allowed " + least + " to " + most);
            }
        }

        /** 32 buffers and 256 messages, 1 MiB to send from, 8 MiB asked of the kernel, TTL 1. */
        public static Settings standard() {
            return new Settings(32, 1 << 20, 256, 8 << 20, 1);
        }
    }

    private UdpPort(int address, Settings settings, int bufferBytes, Fd socket) throws PosixException {
        this.address = address;
        this.socketBufferBytes = settings.socketBufferBytes;
        sockets = new PortSockets(socket);
        try {
            port = UdpSocket.port(socket);
            receiveBufferBytes = UdpSocket.receiveBufferBytes(socket);
            coalescing = UdpSocket.coalesce(socket);
            boolean segmenting = SegmentationProbe.works(address);
            receiver = new DatagramReceiver(settings.receiveBuffers, bufferBytes);
            queue = new DatagramQueue(settings.sendMessages, settings.sendBytes, segmenting);
        } catch (PosixException | RuntimeException | Error e) {
            sockets.close();
            throw e;
        }
    }

    /**
     * Opens a port; another process that has it already is EADDRINUSE.
     *
     * @param address one of this computer's, not 0.0.0.0
     * @param port 0 for any that is free
     * @throws PosixException EADDRNOTAVAIL for an address that this computer does not have
     */
    public static UdpPort open(int address, int port, Settings settings) throws PosixException {
        return open(address, port, settings, RECEIVE_BUFFER_BYTES);
    }

    /** With shorter buffers, for tests. */
    static UdpPort open(int address, int port, Settings settings, int bufferBytes) throws PosixException {
        if (address == 0 || InetAddressLayout.isMulticast(address)) {
            throw new PosixException("UDP port of " + InetAddressLayout.text(address), Errno.EADDRNOTAVAIL);
        }
        Fd socket = UdpSocket.open(address, port, settings.socketBufferBytes, settings.multicastTtl);
        return new UdpPort(address, settings, bufferBytes, socket);
    }

    public int address() {
        return address;
    }

    public int port() {
        return port;
    }

    /**
     * Becomes readable when something arrives at the port or at a group. An edge-triggered {@link
     * Epoll} reports that once: before it is waited for, {@link #receive} has to have returned 0.
     */
    public Fd fd() {
        return sockets.fd();
    }

    /** What the kernel counts the memory of datagrams not yet received against, of each socket. */
    public int receiveBufferBytes() {
        return receiveBufferBytes;
    }

    /** What the kernel counts the memory of datagrams not yet sent against. */
    public int sendBufferBytes() throws PosixException {
        return UdpSocket.sendBufferBytes(sockets.own());
    }

    /**
     * Receives from now on what is sent to a group and this port, over the interface that has {@link
     * #address}; also what this port sends. Several processes may do so. Makes a socket.
     *
     * @param group 224.0.0.0 to 239.255.255.255; one that is joined already is left as it is
     * @throws PosixException ENOBUFS for the 64th, EINVAL for another address, ENODEV if no interface has the address
     */
    public void join(int group) throws PosixException {
        if (!InetAddressLayout.isMulticast(group)) {
            throw new PosixException("join " + InetAddressLayout.text(group), Errno.EINVAL);
        }
        if (sockets.hears(group)) {
            return;
        }
        Fd socket = UdpSocket.join(group, address, port, socketBufferBytes);
        if (coalescing) {
            try {
                UdpSocket.coalesce(socket);
            } catch (PosixException e) {
                socket.close();
                throw e;
            }
        }
        sockets.add(group, socket);
    }

    /** Leaves a group; what came to it and was not received is lost. */
    public void leave(int group) {
        sockets.remove(group);
    }

    /**
     * Takes the next messages, from the port's own socket or from one group. A message is one
     * datagram, or several of one source and one length, the last of which may be shorter.
     *
     * @return how many; the accessors below have them until the next call. 0 when nothing is there
     */
    public int receive() {
        return sockets.receive(receiver);
    }

    /** The memory that {@link #offset} is in. */
    public MemorySegment receiveMemory() {
        return receiver.memory();
    }

    public long offset(int index) {
        return receiver.offset(index);
    }

    /** 0 to 65507. */
    public int lengthBytes(int index) {
        return receiver.lengthBytes(index);
    }

    /** Length of each datagram in the message but the last; {@link #lengthBytes} if it is one. */
    public int segmentBytes(int index) {
        return receiver.segmentBytes(index);
    }

    public int sourceAddress(int index) {
        return receiver.sourceAddress(index);
    }

    public int sourcePort(int index) {
        return receiver.sourcePort(index);
    }

    /** {@link #address} or a group. */
    public int destinationAddress(int index) {
        return receiver.destinationAddress(index);
    }

    /** Of the first datagram in the message; the kernel puts together what has the same. */
    public int tos(int index) {
        return receiver.tos(index);
    }

    /** Where the caller writes what it sends. A message's bytes stay as they are while it is pending. */
    public MemorySegment sendMemory() {
        return queue.memory();
    }

    /**
     * Queues one message; {@link #flush} sends it. Arguments that no datagram can have are a bug of
     * the caller and throw; what the kernel does not like is dropped by the flush.
     *
     * @param offset of its bytes in {@link #sendMemory}
     * @param lengthBytes 0 to {@link #MAX_DATAGRAM_BYTES}, or of a batch to {@link #MAX_BATCH_BYTES}
     * @param segmentBytes length of each datagram but the last; {@code lengthBytes} or more for one
     *     datagram. At most {@link #MAX_SEGMENTS}, each short enough for the path
     * @return false if there is no room for it. Where {@link #hasSegmentation} is false each datagram
     *     of a batch takes the room of a message
     */
    public boolean add(
            long offset, int lengthBytes, int segmentBytes, int destinationAddress, int destinationPort, int tos) {
        return queue.add(offset, lengthBytes, segmentBytes, destinationAddress, destinationPort, tos);
    }

    /**
     * Sends what is queued. What the kernel has no room for at the moment stays, in order; a message
     * that it refuses is dropped, and the next one tried. A packet that a full queue of the network
     * device drops counts as sent.
     *
     * @return how many messages the kernel took
     */
    public int flush() {
        return queue.flush(sockets.own());
    }

    /**
     * Messages that are queued. While it is not 0 the caller has to flush again, and may not wait
     * for {@link #fd} without end: that does not report when there is room.
     */
    public int pending() {
        return queue.pending();
    }

    /** Whether the kernel makes datagrams of a batch; if not, they are queued one by one. */
    public boolean hasSegmentation() {
        return queue.isSegmenting();
    }

    /** Whether the kernel may put received datagrams together. */
    public boolean hasCoalescing() {
        return coalescing;
    }

    /** Messages that the kernel refused. */
    public long droppedSends() {
        return queue.dropped();
    }

    /** Why it refused the last of them; 0 if there was none. */
    public int dropErrno() {
        return queue.dropErrno();
    }

    /** Received messages that did not fit, dropped. */
    public long truncatedReceives() {
        return receiver.truncated();
    }

    /** Errors that a receive met. */
    public long receiveErrors() {
        return receiver.errors();
    }

    /**
     * Datagrams that came to {@link #address} and that the kernel dropped, most because nobody
     * received in time; wraps at 32 bits. A system call, which allocates.
     */
    public int overruns() throws PosixException {
        return UdpSocket.drops(sockets.own());
    }

    @Override
    public void close() {
        sockets.close();
    }
}
