package io.hyperverbs.hca.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapturePointTest {
    private final CapturePoint point = new CapturePoint();
    private final List<Integer> lengths = new ArrayList<>();

    private void pass(int bytes) {
        CapturedPacket packet = point.begin(1, PacketFate.SENT);
        if (packet != null) {
            point.take(packet.at(MemorySegment.NULL, 0, bytes));
        }
    }

    @Test
    void showsWhatPassesWhileATapIsThere() {
        pass(1);
        point.attach(packet -> lengths.add(packet.lengthBytes));
        pass(2);
        pass(3);
        point.attach(null);
        pass(4);

        assertThat(lengths).containsExactly(2, 3);
        assertThat(point.isAttached()).isFalse();
    }

    @Test
    void aTapThatThrowsIsOneNoMore() {
        point.attach(_ -> {
            throw new IllegalStateException("thrown on purpose");
        });

        pass(1);

        assertThat(point.isAttached()).isFalse();
    }

    @Test
    void codesOfFatesAreKept() {
        for (PacketFate fate : PacketFate.values()) {
            assertThat(PacketFate.of(fate.code())).isEqualTo(fate);
        }
        assertThat(PacketFate.of(0)).isNull();
        assertThat(PacketFate.SENT.code()).isEqualTo(1);
        assertThat(PacketFate.UNANSWERED.code()).isEqualTo(10);
    }
}
