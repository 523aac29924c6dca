package io.hyperverbs.vmm.posix;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two network namespaces with an Ethernet between them: interface {@code left} with 10.77.0.1 in
 * one, {@code right} with 10.77.0.2 in the other, both /24. For root, where iproute2 is installed.
 */
final class VethPair implements AutoCloseable {
    static final int LEFT = 0x0a4d_0001;
    static final int RIGHT = 0x0a4d_0002;

    private static final Path IP = Path.of("/usr/sbin/ip");

    private static final AtomicInteger PAIRS = new AtomicInteger();

    private final String name = "hv" + ProcessHandle.current().pid() + "-" + PAIRS.incrementAndGet();
    private final String leftName = name + "-left";
    private final String rightName = name + "-right";

    VethPair(int mtuBytes) throws IOException, InterruptedException {
        ip("netns add " + leftName);
        try {
            ip("netns add " + rightName);
            ip("link add left netns " + leftName + " mtu " + mtuBytes + " type veth peer name right netns " + rightName
                    + " mtu " + mtuBytes);
            left("addr add 10.77.0.1/24 dev left");
            right("addr add 10.77.0.2/24 dev right");
            left("link set left up");
            right("link set right up");
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    static boolean isPossible() {
        return "root".equals(System.getProperty("user.name")) && Files.isExecutable(IP);
    }

    /** {@code ip} in the left namespace. */
    void left(String arguments) throws IOException, InterruptedException {
        ip("-n " + leftName + " " + arguments);
    }

    void right(String arguments) throws IOException, InterruptedException {
        ip("-n " + rightName + " " + arguments);
    }

    /** {@code tc} in the left namespace. */
    void leftQueue(String arguments) throws IOException, InterruptedException {
        run(List.of("tc", "-n", leftName), arguments);
    }

    private static String ip(String arguments) throws IOException, InterruptedException {
        return run(List.of(IP.toString()), arguments);
    }

    private static String run(List<String> program, String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(arguments.split(" ", -1)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(command + ": " + output).isZero();
        return output;
    }

    UdpTestPort leftPort() throws Exception {
        return inNamespace(leftName, () -> new UdpTestPort(UdpPort.open(LEFT, 4791, UdpTestPort.SMALL)));
    }

    UdpTestPort leftPort(UdpPort.Settings settings) throws Exception {
        return inNamespace(leftName, () -> new UdpTestPort(UdpPort.open(LEFT, 4791, settings)));
    }

    UdpTestPort rightPort() throws Exception {
        return inNamespace(rightName, () -> new UdpTestPort(UdpPort.open(RIGHT, 4791, UdpTestPort.SMALL)));
    }

    /** What arrives at the right interface, and what leaves it. */
    PacketCapture rightCapture() throws Exception {
        String line = ip("-n " + rightName + " -o link show dev right");
        int index = Integer.parseInt(line.substring(0, line.indexOf(':')));
        return inNamespace(rightName, () -> new PacketCapture(index));
    }

    void joinLeft(UdpPort port, int group) throws Exception {
        inNamespace(leftName, () -> {
            port.join(group);
            return group;
        });
    }

    void joinRight(UdpPort port, int group) throws Exception {
        inNamespace(rightName, () -> {
            port.join(group);
            return group;
        });
    }

    private static <T> T inNamespace(String name, NetworkNamespace.Work<T> work) throws IOException {
        return NetworkNamespace.inside(Path.of("/run/netns", name), work);
    }

    @Override
    public void close() throws IOException {
        try {
            for (String name : List.of(leftName, rightName)) {
                if (Files.exists(Path.of("/run/netns", name))) {
                    ip("netns del " + name);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
