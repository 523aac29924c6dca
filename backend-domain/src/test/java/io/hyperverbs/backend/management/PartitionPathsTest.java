package io.hyperverbs.backend.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.testing.BenchFixture;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Paths and calls between guests of one HCA that are in some of its partitions: 0xffff, 0x8001, 0x0001. */
class PartitionPathsTest extends BenchFixture {
    private static final Destination EVERYWHERE = Destination.guest("d1");
    private static final Destination MEMBER = Destination.guest("d2");

    private CmEnd everywhere;

    @BeforeEach
    void setUp() {
        everywhere = CmEnd.open(bench, 1);
    }

    private CmEnd member(int domain, String pkeys) {
        return CmEnd.open(bench, domain, Map.of("pkeys", pkeys));
    }

    private static int pkey(CmEnd from, Destination to) {
        return from.reply(new ManagementRequest.QueryPath(from.objects().context(), to), ManagementReply.Path.class)
                .path()
                .pkey();
    }

    private static VerbsStatus refusedCall(CmEnd from, Destination to) {
        return from.refusal(new ManagementRequest.Resolve(from.channel(), to));
    }

    @Test
    void aPathHasTheFirstKeyOfTheAskerThatReachesTheOther() {
        CmEnd member = member(2, "0x0001,0xffff");

        assertThat(pkey(everywhere, Destination.guest("d1"))).isEqualTo(0xffff);
        assertThat(pkey(everywhere, MEMBER)).isEqualTo(0xffff);
        assertThat(pkey(member, EVERYWHERE)).isEqualTo(0x0001);
        assertThat(pkey(member, Destination.lid(2))).isEqualTo(0x0001);
    }

    @Test
    void acceptingACallTakesTheKeyThatReachesTheCaller() {
        var _ = everywhere.listen();

        var _ = member(2, "0x0001,0xffff").call(everywhere);

        assertThat(everywhere.next(CmEvent.Type.CONNECT_REQUEST).path().pkey()).isEqualTo(0x8001);
    }

    @Test
    void guestsWithoutAPartitionInCommonDoNotFindEachOther() {
        var _ = member(2, "0x8001");
        CmEnd stranger = member(3, "0xffff");

        assertThat(refusedCall(stranger, MEMBER)).isEqualTo(VerbsStatus.ENOENT);
        assertThat(stranger.refusal(
                        new ManagementRequest.QueryPath(stranger.objects().context(), MEMBER)))
                .isEqualTo(VerbsStatus.ENOENT);
        assertThat(pkey(stranger, EVERYWHERE)).isEqualTo(0xffff);
    }

    @Test
    void limitedMembersOfOnePartitionDoNotFindEachOther() {
        CmEnd limited = member(2, "0x0001");
        CmEnd other = member(3, "0x0001");

        assertThat(refusedCall(other, MEMBER)).isEqualTo(VerbsStatus.ENOENT);
        assertThat(pkey(limited, EVERYWHERE)).isEqualTo(0x0001);
    }
}
