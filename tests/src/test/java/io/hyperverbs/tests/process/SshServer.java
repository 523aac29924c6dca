package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * OpenSSH's server on addresses of this computer, with keys and settings of its own in one folder, and a client that knows
 * it: nothing of the user's or the computer's settings is read. Logs in the user who runs it. Closing ends it.
 */
final class SshServer implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Path PROGRAM = Path.of("/usr/sbin/sshd");

    /** What root's server wants to lock its unprivileged half up in; a package's start script makes it. */
    private static final Path EMPTY = Path.of("/run/sshd");

    private final Path folder;
    private final List<String> addresses;
    private final int port;
    private final boolean madeEmpty;
    private final Process process;

    /** Why there can be none here; empty if there can. */
    static String missing() throws IOException, InterruptedException {
        if (!Files.isExecutable(PROGRAM)) {
            return "needs " + PROGRAM + "; package openssh-server has it";
        }
        for (String program : List.of("ssh", "ssh-keygen")) {
            if (output("sh", "-c", "command -v " + program).isEmpty()) {
                return "needs " + program + "; package openssh-client has it";
            }
        }
        String shell = output("getent", "passwd", user()).replaceFirst(".*:", "");
        boolean none = shell.isEmpty() || shell.endsWith("nologin") || shell.endsWith("false");
        return none ? user() + " has no shell to log in with" : "";
    }

    private static String user() {
        return System.getProperty("user.name");
    }

    /**
     * @param folder for its files
     * @param addresses that it listens on
     * @param environment of all commands, as NAME=VALUE
     */
    SshServer(Path folder, List<String> addresses, List<String> environment) throws Exception {
        this.folder = folder;
        this.addresses = addresses;
        port = freePort(addresses.getFirst());
        for (String key : List.of("host", "user")) {
            assertThat(output("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file(key)))
                    .isEmpty();
        }
        Files.copy(folder.resolve("user.pub"), folder.resolve("authorized"));
        Path configuration = Files.writeString(folder.resolve("sshd_config"), configuration(environment));
        madeEmpty = user().equals("root") && !Files.exists(EMPTY);
        if (madeEmpty) {
            Files.createDirectory(
                    EMPTY, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        }
        process = new ProcessBuilder(PROGRAM.toString(), "-D", "-e", "-f", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("sshd.log").toFile())
                .start();
        await().atMost(PATIENCE)
                .until(() -> !process.isAlive() || addresses.stream().allMatch(this::answers));
        assertThat(process.isAlive()).as(this::log).isTrue();
    }

    private static int freePort(String address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return socket.getLocalPort();
        }
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private String configuration(List<String> environment) {
        List<String> lines = new ArrayList<>();
        addresses.forEach(address -> lines.add("ListenAddress " + address + ":" + port));
        lines.addAll(List.of(
                "HostKey " + file("host"),
                "PidFile none",
                "AuthorizedKeysFile " + file("authorized"),
                // It would not take keys from below a folder that all may write to, such as /tmp.
                "StrictModes no",
                "UsePAM no",
                "PermitRootLogin prohibit-password",
                "PasswordAuthentication no",
                "KbdInteractiveAuthentication no",
                "SetEnv " + String.join(" ", environment)));
        return String.join("\n", lines) + "\n";
    }

    /**
     * A folder with a command {@code ssh} that knows the server.
     *
     * @param names what the client calls the addresses, in their order
     */
    Path client(List<String> names) throws IOException, InterruptedException {
        String key = Files.readString(folder.resolve("host.pub"));
        StringBuilder known = new StringBuilder();
        StringBuilder settings = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            String address = addresses.get(i);
            known.append("[%s]:%d %s".formatted(address, port, key));
            settings.append("Host %s\n    HostName %s\n".formatted(names.get(i), address));
        }
        Files.writeString(folder.resolve("known_hosts"), known);
        settings.append("""
            Host *
                Port %d
                User %s
                IdentityFile %s
                IdentitiesOnly yes
                IdentityAgent none
                StrictHostKeyChecking yes
                UserKnownHostsFile %s
                GlobalKnownHostsFile /dev/null
            """.formatted(port, user(), file("user"), file("known_hosts")));
        Path configuration = Files.writeString(folder.resolve("ssh_config"), settings);
        Path bin = Files.createDirectory(folder.resolve("bin"));
        String real = output("sh", "-c", "command -v ssh");
        Path script = Files.writeString(
                bin.resolve("ssh"), "#!/bin/sh\nexec %s -F %s \"$@\"\n".formatted(real, configuration));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        return bin;
    }

    /** How many logins there are at this moment: each has processes of the server's. */
    long logins() {
        return process.children().count();
    }

    /** What it said so far. */
    String log() {
        try {
            return Files.readString(folder.resolve("sshd.log"));
        } catch (IOException e) {
            return String.valueOf(e);
        }
    }

    private boolean answers(String address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text.strip();
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (madeEmpty) {
            Files.deleteIfExists(EMPTY);
        }
    }
}
