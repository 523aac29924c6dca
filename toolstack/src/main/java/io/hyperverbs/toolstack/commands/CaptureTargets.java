package io.hyperverbs.toolstack.commands;

import io.hyperverbs.hca.port.Ipv4;
import io.hyperverbs.launcher.capture.CaptureRun.Target;
import io.hyperverbs.launcher.context.HcaView;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Suggestion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Which ports of which HCAs words such as {@code hv0} and {@code hv0/1} mean. */
final class CaptureTargets {
    private CaptureTargets() {}

    /**
     * The ports of the HCAs that are there.
     *
     * @param topology name of it, for messages
     * @param words none: all
     * @throws HvException NOT_FOUND for a word that means none of them
     */
    static List<Target> of(String topology, List<MachineHca.Seen> seen, List<String> words) throws HvException {
        Map<String, TreeSet<Integer>> ports = new LinkedHashMap<>();
        List<String> names = names(seen);
        for (String word :
                words.isEmpty() ? seen.stream().map(MachineHca.Seen::name).toList() : words) {
            boolean isKnown = false;
            for (MachineHca.Seen one : seen) {
                for (int port = 1; port <= one.hca().portCount(); port++) {
                    if (word.equals(one.name()) || word.equals(one.name() + "/" + port)) {
                        boolean _ = ports.computeIfAbsent(one.name(), _ -> new TreeSet<>())
                                .add(port);
                        isKnown = true;
                    }
                }
            }
            if (!isKnown) {
                throw new HvException(
                        ExitCode.NOT_FOUND,
                        "no interface '" + word + "' in " + topology,
                        Suggestion.hintOrAll(word, names));
            }
        }
        List<Target> targets = new ArrayList<>();
        for (MachineHca.Seen one : seen) {
            if (ports.containsKey(one.name())) {
                List<Integer> chosen = List.copyOf(ports.get(one.name()));
                targets.add(new Target(
                        one.name(),
                        chosen,
                        chosen.stream().map(port -> words(one, port)).toList()));
            }
        }
        return targets;
    }

    private static List<String> names(List<MachineHca.Seen> seen) {
        List<String> names = new ArrayList<>();
        for (MachineHca.Seen one : seen) {
            names.add(one.name());
            for (int port = 1; port <= one.hca().portCount(); port++) {
                names.add(one.name() + "/" + port);
            }
        }
        return names;
    }

    private static String words(MachineHca.Seen seen, int port) {
        HcaView hca = seen.hca();
        List<Integer> addresses = hca.addresses();
        String where = port <= addresses.size() ? " at " + Ipv4.text(addresses.get(port - 1)) : ", on no wire";
        return "port " + port + " of HCA " + seen.name() + where;
    }
}
