package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.mad.CmMessage;
import io.hyperverbs.backend.mad.MadHeaderLayout;
import io.hyperverbs.backend.sa.NeighbourHcas;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.MemoryGsi;
import io.hyperverbs.hca.port.PortSettings;
import io.hyperverbs.hca.port.WireAddresses;
import io.hyperverbs.hca.roce.ManagementDatagram;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.Pkey;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Guest {@code d1} on one HCA, {@code d2} on another that is joined with it; {@code d2} listens. The test passes time and
 * hands datagrams across.
 */
abstract class WiredPair {
    static final int NEAR = 0x0a00_0001;
    static final int FAR = 0x0a00_0003;
    static final int FAR_LID = 3;
    static final int STRANGER = 0x0a00_0063;

    private static final Map<Integer, Integer> ADDRESSES =
            Map.of(1, NEAR, 2, 0x0a00_0002, FAR_LID, FAR, 4, 0x0a00_0004);

    @TempDir
    Path state;

    final MemoryGsi nearGsi = new MemoryGsi(NEAR);
    final MemoryGsi farGsi = new MemoryGsi(FAR);
    ExecutorBench near;
    ExecutorBench far;
    CmEnd caller;
    CmEnd callee;
    long listener;

    @BeforeEach
    void openPair() {
        near = bench("near", 1, nearGsi);
        far = bench("far", FAR_LID, farGsi);
        caller = CmEnd.open(near, 1);
        callee = CmEnd.open(far, 2);
        listener = callee.listen();
    }

    @AfterEach
    void closePair() {
        near.close();
        far.close();
    }

    private ExecutorBench bench(String name, int firstLid, MemoryGsi gsi) {
        List<Integer> own = List.of(ADDRESSES.get(firstLid), ADDRESSES.get(firstLid + 1));
        PortSettings ports = new PortSettings(2, firstLid, 2048, List.of(Pkey.DEFAULT, 0x8001), own);
        Map<Integer, Integer> others = new HashMap<>(ADDRESSES);
        others.remove(firstLid);
        others.remove(firstLid + 1);
        NeighbourHcas neighbours = neighbours(own, others, firstLid == FAR_LID ? NEAR : FAR);
        return new ExecutorBench(state.resolve(name), ports, gsi, neighbours);
    }

    /** The other HCA, and those that say nothing. */
    private NeighbourHcas neighbours(List<Integer> own, Map<Integer, Integer> byLid, int other) {
        List<Integer> addresses = new ArrayList<>(List.of(other));
        for (int i = 0; i < silentHcas(); i++) {
            byLid.put(silentLid(i), silentAddress(i));
            addresses.add(silentAddress(i));
        }
        return new NeighbourHcas(new WireAddresses(own, byLid), addresses);
    }

    /** How many HCAs more are in the topology, and answer nobody. */
    int silentHcas() {
        return 0;
    }

    static int silentLid(int hca) {
        return 5 + 2 * hca;
    }

    static int silentAddress(int hca) {
        return 0x0a00_0000 + silentLid(hca);
    }

    static Gid guestOf(int firstLid, int domain) {
        return new PortSettings(2, firstLid, 2048, List.of(Pkey.DEFAULT)).domainGid(domain);
    }

    /** Lets both do what there is to do, until there is nothing. */
    void settle() {
        for (int quiet = 0; quiet < 2; ) {
            near.passMillis(0);
            far.passMillis(0);
            boolean isQuiet = nearGsi.handTo(farGsi) + farGsi.handTo(nearGsi) == 0;
            quiet = isQuiet && nearGsi.isEmpty() && farGsi.isEmpty() ? quiet + 1 : 0;
        }
    }

    void pass(long millis) {
        for (long passed = 0; passed < millis; passed += 5) {
            near.passMillis(5);
            far.passMillis(5);
            settle();
        }
    }

    /** What the guest's driver does: asks for the path until the other HCAs have answered. */
    PathRecord path(CmEnd asker, Destination to) {
        ManagementRequest query =
                new ManagementRequest.QueryPath(asker.objects().context(), to);
        ManagementReply reply = asker.reply(query, ManagementReply.class);
        assertThat(reply).isInstanceOf(ManagementReply.Pending.class);
        settle();
        return asker.reply(query, ManagementReply.Path.class).path();
    }

    long resolve(Destination to) {
        return caller.reply(new ManagementRequest.Resolve(caller.channel(), to), ManagementReply.Resolved.class)
                .connection();
    }

    /** The HCA of the callee. */
    static Destination farHca() {
        return Destination.gid(Gid.ofIpv4(FAR));
    }

    static ManagementRequest connect(CmEnd end, long connection, String data) {
        return new ManagementRequest.Connect(
                connection,
                CmEnd.SERVICE,
                end.offer(QpType.RC),
                CmEnd.RESPONSE_MILLIS * 1_000_000,
                PrivateData.of(data));
    }

    static ControlReply ask(CmEnd end, ManagementRequest request) {
        return end.bench().call(end.session(), new ControlRequest.Management(request));
    }

    /** How many of that message were sent. */
    static long count(MemoryGsi gsi, CmMessage kind) {
        return gsi.sent.stream().filter(is(kind)).count();
    }

    static Predicate<ManagementDatagram> is(CmMessage kind) {
        return one -> MadHeaderLayout.CLASS.getInt(one.mad()) == MadHeaderLayout.CONNECTION_MANAGEMENT
                && MadHeaderLayout.ATTRIBUTE_ID.getInt(one.mad()) == kind.attributeId();
    }

    /** Loses the first so many of that message. */
    static Predicate<ManagementDatagram> first(int count, CmMessage kind) {
        int[] left = {count};
        return is(kind).and(_ -> left[0]-- > 0);
    }

    /** The last of that message. */
    static byte[] last(MemoryGsi gsi, CmMessage kind) {
        return gsi.sent.stream()
                .filter(is(kind))
                .reduce((_, later) -> later)
                .orElseThrow()
                .mad()
                .clone();
    }
}
