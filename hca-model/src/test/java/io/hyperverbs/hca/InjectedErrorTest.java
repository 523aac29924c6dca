package io.hyperverbs.hca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.Counter;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Errors of the virtual machine itself in the middle of a queue pair's turn, real ones. They come
 * in where a turn asks its clock: when it starts a timer for a receiver that is not ready, and when
 * it waits for an answer.
 */
class InjectedErrorTest {
    /** How the virtual machine comes to fail. */
    enum Failing {
        OUT_OF_MEMORY {
            @Override
            long fail(Path folder) {
                return new long[Integer.MAX_VALUE].length;
            }
        },
        STACK_OVERFLOW {
            @Override
            @SuppressWarnings("InfiniteRecursion") // That is how it is made.
            long fail(Path folder) {
                return 1 + fail(folder);
            }
        },
        /** Memory of a file that has become shorter. */
        INTERNAL {
            @Override
            long fail(Path folder) {
                try (Arena arena = Arena.ofConfined();
                        FileChannel file = FileChannel.open(
                                folder.resolve("short"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE)) {
                    MemorySegment memory = file.map(MapMode.READ_WRITE, 0, 4096, arena);
                    var _ = file.truncate(0);
                    return memory.get(ValueLayout.JAVA_LONG, 0);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        };

        abstract long fail(Path folder);
    }

    @TempDir
    Path folder;

    private final HcaFixture fixture = new HcaFixture();
    private TestQp hit;
    private TestQp peer;
    private TestQp from;
    private TestQp to;
    private Buffer buffer;
    private Buffer otherBuffer;
    private Failing failing;

    @BeforeEach
    void connect() {
        Guest guest = fixture.guest(1);
        Guest other = fixture.guest(2);
        hit = new TestQp(fixture, guest);
        peer = new TestQp(fixture, other);
        from = new TestQp(fixture, other);
        to = new TestQp(fixture, guest);
        TestQp.connect(hit, peer);
        TestQp.connect(from, to);
        buffer = guest.buffer(64);
        otherBuffer = other.buffer(64);
        // The turns that the connecting asks for: nobody else is in line when the failure comes.
        fixture.run();
        fixture.hca.engine().useClock(this::clock);
    }

    /** Fails once. */
    private long clock() {
        Failing now = failing;
        failing = null;
        return now == null ? fixture.now : now.fail(folder);
    }

    @ParameterizedTest
    @EnumSource(Failing.class)
    void whenARetryIsTimedHitsItsQueuePairAlone(Failing how) {
        failing = how;
        // No receive is posted.
        hit.send(1, TestQp.SIGNALLED, buffer, 0, 8);
        fixture.run();

        assertHitAlone();
        assertThat(peer.state()).isEqualTo(QpState.RTS);
    }

    @ParameterizedTest
    @EnumSource(Failing.class)
    void whenAnAnswerIsAwaitedHitsItsQueuePairAlone(Failing how) {
        failing = how;
        assertThat(fixture.hca.destroyQp(peer.qpn)).isEqualTo(VerbsStatus.SUCCESS);
        hit.send(1, TestQp.SIGNALLED, buffer, 0, 8);
        fixture.run();

        assertHitAlone();
    }

    @ParameterizedTest
    @EnumSource(Failing.class)
    void inACommandIsItsCallersAlone(Failing how) {
        assertThatThrownBy(() -> fixture.hca.engine().commands().call(() -> how.fail(folder), -1L))
                .hasCauseInstanceOf(Error.class);

        assertOthersGoOn();
        assertThat(hit.state()).isEqualTo(QpState.RTS);
    }

    @Test
    void isWhatItIsCalled() {
        assertThatThrownBy(() -> Failing.OUT_OF_MEMORY.fail(folder)).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> Failing.STACK_OVERFLOW.fail(folder)).isInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> Failing.INTERNAL.fail(folder)).isInstanceOf(InternalError.class);
    }

    private void assertHitAlone() {
        assertThat(failing).as("the failure was met").isNull();
        assertThat(hit.state()).isEqualTo(QpState.ERR);
        assertThat(fixture.events()).contains("QP_FATAL " + hit.qpn);
        assertThat(hit.cq.drain()).hasSize(1).noneMatch(line -> line.contains("SUCCESS"));
        assertOthersGoOn();
    }

    private void assertOthersGoOn() {
        assertThat(fixture.hca.hasFailed()).isFalse();
        to.receive(5, buffer, 0, 64);
        from.send(2, TestQp.SIGNALLED, otherBuffer, 0, 8);
        fixture.run();
        assertThat(from.cq.drain()).contains("SEND 2 SUCCESS");
        assertThat(to.cq.drain()).contains("RECV 5 SUCCESS");
        assertThat(from.state()).isEqualTo(QpState.RTS);
        assertThat(to.state()).isEqualTo(QpState.RTS);
        assertThat(fixture.counter(Counter.ENGINE_FAULTS)).isLessThanOrEqualTo(1);
    }
}
