package io.hyperverbs.hca.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.verbs.QpLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueueGeometryTest {
    @ParameterizedTest
    @CsvSource({
        "1, 0, 1, 1, 0, true",
        "65536, 65536, 30, 30, 480, true",
        "0, 0, 1, 1, 0, false",
        "65537, 0, 1, 1, 0, false",
        "1, -1, 1, 1, 0, false",
        "1, 65537, 1, 1, 0, false",
        "1, 0, 0, 1, 0, false",
        "1, 0, 31, 1, 0, false",
        "1, 0, 1, 0, 0, false",
        "1, 0, 1, 31, 0, false",
        "1, 0, 1, 1, -1, false",
        "1, 0, 1, 1, 481, false",
    })
    void limitsAreTakenUpToTheirEdges(
            int sendWr, int receiveWr, int sendSge, int receiveSge, int inline, boolean valid) {
        assertThat(QueueGeometry.isValid(sendWr, receiveWr, sendSge, receiveSge, inline))
                .isEqualTo(valid);
        if (!valid) {
            assertThatThrownBy(() -> QueueGeometry.of(sendWr, receiveWr, sendSge, receiveSge, inline))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // 48 bytes of head, 16 for each segment or the inline bytes, whichever is more
        "1, 1, 1, 1, 0, 64, 32",
        "1, 1, 2, 1, 0, 128, 32",
        "1, 1, 5, 1, 0, 128, 32",
        "1, 1, 6, 2, 0, 192, 64",
        "1, 1, 1, 3, 16, 64, 64",
        "1, 1, 1, 4, 17, 128, 96",
        "1, 1, 1, 30, 480, 576, 512",
    })
    void stridesHoldTheLargestEntry(
            int sendWr, int receiveWr, int sendSge, int receiveSge, int inline, int sendStride, int receiveStride) {
        QueueGeometry geometry = QueueGeometry.of(sendWr, receiveWr, sendSge, receiveSge, inline);

        assertThat(geometry.sendStrideBytes()).isEqualTo(sendStride);
        assertThat(geometry.receiveStrideBytes()).isEqualTo(receiveStride);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "2,2", "3,4", "4,4", "5,8", "65535,65536", "65536,65536"})
    void entriesAreRoundedUpToPowersOfTwo(int asked, int entries) {
        assertThat(QueueGeometry.powerOfTwo(asked)).isEqualTo(entries);
    }

    @Test
    void slotsFollowEachOtherAndGoRound() {
        QueueGeometry geometry = QueueGeometry.of(3, 2, 1, 1, 0);

        assertThat(geometry.sendEntries()).isEqualTo(4);
        assertThat(geometry.sendSlot(0)).isEqualTo(128);
        assertThat(geometry.sendSlot(3)).isEqualTo(128 + 3 * 64);
        assertThat(geometry.sendSlot(4)).isEqualTo(128);
        assertThat(geometry.sendSlot(-1)).isEqualTo(128 + 3 * 64);
        assertThat(geometry.receiveRingOffset()).isEqualTo(128 + 4 * 64);
        assertThat(geometry.receiveSlot(1)).isEqualTo(128 + 4 * 64 + 32);
        assertThat(geometry.receiveSlot(2)).isEqualTo(128 + 4 * 64);
        assertThat(geometry.totalBytes()).isEqualTo(128 + 4 * 64 + 2 * 32);
        assertThat(QueueGeometry.of(1, 0, 1, 1, 0).totalBytes()).isEqualTo(128 + 64);
    }

    @Test
    void takesTheLimitsOfAQueuePair() {
        QpLimits limits = QpLimits.of(3, 2).withSge(5, 4).withInlineBytes(100);

        assertThat(QueueGeometry.isValid(limits)).isTrue();
        assertThat(QueueGeometry.of(limits)).isEqualTo(QueueGeometry.of(3, 2, 5, 4, 100));
        assertThat(QueueGeometry.isValid(limits.withSge(31, 4))).isFalse();
    }
}
