package io.hyperverbs.hca.link;

import static io.hyperverbs.hca.link.FakeArrivals.SOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.hca.layout.LinkContextLayout.Field;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues of links and of ports as a whole. */
class LinkQueueTest extends ImpairedPortFixture {
    @ParameterizedTest
    @ValueSource(strings = {"1Mbit", "100Mbit", "1Gbit", "40Gbit", "400Gbit"})
    void aRateIsKeptExactly(String rate) {
        open("rate=" + rate + " queue=16MiB");
        long begin = now;
        for (int i = 0; i < 1000; i++) {
            network.send(SOURCE, BYTES, 0);
        }
        drain();

        assertThat(seen).hasSize(1000);
        double bits = 1000 * 8.0 * (BYTES + LinkQueue.HEADER_BYTES);
        double expected = bits * 1e9 / Quantity.RATE.parse(rate);
        assertThat((double) (now - begin)).isCloseTo(expected, within(1.0));
    }

    @Test
    void whatTheQueueHasNoRoomForIsDropped() {
        open("rate=1Gbit queue=20KiB");
        for (int i = 0; i < 100; i++) {
            network.send(SOURCE, BYTES, 0);
        }
        drain();

        assertThat(numbers()).containsExactly(IntStream.range(0, 19).boxed().toArray(Integer[]::new));
        assertThat(count(Counter.LINK_QUEUE_DROPS)).isEqualTo(81).isEqualTo(count(Field.QUEUE_DROPS));
        network.send(SOURCE, BYTES, 0);
        drain();
        assertThat(seen).hasSize(20);
    }

    @Test
    void aLongQueueMarksWhatIsCapableOfIt() {
        open("rate=1Gbit ecn=10KiB");
        for (int i = 0; i < 20; i++) {
            network.send(SOURCE, BYTES, i % 4);
        }
        drain();

        for (Seen packet : seen) {
            boolean isMarked = packet.number() >= 10 && packet.number() % 4 != 0;
            int expected = isMarked ? 3 : packet.number() % 4;
            assertThat(packet.trafficClass()).as("packet " + packet.number()).isEqualTo(expected);
        }
        assertThat(count(Counter.LINK_MARKS)).isEqualTo(5);
    }

    @Test
    void betweenTwoThresholdsMarksGetLikelier() {
        open("rate=10Gbit queue=8MiB ecn=100KiB-1124KiB");
        int marksLow = 0;
        int marksHigh = 0;
        for (int round = 0; round < 50; round++) {
            seen.clear();
            int first = round * 1500;
            for (int i = 0; i < 1500; i++) {
                network.send(SOURCE, BYTES, ECN_CAPABLE);
            }
            drain();
            for (Seen packet : seen) {
                boolean isMarked = packet.trafficClass() == 3;
                int place = packet.number() - first;
                assertThat(isMarked && place < 99).isFalse();
                assertThat(!isMarked && place > 1121).isFalse();
                marksLow += isMarked && place >= 100 && place < 600 ? 1 : 0;
                marksHigh += isMarked && place >= 600 && place < 1100 ? 1 : 0;
            }
        }
        assertThat(marksLow / 25_000.0).isCloseTo(0.25, within(0.03));
        assertThat(marksHigh / 25_000.0).isCloseTo(0.73, within(0.03));
    }

    @Test
    void thePortsQueueIsSharedByItsLinks() {
        open("delay=5us");
        set(Links.WHOLE_PORT, "rate=1Gbit ecn=4KiB");
        long begin = now;
        for (int i = 0; i < 50; i++) {
            network.send(SOURCE, BYTES, ECN_CAPABLE);
            network.send(OTHER, BYTES, ECN_CAPABLE);
        }
        drain();

        assertThat(seen).hasSize(100);
        assertThat(seen.subList(0, 50)).allMatch(packet -> packet.source() == OTHER);
        assertThat(now - begin).isEqualTo(100L * 8 * (BYTES + 28));
        assertThat(count(Counter.LINK_MARKS)).isBetween(90L, 99L);
        assertThat(links.set(PORT, Links.WHOLE_PORT, LinkSettings.of("loss=1%")))
                .isEqualTo(VerbsStatus.EINVAL);
    }
}
