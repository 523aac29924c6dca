package io.hyperverbs.backend.channel;

import io.hyperverbs.vmm.envelope.ServedTime;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The event loop of one domain: a thread of its own, on which its verbs run too, so that the kernel
 * shares the cores among domains and a flood keeps its own loop busy (docs/adr/0026). Any thread.
 */
public final class ChannelLoop implements AutoCloseable {
    /** A verb needs little; what a hostile message can nest is bounded by its parser. */
    private static final long STACK_BYTES = 512L << 10;

    /** What the server still has to do after its end is done within that. */
    private static final long QUIET_MILLIS = 50;

    private static final long SHUTDOWN_MILLIS = 500;

    private final EventLoopGroup group;

    private ChannelLoop(EventLoopGroup group) {
        this.group = group;
    }

    /** A loop of the thread name that says whom it serves. */
    public static ChannelLoop start(int domain, String domainName) {
        String name = ServedTime.threadName("channel", domain, domainName);
        ThreadFactory threads = work -> thread(work, name);
        return new ChannelLoop(new MultiThreadIoEventLoopGroup(1, threads, EpollIoHandler.newFactory()));
    }

    /** For {@link SocketServer}. */
    public EventLoopGroup group() {
        return group;
    }

    /** The thread ends once it has closed what is still open; nobody waits for that. */
    @Override
    public void close() {
        var _ = group.shutdownGracefully(QUIET_MILLIS, SHUTDOWN_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Thread thread(Runnable work, String name) {
        Thread thread = new FastThreadLocalThread(null, work, name, STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }
}
