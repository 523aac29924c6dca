package io.hyperverbs.toolstack.kubernetes;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.topology.HostSpec;
import java.util.regex.Pattern;

/** Names that Kubernetes takes. */
public final class KubernetesNames {
    private static final int MAX_LABEL = 63;
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");
    private static final Pattern LABEL_VALUE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?");

    private KubernetesNames() {}

    /**
     * Checks a label of RFC 1123.
     *
     * @param what whose name it is, in messages
     * @param otherwise exit code if it is none
     */
    public static String label(String what, String name, ExitCode otherwise) throws HvException {
        if (name.length() > MAX_LABEL || !LABEL.matcher(name).matches()) {
            throw new HvException(
                    otherwise,
                    what + " '" + name + "' is no label of RFC 1123",
                    "at most " + MAX_LABEL + " of a-z, 0-9 and -, no - at either end");
        }
        return name;
    }

    /** Name of a host's objects. */
    static String ofHost(String topology, HostSpec host) throws HvException {
        return label("host " + host.name() + ": name", topology + "-" + host.name(), ExitCode.INVALID_TOPOLOGY);
    }

    /** What the host's node has for its label {@code kubernetes.io/hostname}. */
    static String node(HostSpec host) throws HvException {
        String target = host.target();
        if (target.length() > MAX_LABEL || !LABEL_VALUE.matcher(target).matches()) {
            throw new HvException(
                    ExitCode.INVALID_TOPOLOGY,
                    "host " + host.name() + ": target '" + target + "' is no value of a label",
                    "name the node as its label kubernetes.io/hostname does");
        }
        return target;
    }
}
