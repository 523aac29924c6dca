package io.hyperverbs.vmm.sandbox;

import io.hyperverbs.vmm.posix.Packet;
import io.hyperverbs.vmm.posix.PacketListener;
import io.hyperverbs.vmm.posix.PacketSocket;
import io.hyperverbs.vmm.posix.TunDevice;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Makes an interface in the network namespace that it is started in, and gives its descriptor to who connects to a
 * socket, once.
 *
 * <pre>
 * InterfaceProgram SOCKET NAME ADDRESS PREFIX MTU LEAVES-SEGMENTS
 * </pre>
 */
final class InterfaceProgram {
    private static final String READY = "ready";
    private static final int MOST_SECONDS = 30;

    private InterfaceProgram() {}

    /** Started by {@link #run} alone. */
    public static void main(String... args) {
        Path socket = Path.of(args[0]);
        TunDevice.Settings settings = new TunDevice.Settings(
                args[1],
                Integer.parseInt(args[2]),
                Integer.parseInt(args[3]),
                Integer.parseInt(args[4]),
                Boolean.parseBoolean(args[5]));
        try (PacketListener listener = PacketListener.listen(socket, 1)) {
            DomainInterface.Made made = DomainInterface.make(settings);
            System.out.println(READY);
            try (PacketSocket asked = listener.accept()) {
                if (asked != null) {
                    String text = READY + "\n" + String.join("\n", made.unchanged());
                    asked.send(text.getBytes(StandardCharsets.UTF_8), List.of(made.device()));
                }
            }
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }

    /** Has one made in a namespace. */
    static DomainInterface.Made run(KeptNamespace namespace, Path folder, TunDevice.Settings settings)
            throws IOException {
        Path socket = folder.resolve("interface.sock");
        // What its JVM has to say is for our own log; the program prints one line.
        ProcessBuilder builder =
                new ProcessBuilder(command(namespace, socket, settings)).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().clear();
        Process process = builder.start();
        var _ = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(MOST_SECONDS, TimeUnit.SECONDS));
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            if (!READY.equals(line)) {
                throw new IOException("no network interface: " + line);
            }
            return take(socket);
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(socket);
        }
    }

    private static DomainInterface.Made take(Path socket) throws IOException {
        try (PacketSocket program = PacketSocket.connect(socket)) {
            Packet packet = program.receive();
            if (packet == null || packet.descriptors().size() != 1) {
                throw new IOException("no network interface: its program ended early");
            }
            List<String> lines =
                    new String(packet.bytes(), StandardCharsets.UTF_8).lines().toList();
            return new DomainInterface.Made(packet.descriptors().getFirst(), lines.subList(1, lines.size()));
        }
    }

    private static List<String> command(KeptNamespace namespace, Path socket, TunDevice.Settings settings) {
        List<String> command = new ArrayList<>(KeptNamespace.enter(namespace.file(), namespace.tier()));
        command.addAll(OwnJvm.command(Path.of(System.getProperty("java.home")), InterfaceProgram.class));
        command.addAll(List.of(
                socket.toString(),
                settings.name(),
                Integer.toString(settings.address()),
                Integer.toString(settings.prefixLength()),
                Integer.toString(settings.mtuBytes()),
                Boolean.toString(settings.leavesSegments())));
        return command;
    }
}
