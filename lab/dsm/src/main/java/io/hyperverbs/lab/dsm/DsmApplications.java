package io.hyperverbs.lab.dsm;

import io.hyperverbs.lab.dsm.apps.DsmApplication;
import io.hyperverbs.lab.dsm.apps.IsApplication;
import io.hyperverbs.lab.dsm.apps.LuApplication;
import io.hyperverbs.lab.dsm.apps.SorApplication;
import io.hyperverbs.lab.dsm.apps.bodies.BarnesApplication;
import io.hyperverbs.lab.dsm.apps.bodies.NbodyApplication;
import io.hyperverbs.lab.dsm.apps.tsp.TspApplication;
import io.hyperverbs.lab.dsm.apps.water.WaterApplication;
import java.util.List;
import java.util.stream.Collectors;

/** All applications, in the order of Liss 2003 table 2. */
public final class DsmApplications {
    private static final String ALL = "all";

    private static final List<DsmApplication> APPLICATIONS = List.of(
            new SorApplication(),
            new LuApplication(),
            new IsApplication(),
            new TspApplication(),
            new WaterApplication(),
            new NbodyApplication(),
            new BarnesApplication());

    private DsmApplications() {}

    public static List<DsmApplication> all() {
        return APPLICATIONS;
    }

    /**
     * @param name of one, or {@code all}
     * @return nothing when there is none of this name
     */
    public static List<DsmApplication> named(String name) {
        return APPLICATIONS.stream()
                .filter(application -> name.equals(ALL) || name.equals(application.name()))
                .toList();
    }

    /** What can be asked for, in one line. */
    public static String names() {
        return APPLICATIONS.stream().map(DsmApplication::name).collect(Collectors.joining(", ")) + " or " + ALL;
    }
}
