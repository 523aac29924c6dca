package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.SubnetAdministration;

/** Path records: how a port is reached. */
@CaseGroup("sa")
public final class SaPathCases {
    private static final Gid GROUP = new Gid(0xff12_4856_0000_00ffL, 0x7e57);

    private static final String NOBODY = "nobody is there: ENOENT (IBA 15.4.6.1, no records)";
    private static final String UNICAST = "a path leads to one port: EINVAL for what names none or many";

    private SaPathCases() {}

    static SubnetAdministration subnet(Rig rig) throws VerbsException {
        return SubnetAdministration.of(rig.context());
    }

    @CaseFamily
    static void families(CaseList cases) {
        cases.add("path-to-unknown-guest", NOBODY, rig -> noPath(rig, "nobody"));
        cases.add(
                "path-to-unknown-gid",
                NOBODY,
                rig -> noPath(rig, Destination.gid(new Gid(Gid.LINK_LOCAL_PREFIX, 77)), VerbsStatus.ENOENT));
        cases.add("path-to-unknown-lid", NOBODY, rig -> noPath(rig, Destination.lid(0xbffe), VerbsStatus.ENOENT));
        cases.add("path-to-lid-0", UNICAST, rig -> noPath(rig, Destination.lid(0), VerbsStatus.EINVAL));
        cases.add("path-to-multicast-lid", UNICAST, rig -> noPath(rig, Destination.lid(0xc001), VerbsStatus.EINVAL));
        cases.add("path-to-negative-lid", UNICAST, rig -> noPath(rig, Destination.lid(-1), VerbsStatus.EINVAL));
        cases.add("path-to-multicast-gid", UNICAST, rig -> noPath(rig, Destination.gid(GROUP), VerbsStatus.EINVAL));
        cases.add("path-to-gid-0", UNICAST, rig -> noPath(rig, Destination.gid(new Gid(0, 0)), VerbsStatus.EINVAL));
    }

    private static void noPath(Rig rig, String guest) throws VerbsException {
        noPath(rig, Destination.guest(guest), VerbsStatus.ENOENT);
    }

    private static void noPath(Rig rig, Destination to, VerbsStatus status) throws VerbsException {
        SubnetAdministration subnet = subnet(rig);

        Expect.refused(status, "a path to " + to, () -> subnet.path(to));
    }

    @Case("a path record by the guest's name: both ends, P_Key and MTU of the port")
    static void pathByGuest(Rig rig) throws VerbsException {
        Context context = rig.context();
        SubnetAdministration subnet = SubnetAdministration.of(context);
        PortAttributes port = context.queryPort(1);

        PathRecord path = subnet.path(Destination.guest(rig.domain().name()));

        Expect.equal(subnet.gid(), path.destinationGid(), "destination GID");
        Expect.equal(subnet.gid(), path.sourceGid(), "source GID");
        Expect.equal(port.lid(), path.destinationLid(), "destination LID");
        Expect.equal(port.lid(), path.sourceLid(), "source LID");
        Expect.equal(port.activeMtuBytes(), path.mtuBytes(), "MTU");
        Expect.equal(port.pkey(), path.pkey(), "P_Key");
        Expect.isTrue(path.reversible(), "a path of one HCA is not reversible");
    }

    @Case("a path record by GID (IBA 15.2.5.16)")
    static void pathByGid(Rig rig) throws VerbsException {
        SubnetAdministration subnet = subnet(rig);

        PathRecord path = subnet.path(Destination.gid(subnet.gid()));

        Expect.equal(subnet.path(Destination.guest(rig.domain().name())), path, "path by GID and name");
    }

    @Case("a path record by LID (IBA 15.2.5.16)")
    static void pathByLid(Rig rig) throws VerbsException {
        Context context = rig.context();
        int lid = context.queryPort(1).lid();

        PathRecord path = SubnetAdministration.of(context).path(Destination.lid(lid));

        Expect.equal(lid, path.destinationLid(), "destination LID");
        Expect.equal(SubnetAdministration.of(context).gid(), path.sourceGid(), "source GID");
    }

    @Case("the GID is the domain's, not the context's")
    static void gidAlikeInEachContext(Rig rig) throws VerbsException {
        Gid gid = subnet(rig).gid();

        Expect.equal(gid, subnet(rig).gid(), "GID in another context");
        Expect.equal(Gid.LINK_LOCAL_PREFIX, gid.prefix(), "prefix of " + gid);
        Expect.equal(gid, Gid.parse(gid.toString()), "GID printed and read back");
    }
}
