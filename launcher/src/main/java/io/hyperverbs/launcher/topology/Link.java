package io.hyperverbs.launcher.topology;

import io.hyperverbs.hca.link.LinkSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * A wire between two HCAs.
 *
 * @param first name of the HCA that the topology names first
 * @param settings what happens to packets on it, in both directions
 */
public record Link(String first, String second, LinkSettings settings) {
    /** One that does what it should. */
    public Link(String first, String second) {
        this(first, second, LinkSettings.none());
    }

    /** One between each two HCAs. */
    static List<Link> betweenAll(List<HcaSpec> hcas) {
        List<Link> links = new ArrayList<>();
        for (int i = 0; i < hcas.size(); i++) {
            for (HcaSpec later : hcas.subList(i + 1, hcas.size())) {
                links.add(new Link(hcas.get(i).name(), later.name()));
            }
        }
        return links;
    }

    /** Its name in the topology: names of HCAs have no hyphen. */
    public String name() {
        return first + "-" + second;
    }

    /** The HCA at the other end of {@code hca}; empty if this one is not at an end. */
    public String otherEnd(String hca) {
        return hca.equals(first) ? second : hca.equals(second) ? first : "";
    }

    boolean joins(String one, String other) {
        return otherEnd(one).equals(other);
    }
}
