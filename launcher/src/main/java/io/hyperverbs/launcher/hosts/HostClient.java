package io.hyperverbs.launcher.hosts;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.hyperverbs.launcher.node.NodeTls;
import io.hyperverbs.launcher.node.wire.CommandLine;
import io.hyperverbs.launcher.node.wire.CommandOutput;
import io.hyperverbs.launcher.node.wire.DownReply;
import io.hyperverbs.launcher.node.wire.DownRequest;
import io.hyperverbs.launcher.node.wire.NodeGrpc;
import io.hyperverbs.launcher.node.wire.NodeGrpc.NodeBlockingStub;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The operator's connection to a host. Every call ends by a deadline, and soon after the host is gone. */
public final class HostClient implements AutoCloseable {
    private static final Duration DOWN = Duration.ofSeconds(45);
    private static final int PING_SECONDS = 10;
    private static final int PONG_SECONDS = 5;

    private final HostPlace host;
    private final ManagedChannel channel;

    public HostClient(HostPlace host, HostsFile file) throws HostUnreachable {
        this.host = host;
        try {
            channel = NettyChannelBuilder.forAddress(host.address(), host.port())
                    // The name in its certificate, whatever address it is at.
                    .overrideAuthority(host.name())
                    .sslContext(NodeTls.client(file.authority(), file.operator()))
                    .keepAliveTime(PING_SECONDS, TimeUnit.SECONDS)
                    .keepAliveTimeout(PONG_SECONDS, TimeUnit.SECONDS)
                    .build();
        } catch (SSLException e) {
            throw new HostUnreachable(host.name(), "the operator's key is no good: " + e.getMessage());
        }
    }

    private NodeBlockingStub within(Duration deadline) {
        return NodeGrpc.newBlockingStub(channel).withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Runs one of hv's commands about the host's machine.
     *
     * @param out what it prints, as it comes
     * @return its exit code
     * @throws HostUnreachable if the host does not answer, or not in time
     */
    public int run(CommandLine line, Duration deadline, OutputStream out, OutputStream err)
            throws HostUnreachable, IOException {
        try {
            Iterator<CommandOutput> outputs = within(deadline).run(line);
            while (outputs.hasNext()) {
                CommandOutput output = outputs.next();
                switch (output.getWhatCase()) {
                    case OUT -> write(out, output.getOut().toByteArray());
                    case ERR -> write(err, output.getErr().toByteArray());
                    case EXIT_CODE -> {
                        return output.getExitCode();
                    }
                    case WHAT_NOT_SET -> throw new HostUnreachable(host.name(), "it answers what is no answer");
                }
            }
            throw new HostUnreachable(host.name(), "its answer broke off");
        } catch (StatusRuntimeException e) {
            throw unreachable(e);
        }
    }

    private static void write(OutputStream to, byte[] bytes) throws IOException {
        to.write(bytes);
        to.flush();
    }

    /** Ends the host's machine; its state folder is gone when this returns. */
    public void down() throws HostUnreachable {
        try {
            DownReply _ = within(DOWN).down(DownRequest.getDefaultInstance());
        } catch (StatusRuntimeException e) {
            throw unreachable(e);
        }
    }

    private HostUnreachable unreachable(StatusRuntimeException e) {
        String why = switch (e.getStatus().getCode()) {
            case DEADLINE_EXCEEDED -> "no answer in time";
            case UNAVAILABLE -> cause(e.getStatus());
            default ->
                words(e.getStatus().getDescription(), e.getStatus().getCode().name());
        };
        return new HostUnreachable(host.name(), why);
    }

    /** The innermost reason: gRPC's own only says that there was one. */
    private static String cause(Status status) {
        Throwable inner = status.getCause();
        while (inner != null && inner.getCause() != null) {
            inner = inner.getCause();
        }
        String said = inner == null ? status.getDescription() : inner.getMessage();
        return words(said, "it does not answer");
    }

    private static String words(@Nullable String said, String otherwise) {
        return said == null ? otherwise : said;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
