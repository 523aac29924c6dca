package io.hyperverbs.lab.dsm.apps;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.lab.dsm.DsmApplications;
import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.dsm.LocalNodes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Applications find on any number of nodes what their sequential programs find; other results are refused. */
class DsmApplicationTest {
    private static final int MOST_NODES = 4;

    static Stream<Arguments> applicationsByNodes() {
        return DsmApplications.all().stream()
                .flatMap(application -> IntStream.rangeClosed(1, MOST_NODES)
                        .mapToObj(nodes ->
                                Arguments.argumentSet(application.name() + " on " + nodes, application, nodes)));
    }

    static Stream<Arguments> applications() {
        return DsmApplications.all().stream()
                .map(application -> Arguments.argumentSet(application.name(), application));
    }

    @ParameterizedTest
    @MethodSource("applicationsByNodes")
    void isRightOnAnyNumberOfNodes(DsmApplication application, int nodes) {
        AppResult result = measure(application, nodes);

        assertThat(result.difference()).isEmpty();
        assertThat(result.nodes()).isEqualTo(nodes);
        assertThat(result.nanos()).isPositive();
        assertThat(result.traffic().messages() > 0).isEqualTo(nodes > 1);
        assertThat(result.traffic().bytes() > 0).isEqualTo(nodes > 1);
    }

    @ParameterizedTest
    @MethodSource("applications")
    void refusesAResultWithOneWrongValue(DsmApplication application) {
        double[] expected = application.expected(AppSize.SMALL);
        double[] found = expected.clone();
        int last = found.length - 1;
        found[last] = Math.nextUp(found[last]);

        assertThat(AppResult.difference(found, expected))
                .startsWith("1 of " + found.length + " values differ, value " + last + " is ");
        assertThat(AppResult.difference(expected, expected)).isEmpty();
    }

    @Test
    void refusesWhatIsNoNumber() {
        double[] found = {1, Double.NaN, Double.NaN};

        assertThat(AppResult.difference(found, found)).isEqualTo("2 of 3 values differ, value 1 is NaN, expected NaN");
    }

    @Test
    void refusesMoreOrFewerValues() {
        assertThat(AppResult.difference(new double[2], new double[3])).isEqualTo("2 values found, expected 3");
    }

    /** Node 1 writes when node 0 has read, as the barrier between is missing. */
    @Test
    void refusesARunThatLeavesOutABarrier() {
        DsmApplication hasty = new ReadingBeforeWriting();

        AppResult result = measure(hasty, 2);

        assertThat(result.isRight()).isFalse();
        assertThat(result.line())
                .isEqualTo("hasty: WRONG on 2 nodes, 1 of 1 values differ, value 0 is 0.0, expected 1.0");
    }

    @Test
    void saysInOneLineHowARightRunWent() {
        AppResult result = new AppResult("sor", 4, 312_000_000, AppTraffic.NONE, "");

        assertThat(result.line()).isEqualTo("sor: right on 4 nodes, 0.31 s");
        assertThat(new AppResult("sor", 1, 0, AppTraffic.NONE, "").line()).isEqualTo("sor: right on 1 node, 0.00 s");
    }

    @Test
    void measuresFromStartToStop() {
        LocalNodes.run(1, dsm -> {
            AtomicLong nanos = new AtomicLong(100);
            AppTimer timer = new AppTimer(dsm, nanos::get);

            timer.start();
            nanos.set(350);
            timer.stop();
            nanos.set(1000);

            assertThat(timer.nanos()).isEqualTo(250);
        });
    }

    @Test
    void leavesTheComparisonToNodeZero() {
        LocalNodes.run(2, dsm -> {
            AppResult result = new ReadingBeforeWriting().measure(dsm, AppSize.SMALL, System::nanoTime);

            assertThat(result.isRight()).isEqualTo(dsm.node() == 1);
        });
    }

    @Test
    void givesEachItemToOneNode() {
        List<Integer> owners = new CopyOnWriteArrayList<>();
        LocalNodes.run(4, dsm -> {
            NodeShare share = NodeShare.of(dsm, 9);
            for (int item = share.first(); item < share.end(); item++) {
                owners.add(item);
                // Where the item of an array with this room has its home.
                assertThat(item * dsm.nodes() / share.room()).isEqualTo(dsm.node());
            }
            assertThat(share.count()).isEqualTo(dsm.node() == 3 ? 0 : 3);
        });

        assertThat(owners).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    private static AppResult measure(DsmApplication application, int nodes) {
        AtomicReference<AppResult> result = new AtomicReference<>();
        LocalNodes.run(nodes, dsm -> {
            AppResult mine = application.measure(dsm, AppSize.SMALL, System::nanoTime);
            if (dsm.node() == 0) {
                result.set(mine);
            }
        });
        return result.get();
    }

    /** Node 0 is to read what node 1 writes, and reads it a barrier too early. */
    private static final class ReadingBeforeWriting implements DsmApplication {
        @Override
        public String name() {
            return "hasty";
        }

        @Override
        public double[] run(Dsm dsm, AppSize size, AppTimer timer) {
            var value = dsm.doubles(1, 1);
            timer.start();
            double found = value.get(0);
            timer.stop();
            if (dsm.node() == 1) {
                value.set(0, 1);
            }
            return dsm.node() == 0 ? new double[] {found} : new double[0];
        }

        @Override
        public double[] expected(AppSize size) {
            return new double[] {1};
        }
    }
}
