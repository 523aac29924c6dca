package io.hyperverbs.upper.mpi.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingSpaceTest {
    private static final int RING = 1024;

    @Test
    void framesBeginAtMultiplesOf64AndFillTheRing() {
        RingSpace ring = new RingSpace(RING);

        assertThat(ring.take(1)).isZero();
        assertThat(ring.take(64)).isEqualTo(64);
        assertThat(ring.take(65)).isEqualTo(128);
        assertThat(ring.take(256)).isEqualTo(256);
        assertThat(ring.take(256)).isEqualTo(512);
        assertThat(ring.hasRoom(256)).isTrue();
        assertThat(ring.wraps(256)).isFalse();
        assertThat(ring.take(256)).isEqualTo(768);
        assertThat(ring.hasRoom(1)).isFalse();
    }

    @Test
    void aFrameThatDoesNotFitBeforeTheEndBeginsAtTheStart() {
        RingSpace ring = new RingSpace(RING);
        for (int i = 0; i < 15; i++) {
            ring.take(64);
        }
        ring.release(960);

        assertThat(ring.wraps(64)).isFalse();
        assertThat(ring.wraps(65)).isTrue();
        assertThat(ring.take(65)).isZero();
        assertThat(ring.position()).isEqualTo(RING + 128);
    }

    @Test
    void aPeerThatReleasesWhatWasNotTakenIsNotBelieved() {
        RingSpace ring = new RingSpace(RING);
        for (int i = 0; i < 4; i++) {
            ring.take(256);
        }

        ring.release(2048);
        assertThat(ring.hasRoom(64)).isFalse();
        ring.release(-1);
        assertThat(ring.hasRoom(64)).isFalse();
        ring.release(512);
        assertThat(ring.hasRoom(256)).isTrue();
        // An old credit that is seen late takes nothing back.
        ring.release(256);
        assertThat(ring.hasRoom(512)).isTrue();
    }

    @Test
    void aRingHasAPowerOfTwoOfBytes() {
        assertThatThrownBy(() -> new RingSpace(1000)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RingSpace(128)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new RingSpace(RING).mostFrameBytes()).isEqualTo(256);
    }

    /** What is written and not read is never written over, and both ends find each frame at the same place. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void bothEndsAgreeAndNothingUnreadIsOverwritten(long seed) {
        Random random = new Random(seed);
        RingSpace sender = new RingSpace(RING);
        RingSpace receiver = new RingSpace(RING);
        byte[] owner = new byte[RING];
        Queue<int[]> unread = new ArrayDeque<>();
        int refused = 0;
        for (int step = 0; step < 100_000; step++) {
            if (random.nextInt(3) > 0) {
                int bytes = 32 + random.nextInt(sender.mostFrameBytes() - 31);
                if (!sender.hasRoom(bytes)) {
                    refused++;
                    continue;
                }
                int offset = sender.take(bytes);
                for (int i = offset; i < offset + bytes; i++) {
                    assertThat(owner[i]).as("byte %d in step %d", i, step).isZero();
                }
                Arrays.fill(owner, offset, offset + bytes, (byte) 1);
                unread.add(new int[] {offset, bytes});
            } else if (!unread.isEmpty()) {
                int[] frame = unread.remove();
                assertThat(receiver.take(frame[1])).isEqualTo(frame[0]);
                Arrays.fill(owner, frame[0], frame[0] + frame[1], (byte) 0);
                if (random.nextBoolean()) {
                    sender.release(receiver.position());
                }
            }
        }
        assertThat(refused).isPositive();
    }
}
