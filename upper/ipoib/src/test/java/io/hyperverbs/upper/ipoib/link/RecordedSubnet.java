package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.AddressHandle;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.UdQueuePair;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.MulticastMembership;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A subnet whose groups and ports are as the test says, and what was asked of it. Address handles are called as LIDs. */
final class RecordedSubnet {
    static final int QKEY = 0x1234;

    /** Ports that are there, with their LIDs. */
    final Map<Gid, Integer> ports = new HashMap<>();

    final Map<Gid, VerbsStatus> refusals = new HashMap<>();
    private final List<String> calls = new ArrayList<>();

    static int lid(Gid group) {
        return 0xc000 + (int) (group.interfaceId() & 0xfff);
    }

    /** What was asked since the last call. */
    List<String> calls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    void note(String what) {
        calls.add(what);
    }

    private void call(String what, int lid) {
        calls.add(what + " " + Integer.toHexString(lid));
    }

    SubnetAdministration administration() {
        return SendingHca.fake(SubnetAdministration.class, (_, method, arguments) -> switch (method.getName()) {
            case "join" -> join((Gid) arguments[0], (Set<?>) arguments[1]);
            case "path" -> path(((Destination.OfGid) arguments[0]).gid());
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private PathRecord path(Gid to) throws VerbsException {
        Integer lid = ports.get(to);
        if (lid == null) {
            throw new VerbsException(VerbsStatus.ENOENT, "no port " + to);
        }
        call("path", lid);
        return new PathRecord(to, to, 1, lid, 0xffff, 0, 2048, 12, true);
    }

    private MulticastMembership join(Gid group, Set<?> states) throws VerbsException {
        JoinState state = (JoinState) states.iterator().next();
        calls.add("join " + Integer.toHexString(lid(group)) + " " + state);
        VerbsStatus refusal = refusals.get(group);
        if (refusal != null) {
            throw new VerbsException(refusal, "refused");
        }
        return SendingHca.fake(MulticastMembership.class, (_, method, _) -> switch (method.getName()) {
            case "record" -> new MemberRecord(group, group, lid(group), QKEY, 0xffff, 2048, 1);
            case "close" -> {
                call("leave", lid(group));
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    ProtectionDomain pd() {
        return SendingHca.fake(ProtectionDomain.class, (_, method, arguments) -> {
            if (!method.getName().equals("createAh")) {
                throw new UnsupportedOperationException(method.getName());
            }
            int lid = ((AddressAttributes) arguments[0]).lid();
            call("create", lid);
            return handle(lid);
        });
    }

    private AddressHandle handle(int lid) {
        return SendingHca.fake(AddressHandle.class, (_, method, _) -> switch (method.getName()) {
            case "number" -> lid;
            case "close" -> {
                call("destroy", lid);
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    /** A queue pair that is attached to groups. */
    UdQueuePair queuePair() {
        return SendingHca.fake(UdQueuePair.class, (_, method, arguments) -> {
            switch (method.getName()) {
                case "attachMulticast" -> call("attach", (int) arguments[1]);
                case "detachMulticast" -> call("detach", (int) arguments[1]);
                default -> throw new UnsupportedOperationException(method.getName());
            }
            return null;
        });
    }
}
