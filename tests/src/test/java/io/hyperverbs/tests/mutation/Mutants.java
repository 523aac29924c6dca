package io.hyperverbs.tests.mutation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What PIT reported: how many mutants of each class there were, and which of them no test noticed.
 * A mutant that behaves as the original does not count; those are listed with the reason.
 */
final class Mutants {
    private static final Set<String> NOTICED = Set.of("KILLED", "TIMED_OUT", "MEMORY_ERROR", "RUN_ERROR");

    private final Map<String, Integer> all = new TreeMap<>();
    private final Map<String, List<String>> alive = new TreeMap<>();
    private final Set<String> unseen;

    private Mutants(Set<String> equivalent) {
        unseen = new TreeSet<>(equivalent);
    }

    /**
     * Reads a report.
     *
     * @param equivalent file with a line for each mutant that behaves as the original: {@code
     *     Class#method: description}, as {@link #alive} says it, and the reason in the line before
     */
    static Mutants read(Path report, Path equivalent) throws IOException, ParserConfigurationException, SAXException {
        Set<String> known = new TreeSet<>(ListFile.entries(equivalent));
        Mutants mutants = new Mutants(known);
        NodeList list = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("mutation");
        for (int i = 0; i < list.getLength(); i++) {
            mutants.add((Element) list.item(i), known);
        }
        return mutants;
    }

    private void add(Element mutation, Set<String> known) {
        String name = text(mutation, "mutatedClass").replaceAll(".*\\.", "").replaceAll("\\$.*", "");
        String words = name + "#" + text(mutation, "mutatedMethod") + ": " + text(mutation, "description");
        boolean noticed = NOTICED.contains(mutation.getAttribute("status"));
        if (!noticed && known.contains(words)) {
            unseen.remove(words);
            return;
        }
        all.merge(name, 1, Integer::sum);
        if (!noticed) {
            alive.computeIfAbsent(name, _ -> new ArrayList<>()).add(words + ", line " + text(mutation, "lineNumber"));
        }
    }

    private static String text(Element mutation, String tag) {
        return mutation.getElementsByTagName(tag).item(0).getTextContent();
    }

    Set<String> classes() {
        return all.keySet();
    }

    int all(String name) {
        return all.getOrDefault(name, 0);
    }

    List<String> alive(String name) {
        return alive.getOrDefault(name, List.of());
    }

    /** Noticed of a hundred. */
    double percent(String name) {
        return 100.0 * (all(name) - alive(name).size()) / all(name);
    }

    /** Listed as equivalent in these classes, but not among those that were not noticed. */
    Set<String> unseen() {
        Set<String> ours = new TreeSet<>(unseen);
        ours.removeIf(words -> !all.containsKey(words.substring(0, words.indexOf('#'))));
        return ours;
    }
}
