package io.hyperverbs.hca.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.layout.LinkContextLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinkSettingsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "loss=0.1%",
                "loss=0.0000001%",
                "loss=100%",
                "down=true",
                "delay=10us jitter=2us",
                "delay=1500us",
                "delay=1s",
                "rate=10Gbit ecn=64KiB",
                "rate=1Gbit queue=256KiB ecn=32KiB-128KiB",
                "duplicate=1% corrupt=0.25% reorder=3% seed=-7"
            })
    void whatIsPrintedIsWhatWasRead(String text) {
        assertThat(LinkSettings.of(text).text()).isEqualTo(text);
        assertThat(LinkSettings.of(LinkSettings.of(text).text())).isEqualTo(LinkSettings.of(text));
    }

    @Test
    void numbersHaveUnits() {
        LinkSettings all = LinkSettings.of("loss=0.1% delay=10us jitter=2.5us rate=1.5Gbit queue=1MiB ecn=64KiB");

        assertThat(all.loss()).isEqualTo(1_000_000);
        assertThat(all.delayNanos()).isEqualTo(10_000);
        assertThat(all.jitterNanos()).isEqualTo(2_500);
        assertThat(all.queue()).isEqualTo(new QueueSettings(1_500_000_000L, 1 << 20, 64 << 10, 64 << 10));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        lost=1%        | 'lost' is none of down, loss, duplicate
        loss=0.1       | loss: '0.1' is no number with %
        loss=101%      | loss: '101%' is more than 100%
        loss=0.00000001% | too large or too small
        loss=-1%       | loss: '-1%' is no number with %
        delay=10       | delay: '10' is no number with ns, us, ms, s
        delay=61s      | at most 60s
        rate=1GiB      | rate: '1GiB' is no number with bit, kbit, Mbit, Gbit
        ecn=64KiB      | ecn needs a rate
        queue=64KiB    | queue needs a rate
        rate=1Gbit ecn=64KiB-32KiB | the first threshold is above the second
        down=yes       | down: 'yes' is neither true nor false
        seed=x         | seed: 'x' is no whole number
        loss           | 'loss' is no KEY=VALUE
        =1%            | '=1%' is no KEY=VALUE
        loss=1% loss=2% | 'loss=2%' is no KEY=VALUE, or there twice
        """)
    void wrongOnesAreRefusedWithWhatIsAllowed(String text, String message) {
        assertThatThrownBy(() -> LinkSettings.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void changesLeaveTheRest() {
        LinkSettings before = LinkSettings.of("loss=1% delay=10us rate=1Gbit ecn=64KiB");

        assertThat(before.with(LinkWords.split("loss=2%")).text()).isEqualTo("loss=2% delay=10us rate=1Gbit ecn=64KiB");
        assertThat(before.with(LinkWords.split("loss=none")).text()).isEqualTo("delay=10us rate=1Gbit ecn=64KiB");
        assertThat(before.with(LinkWords.split("rate=none")).text()).isEqualTo("loss=1% delay=10us");
        assertThat(before.with(LinkWords.split("loss=0% delay=0us rate=none"))).isEqualTo(LinkSettings.none());
    }

    @Test
    void noneIsNoneWhateverTheSeed() {
        assertThat(LinkSettings.none().text()).isEqualTo("none");
        assertThat(LinkSettings.of("none")).isEqualTo(LinkSettings.none());
        assertThat(LinkSettings.of("seed=4").isNone()).isTrue();
        assertThat(LinkSettings.of("loss=1%").isNone()).isFalse();
        assertThat(LinkSettings.of("rate=1Gbit seed=1").isQueueAlone()).isTrue();
        assertThat(LinkSettings.of("rate=1Gbit delay=1us").isQueueAlone()).isFalse();
    }

    @Test
    void contextMemoryHasAll() {
        MemorySegment memory = Arena.ofAuto().allocate(LinkContextLayout.SIZE_BYTES, 64);
        LinkSettings all = LinkSettings.of("down=true loss=1% duplicate=2% corrupt=3% reorder=4% delay=5us jitter=6us"
                + " rate=7Gbit queue=8KiB ecn=9KiB-10KiB seed=11");

        all.write(memory, 0);

        assertThat(LinkSettings.read(memory, 0)).isEqualTo(all);
        assertThat(new TreeMap<>(all.words())).hasSize(11);
    }
}
