package io.hyperverbs.vmm.domain;

import io.hyperverbs.verbs.VerbsStatus;
import java.util.regex.Pattern;

/** Which names domains may have: they are folders, socket paths and store paths. */
final class DomainNames {
    /** The device domain of a machine with one HCA; no other domain's name. */
    static final String BACKEND = "backend";

    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

    private DomainNames() {}

    static void check(String name, DomainKind kind) throws MachineException {
        boolean reserved = name.equals("tool") || name.equals("vmm");
        boolean device = name.equals(BACKEND) && kind != DomainKind.BACKEND;
        if (reserved || device || !LEGAL.matcher(name).matches()) {
            throw new MachineException(VerbsStatus.EINVAL, "a " + kind + " domain cannot be called " + name);
        }
    }

    static void checkHca(String name) throws MachineException {
        if (!LEGAL.matcher(name).matches()) {
            throw new MachineException(VerbsStatus.EINVAL, "an HCA cannot be called " + name);
        }
    }
}
