package io.hyperverbs.launcher.hosts;

import io.hyperverbs.launcher.topology.HostSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * By what means a process comes to a host. Each but the last is a command of this computer that carries standard input
 * there and what is printed there back, and lives as long as the process; secrets go by standard input alone.
 */
public enum Launcher {
    /** On this computer, for hosts that are addresses of it. */
    LOCAL,
    /** By the user's own settings for ssh, and never with a question. */
    SSH,
    /** One task on the node of that name: a step of the allocation that hv runs in, or else a job of its own. */
    SLURM,
    /** A manifest has Kubernetes start them ({@link HostsExport}); no process here brings anything there. */
    KUBERNETES;

    /**
     * The command that runs {@code hv node} on a host, in a session of its own: who ends hv in a terminal ends no host.
     *
     * @param here path of the script on this computer, taken where the host states no other
     */
    List<String> command(HostSpec host, String here) {
        List<String> command = new ArrayList<>(List.of("setsid"));
        command.addAll(
                switch (this) {
                    case LOCAL -> List.of();
                    case SSH ->
                        List.of("ssh", "-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=15", host.target());
                    case SLURM ->
                        List.of(
                                "srun",
                                "--nodes=1",
                                "--ntasks=1",
                                "--job-name=hyperverbs",
                                "--kill-on-bad-exit=1",
                                "--nodelist=" + host.target());
                    case KUBERNETES -> throw new IllegalArgumentException("no command of this computer starts pods");
                });
        command.add(host.hv().isEmpty() ? here : host.hv());
        command.add("node");
        return command;
    }
}
