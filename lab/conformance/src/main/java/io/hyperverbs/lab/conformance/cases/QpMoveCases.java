package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.lab.conformance.rig.Side;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.List;

/** Every pair of states: the legal moves happen, the others change nothing. */
@CaseGroup("qp-states")
public final class QpMoveCases {
    private QpMoveCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        for (QpState from : QpStates.REACHABLE) {
            for (QpState to : QpState.values()) {
                String name = QpStates.label(from) + "-to-" + QpStates.label(to);
                if (QpStates.isLegal(from, to)) {
                    cases.add(
                            name,
                            "a legal move is made (IBA 10.3.1); any state may go to RESET and ERR",
                            rig -> moves(rig, from, to));
                } else {
                    cases.add(
                            name,
                            "an illegal move: EINVAL, and nothing changes (ibv_modify_qp)",
                            rig -> refuses(rig, from, to));
                }
            }
        }
    }

    private static void moves(Rig rig, QpState from, QpState to) throws VerbsException {
        Side side = QpStates.in(rig, from);
        side.expectState(from);

        side.qp().modify(QpStates.isFirst(from, to) ? QpStates.attributes(side, to) : QpAttributes.to(to));

        side.expectState(to);
    }

    private static void refuses(Rig rig, QpState from, QpState to) throws VerbsException {
        Side side = QpStates.in(rig, from);
        QpAttributes before = side.qp().query();

        for (QpAttributes attributes : List.of(QpStates.attributes(side, to), QpAttributes.to(to))) {
            Expect.refused(
                    VerbsStatus.EINVAL,
                    from + " to " + to + " by " + attributes,
                    () -> side.qp().modify(attributes));
        }

        Expect.equal(before, side.qp().query(), "attributes after a refused move");
        Expect.equal(from, before.state(), "state");
    }
}
