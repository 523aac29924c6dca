package io.hyperverbs.upper.dsm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.upper.dsm.error.DsmException;
import io.hyperverbs.upper.dsm.options.DataTransfer;
import io.hyperverbs.upper.dsm.options.DsmOptions;
import io.hyperverbs.upper.dsm.options.HandlingContext;
import java.util.Arrays;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LocalNodesTest {
    private static final int ROUNDS = 30_000;

    static Stream<Arguments> options() {
        return Stream.of(HandlingContext.values())
                .flatMap(context -> Stream.of(true, false).map(polling -> Arguments.of(context, polling)));
    }

    @ParameterizedTest
    @MethodSource("options")
    void aSumUnderALockIsRightInEachHandlingContext(HandlingContext context, boolean polling) {
        AtomicLong found = new AtomicLong();

        LocalNodes.run(3, DsmOptions.standard().withHandling(context, polling), dsm -> {
            SharedLongs sum = dsm.longs(1, 1);
            for (int round = 0; round < 200; round++) {
                dsm.lock(1);
                sum.set(0, sum.get(0) + dsm.node() + 1);
                dsm.unlock(1);
            }
            dsm.barrier();
            if (dsm.node() == 0) {
                found.set(sum.get(0));
            }
        });

        assertThat(found).hasValue(200 * 6);
    }

    /** Two nodes store to elements of one minipage without any lock: no store of either may be lost. */
    @Test
    void noStoreIsLostWhenAMinipageGoesToAndFro() {
        LocalNodes.run(2, dsm -> {
            SharedLongs both = dsm.longs(2, 2);
            for (int round = 1; round <= ROUNDS; round++) {
                both.set(dsm.node(), round);
                assertThat(both.get(dsm.node())).isEqualTo(round);
            }
            dsm.barrier();
            assertThat(both.get(0)).isEqualTo(ROUNDS);
            assertThat(both.get(1)).isEqualTo(ROUNDS);
        });
    }

    @ParameterizedTest
    @MethodSource("options")
    void whatOneNodeWritesTheOthersRead(HandlingContext context, boolean polling) {
        double[] written =
                IntStream.range(0, 1000).mapToDouble(i -> 1 / (i + 1.0)).toArray();

        LocalNodes.run(4, DsmOptions.standard().withHandling(context, polling), dsm -> {
            SharedDoubles shared = dsm.doubles(1000, 64);
            if (dsm.node() == 2) {
                shared.set(0, written, 0, 1000);
            }
            dsm.barrier();
            double[] read = new double[1002];
            shared.get(0, read, 1, 1000);
            assertThat(Arrays.copyOfRange(read, 1, 1001)).isEqualTo(written);
            assertThat(shared.get(999)).isEqualTo(written[999]);
        });
    }

    @Test
    void faultsAndBytesAreCounted() {
        LocalNodes.run(2, DsmOptions.standard().withTransfer(DataTransfer.RDMA_WRITE, true), dsm -> {
            SharedLongs shared = dsm.longs(16, 8);
            if (dsm.node() == 0) {
                shared.set(8, 7);
                assertThat(shared.get(9)).isZero();
                assertThat(dsm.counts().writeFaults()).isEqualTo(1);
                assertThat(dsm.counts().readFaults()).isZero();
            }
            dsm.barrier();
            if (dsm.node() == 1) {
                assertThat(dsm.counts().copies()).isEqualTo(1);
                assertThat(dsm.counts().copiedBytes()).isEqualTo(64);
                assertThat(shared.get(8)).isEqualTo(7);
            }
        });
    }

    @Test
    void nodesThatMakeDifferentCollectiveCallsAreTold() {
        assertThatThrownBy(() -> LocalNodes.run(2, dsm -> dsm.longs(8 + dsm.node(), 1)))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(DsmException.class)
                .hasMessageContaining("different collective calls");
    }

    @Test
    void aNodeThatFailsEndsTheOthersWithAReason() {
        assertThatThrownBy(() -> LocalNodes.run(3, dsm -> {
                    if (dsm.node() == 1) {
                        throw new IllegalStateException("lost");
                    }
                    dsm.barrier();
                }))
                .cause()
                .hasMessage("lost");
    }

    @Test
    void arraysThatCannotBeAreRefused() {
        LocalNodes.run(1, DsmOptions.standard().withMemory(1024), dsm -> {
            assertThatThrownBy(() -> dsm.longs(0, 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> dsm.longs(8, 3)).hasMessageContaining("a power of two");
            assertThatThrownBy(() -> dsm.longs(129, 1))
                    .isInstanceOf(DsmException.class)
                    .hasMessageContaining("no room");
            SharedLongs some = dsm.longs(8, 4);
            assertThatThrownBy(() -> some.get(8)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> some.set(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> some.get(6, new long[4], 0, 3)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> dsm.lock(-1)).hasMessageContaining("at least 0");
        });
    }
}
