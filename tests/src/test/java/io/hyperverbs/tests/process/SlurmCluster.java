package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hyperverbs.launcher.machine.MachineFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Slurm on one computer: a controller and two nodes, n1 at 10.9.0.1 and n2 at 10.9.0.2, each in a network namespace of its
 * own, joined by a bridge. Its files are in one folder; closing ends all of it. Needs root.
 */
final class SlurmCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int KEY_BYTES = 1024;

    /** Links have names of 15 letters at most, and other tests may have a cluster too. */
    private final String prefix = "hv" + ProcessHandle.current().pid();

    private final Path folder;
    private final List<Process> processes = new ArrayList<>();

    /** Why there can be none here; empty if there can. */
    static String missing() throws IOException, InterruptedException {
        if (!System.getProperty("user.name").equals("root")) {
            return "needs root, for network namespaces";
        }
        for (String program : List.of("slurmctld", "slurmd", "srun", "munged", "ip", "nsenter")) {
            if (new ProcessBuilder("sh", "-c", "command -v " + program)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    != 0) {
                return "needs " + program + "; packages slurm-wlm, munge and iproute2 have it";
            }
        }
        return "";
    }

    SlurmCluster() throws Exception {
        folder = Files.createTempDirectory(Path.of("/tmp"), "hvs");
        // Munge lets nobody in whom the folder of its socket keeps out.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        boolean up = false;
        try {
            network();
            start();
            up = true;
        } finally {
            if (!up) {
                end();
            }
        }
    }

    private void network() throws Exception {
        run("ip", "netns", "add", namespace("op"));
        inside("op", "ip", "link", "set", "lo", "up");
        inside("op", "ip", "link", "add", "br0", "type", "bridge");
        inside("op", "ip", "addr", "add", "10.9.0.254/24", "dev", "br0");
        inside("op", "ip", "link", "set", "br0", "up");
        for (int i = 1; i <= 2; i++) {
            String node = "n" + i;
            run("ip", "netns", "add", namespace(node));
            inside(node, "ip", "link", "set", "lo", "up");
            inside("op", "ip", "link", "add", node, "type", "veth", "peer", "name", "eth0", "netns", namespace(node));
            inside("op", "ip", "link", "set", node, "master", "br0", "up");
            inside(node, "ip", "addr", "add", "10.9.0." + i + "/24", "dev", "eth0");
            inside(node, "ip", "link", "set", "eth0", "up");
        }
    }

    private void start() throws Exception {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Path keyFile = Files.createFile(
                folder.resolve("munge.key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(keyFile, key);
        Path socket = folder.resolve("munge.sock");
        Files.createDirectory(folder.resolve("state"));
        Files.writeString(configuration(), configuration(socket, hostName()));
        daemon(
                "munged",
                List.of(
                        "munged",
                        "--foreground",
                        "--key-file=" + keyFile,
                        "--socket=" + socket,
                        "--pid-file=" + folder.resolve("munge.pid"),
                        "--log-file=" + folder.resolve("munge.log"),
                        "--seed-file=" + folder.resolve("munge.seed"),
                        "--num-threads=2"));
        await().atMost(PATIENCE).until(() -> Files.exists(socket));
        daemon(
                "slurmctld",
                within("op", "slurmctld", "-D", "-f", configuration().toString()));
        for (String node : List.of("n1", "n2")) {
            daemon(
                    node,
                    within(
                            node,
                            "slurmd",
                            "-D",
                            "-N",
                            node,
                            "-f",
                            configuration().toString()));
        }
        await().atMost(PATIENCE)
                .alias("nodes are idle")
                .until(() -> output(within("op", "sinfo", "--noheader", "--format=%T %D"))
                        .strip()
                        .equals("idle 2"));
    }

    private static String hostName() throws IOException, InterruptedException {
        return output(List.of("uname", "-n"), Path.of("/dev/null")).strip();
    }

    Path configuration() {
        return folder.resolve("slurm.conf");
    }

    private String configuration(Path socket, String hostName) {
        return """
            ClusterName=hv
            SlurmctldHost=%1$s(10.9.0.254)
            SlurmctldPort=16817
            SlurmUser=root
            SlurmdUser=root
            AuthType=auth/munge
            AuthInfo=socket=%2$s
            CredType=cred/munge
            StateSaveLocation=%3$s/state
            SlurmdSpoolDir=%3$s/spool.%%n
            SlurmctldPidFile=%3$s/slurmctld.pid
            SlurmdPidFile=%3$s/slurmd.%%n.pid
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            SelectType=select/linear
            MpiDefault=none
            ReturnToService=2
            NodeName=n1 NodeHostname=%1$s NodeAddr=10.9.0.1 Port=16818 CPUs=1
            NodeName=n2 NodeHostname=%1$s NodeAddr=10.9.0.2 Port=16818 CPUs=1
            PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
            """.formatted(hostName, socket, folder);
    }

    private String namespace(String who) {
        return prefix + who;
    }

    /** A command in the network of the controller, {@code op}, or of a node. */
    List<String> within(String who, String... command) {
        // Not ip netns exec: that hides the control groups.
        List<String> all = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + namespace(who)));
        all.addAll(List.of(command));
        return all;
    }

    /** What Slurm has to do: one line for each job. */
    List<String> jobs() throws IOException, InterruptedException {
        return output(within("op", "squeue", "--noheader")).lines().toList();
    }

    /** Cuts a node's wire. */
    void cut(String node) throws IOException, InterruptedException {
        inside("op", "ip", "link", "set", node, "down");
    }

    private void inside(String who, String... command) throws IOException, InterruptedException {
        run(within(who, command).toArray(String[]::new));
    }

    private void run(String... command) throws IOException, InterruptedException {
        Path log = folder.resolve("setup.log");
        int exit = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        assertThat(exit).as("%s: %s", List.of(command), Files.readString(log)).isZero();
    }

    private String output(List<String> command) throws IOException, InterruptedException {
        return output(command, configuration());
    }

    private static String output(List<String> command, Path configuration) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("SLURM_CONF", configuration.toString());
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return text;
    }

    private void daemon(String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".log").toFile());
        builder.environment().put("SLURM_CONF", configuration().toString());
        processes.add(builder.start());
    }

    @Override
    public void close() throws IOException {
        try {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void end() throws IOException, InterruptedException {
        for (Process process : processes.reversed()) {
            process.destroy();
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        }
        for (String who : List.of("n1", "n2", "op")) {
            endSteps(who);
            new ProcessBuilder("ip", "netns", "delete", namespace(who))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
        new MachineFolder("slurm", folder).delete();
    }

    /** What slurmd began for a step outlives it while the wire to srun is cut. All else in a network is for its owner. */
    private void endSteps(String who) throws IOException, InterruptedException {
        for (String pid :
                output(List.of("ip", "netns", "pids", namespace(who))).lines().toList()) {
            ProcessHandle process =
                    ProcessHandle.of(Long.parseLong(pid.strip())).orElse(null);
            if (process != null && isStep(pid.strip()) && process.destroyForcibly()) {
                await().atMost(PATIENCE).until(() -> !process.isAlive());
            }
        }
    }

    private static boolean isStep(String pid) {
        try {
            return Files.readString(Path.of("/proc", pid, "comm")).strip().equals("slurmstepd");
        } catch (IOException e) {
            return false;
        }
    }
}
