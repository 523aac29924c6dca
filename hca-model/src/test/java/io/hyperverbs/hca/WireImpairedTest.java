package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.link.LinkSettings;
import io.hyperverbs.hca.link.Links;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reliable connections between two HCAs whose links are impaired. */
class WireImpairedTest {
    private static final int ROUNDS = Integer.getInteger("wire.rounds", 100);
    private static final long STEP_NANOS = 5_000;
    private static final int PORT = 1;
    private static final String ALL = "loss=1% duplicate=1% reorder=1% corrupt=0.5% delay=20us jitter=10us seed=";

    private static final List<Counter> FATES =
            List.of(Counter.LINK_LOSSES, Counter.LINK_DUPLICATES, Counter.LINK_CORRUPTIONS, Counter.LINK_REORDERINGS);

    private static void impair(WireFixture wire, LinkSettings settings) {
        assertThat(wire.a.hca.impair(PORT, WireFixture.B, settings)).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(wire.b.hca.impair(PORT, WireFixture.A, settings)).isEqualTo(VerbsStatus.SUCCESS);
    }

    /** All counters of both HCAs. */
    private static Map<String, Long> counters(WireFixture wire) {
        return Stream.of(wire.a, wire.b)
                .flatMap(hca -> Arrays.stream(Counter.values())
                        .map(counter -> Map.entry(hca.lid + " " + counter.text(), hca.counter(counter))))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void nothingIsLostDoubledOrMixedUp(long seed) {
        WireTraffic traffic = new WireTraffic(seed, STEP_NANOS);
        impair(traffic.wire, LinkSettings.of(ALL + seed));

        traffic.run(ROUNDS);

        for (HcaFixture hca : List.of(traffic.wire.a, traffic.wire.b)) {
            assertThat(FATES).allSatisfy(fate -> assertThat(hca.counter(fate)).isPositive());
            // A flipped bit of the byte that the ICRC leaves out harms nobody; an opcode that is none is dropped
            // before.
            assertThat(hca.counter(Counter.RX_ICRC_ENCAPSULATED))
                    .isPositive()
                    .isLessThanOrEqualTo(hca.counter(Counter.LINK_CORRUPTIONS));
        }
        assertThat(traffic.wire.a.counter(Counter.PACKET_SEQ_ERR)).isPositive();
        assertThat(traffic.wire.b.counter(Counter.OUT_OF_SEQUENCE)).isPositive();
        assertThat(traffic.wire.b.counter(Counter.DUPLICATE_REQUEST)).isPositive();
    }

    @Test
    void theSameSeedGivesTheSameCounters() {
        List<Map<String, Long>> runs = Stream.of("7", "7", "8")
                .map(seed -> {
                    WireTraffic traffic = new WireTraffic(5, STEP_NANOS);
                    impair(traffic.wire, LinkSettings.of(ALL + seed));
                    traffic.run(ROUNDS);
                    return counters(traffic.wire);
                })
                .toList();

        assertThat(runs.get(1)).isEqualTo(runs.get(0));
        assertThat(runs.get(2)).isNotEqualTo(runs.get(0));
    }

    @Test
    void aLinkThatIsDownIsNoticedAndCanComeUpAgain() {
        WirePair pair = WirePair.connected();
        impair(pair.wire, LinkSettings.of("down=true"));
        pair.write(1, 10_000);
        pair.step(WirePair.TIMEOUT_NANOS);
        assertThat(pair.a.cq.poll()).isNull();

        impair(pair.wire, LinkSettings.none());
        pair.step(2 * WirePair.TIMEOUT_NANOS);

        assertThat(pair.a.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(pair.arrived(10_000)).isEqualTo(10_000);
        assertThat(pair.wire.b.counter(Counter.LINK_DOWN_DROPS)).isPositive();
    }

    @Test
    void aLinkThatStaysDownEndsInAnError() {
        WirePair pair = WirePair.connected();
        impair(pair.wire, LinkSettings.of("down=true"));
        pair.write(1, 64);

        pair.step(40 * WirePair.TIMEOUT_NANOS);

        assertThat(pair.a.cq.poll().status()).isEqualTo(VerbsStatus.RETRY_EXC_ERR);
    }

    @Test
    void whatIsUnderWayComesAtOnceWhenTheLastImpairmentGoes() {
        WirePair pair = WirePair.connected();
        assertThat(pair.wire.b.hca.impair(PORT, WireFixture.A, LinkSettings.of("delay=1ms")))
                .isEqualTo(VerbsStatus.SUCCESS);
        pair.write(1, 10_000);
        pair.wire.run();
        assertThat(pair.arrived(10_000)).isZero();
        assertThat(pair.wire.b.hca.engine().nanosToNextTimer(pair.wire.b.now)).isBetween(1L, 1_000_000L);

        assertThat(pair.wire.b.hca.impair(PORT, WireFixture.A, LinkSettings.none()))
                .isEqualTo(VerbsStatus.SUCCESS);
        assertThat(pair.arrived(10_000)).isEqualTo(10_000);
        pair.wire.run();

        assertThat(pair.a.cq.poll().status()).isEqualTo(VerbsStatus.SUCCESS);
        assertThat(pair.wire.b.hca.engine().nanosToNextTimer(pair.wire.b.now)).isGreaterThan(1_000_000L);
    }

    @Test
    void whatCannotBeSetIsRefused() {
        WireFixture wire = new WireFixture(1);
        LinkSettings loss = LinkSettings.of("loss=1%");

        assertThat(wire.a.hca.impair(3, WireFixture.B, loss)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(wire.a.hca.impair(0, WireFixture.B, loss)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(wire.a.hca.impair(PORT, Links.WHOLE_PORT, loss)).isEqualTo(VerbsStatus.EINVAL);
        assertThat(new HcaFixture().hca.impair(PORT, WireFixture.B, loss)).isEqualTo(VerbsStatus.EINVAL);
    }
}
