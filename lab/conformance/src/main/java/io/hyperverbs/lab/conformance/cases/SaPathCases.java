package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.ConformanceCase;
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
import java.util.List;

/** Path records: how a port is reached. */
public final class SaPathCases {
    private static final Gid GROUP = new Gid(0xff12_4856_0000_00ffL, 0x7e57);

    private SaPathCases() {}

    static SubnetAdministration subnet(Rig rig) throws VerbsException {
        return SubnetAdministration.of(rig.context());
    }

    public static List<ConformanceCase> cases() {
        CaseList cases = new CaseList("sa");
        String nobody = "nobody is there: ENOENT (IBA 15.4.6.1, no records)";
        String unicast = "a path leads to one port: EINVAL for what names none or many";
        cases.add(
                        "path-by-guest",
                        "a path record by the guest's name: both ends, P_Key and MTU of the port",
                        SaPathCases::pathByGuest)
                .add("path-by-gid", "a path record by GID (IBA 15.2.5.16)", SaPathCases::pathByGid)
                .add("path-by-lid", "a path record by LID (IBA 15.2.5.16)", SaPathCases::pathByLid)
                .add("gid-alike-in-each-context", "the GID is the domain's, not the context's", SaPathCases::gidAlike)
                .add("path-to-unknown-guest", nobody, rig -> noPath(rig, "nobody"))
                .add(
                        "path-to-unknown-gid",
                        nobody,
                        rig -> noPath(rig, Destination.gid(new Gid(Gid.LINK_LOCAL_PREFIX, 77)), VerbsStatus.ENOENT))
                .add("path-to-unknown-lid", nobody, rig -> noPath(rig, Destination.lid(0xbffe), VerbsStatus.ENOENT))
                .add("path-to-lid-0", unicast, rig -> noPath(rig, Destination.lid(0), VerbsStatus.EINVAL))
                .add("path-to-multicast-lid", unicast, rig -> noPath(rig, Destination.lid(0xc001), VerbsStatus.EINVAL))
                .add("path-to-negative-lid", unicast, rig -> noPath(rig, Destination.lid(-1), VerbsStatus.EINVAL))
                .add("path-to-multicast-gid", unicast, rig -> noPath(rig, Destination.gid(GROUP), VerbsStatus.EINVAL))
                .add("path-to-gid-0", unicast, rig -> noPath(rig, Destination.gid(new Gid(0, 0)), VerbsStatus.EINVAL));
        return cases.cases();
    }

    private static void noPath(Rig rig, String guest) throws VerbsException {
        noPath(rig, Destination.guest(guest), VerbsStatus.ENOENT);
    }

    private static void noPath(Rig rig, Destination to, VerbsStatus status) throws VerbsException {
        SubnetAdministration subnet = subnet(rig);

        Expect.refused(status, "a path to " + to, () -> subnet.path(to));
    }

    private static void pathByGuest(Rig rig) throws VerbsException {
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

    private static void pathByGid(Rig rig) throws VerbsException {
        SubnetAdministration subnet = subnet(rig);

        PathRecord path = subnet.path(Destination.gid(subnet.gid()));

        Expect.equal(subnet.path(Destination.guest(rig.domain().name())), path, "path by GID and name");
    }

    private static void pathByLid(Rig rig) throws VerbsException {
        Context context = rig.context();
        int lid = context.queryPort(1).lid();

        PathRecord path = SubnetAdministration.of(context).path(Destination.lid(lid));

        Expect.equal(lid, path.destinationLid(), "destination LID");
        Expect.equal(SubnetAdministration.of(context).gid(), path.sourceGid(), "source GID");
    }

    private static void gidAlike(Rig rig) throws VerbsException {
        Gid gid = subnet(rig).gid();

        Expect.equal(gid, subnet(rig).gid(), "GID in another context");
        Expect.equal(Gid.LINK_LOCAL_PREFIX, gid.prefix(), "prefix of " + gid);
        Expect.equal(gid, Gid.parse(gid.toString()), "GID printed and read back");
    }
}
