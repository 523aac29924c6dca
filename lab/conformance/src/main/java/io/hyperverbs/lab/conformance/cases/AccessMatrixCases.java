package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.VerbsException;
import java.util.Set;

/**
 * Every operation against every combination of the rights of the responder's queue pair, the rights
 * of a region or window, its protection domain and the range: what {@link AccessOracle} says, and
 * not a byte elsewhere. One case is one operation against one set of rights.
 */
@CaseGroup("access")
public final class AccessMatrixCases {
    private static final int REMOTE_MASKS = 1 << 3;

    private AccessMatrixCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (Operation operation : Operation.values()) {
            for (int mask = 0; mask < 1 << 4; mask++) {
                Set<Access> rights = Access.of(mask);
                if (AccessOracle.mayRegister(mask)) {
                    cases.add(
                            "matrix-" + operation.label() + "-region" + AccessTarget.label(rights),
                            "all rights of the QP, both PDs and all ranges against a region:"
                                    + " the verdict of the rule table (IBA 9.7.4, 10.6.3)",
                            rig -> region(rig, operation, rights));
                }
            }
        }
        for (Operation operation : Operation.remote()) {
            for (MemoryWindow.Type type : Windows.types()) {
                for (int mask = 0; mask < REMOTE_MASKS; mask++) {
                    Set<Access> rights = Access.of(mask << 1);
                    cases.add(
                            "matrix-" + operation.label() + "-window-" + Windows.label(type)
                                    + AccessTarget.label(rights),
                            "all rights of the QP and all ranges against a window: the verdict"
                                    + " of the rule table (IBA 9.7.4, 10.6.7.2)",
                            rig -> window(rig, operation, type, rights));
                }
            }
        }
    }

    private static void region(Rig rig, Operation operation, Set<Access> rights) throws VerbsException {
        AccessBench bench = new AccessBench(rig);
        Side side = bench.responder();
        ProtectionDomain other = rig.closing(side.context().allocatePd());
        AccessTarget here = AccessTarget.region(rig, side, side.pd(), rights);
        AccessTarget elsewhere = AccessTarget.region(rig, side, other, rights);
        for (int qpRights = 0; qpRights < REMOTE_MASKS; qpRights++) {
            bench.grant(qpRights << 1);
            for (AccessRange range : AccessRange.values()) {
                bench.run(operation, here, Access.mask(rights), true, range);
                bench.run(operation, elsewhere, Access.mask(rights), false, range);
            }
        }
        bench.ends();
    }

    private static void window(Rig rig, Operation operation, MemoryWindow.Type type, Set<Access> rights)
            throws VerbsException {
        AccessBench bench = new AccessBench(rig);
        AccessTarget target = AccessTarget.window(rig, bench.responder(), type, rights);
        for (int qpRights = 0; qpRights < REMOTE_MASKS; qpRights++) {
            bench.grant(qpRights << 1);
            for (AccessRange range : AccessRange.values()) {
                bench.run(operation, target, Access.mask(rights), true, range);
            }
        }
        bench.ends();
    }
}
