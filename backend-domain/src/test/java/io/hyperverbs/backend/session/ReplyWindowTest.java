package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hyperverbs.vmm.io.ControlCodec;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ProtocolViolation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplyWindowTest {
    private static final ControlRequest REQUEST = new ControlRequest.AllocatePd(1);
    private final ReplyWindow window = new ReplyWindow();

    @Test
    void remembersAsManyAsItSays() {
        for (long id = 1; id <= ReplyWindow.SIZE; id++) {
            window.keep(id, REQUEST, new ControlReply.PdAllocated(id, 0));
        }

        assertThat(window.find(1, REQUEST)).isEqualTo(new ControlReply.PdAllocated(1, 0));
        assertThat(window.find(ReplyWindow.SIZE + 1, REQUEST)).isNull();
    }

    @Test
    void refusesWhatItHasForgotten() {
        for (long id = 1; id <= ReplyWindow.SIZE + 1; id++) {
            window.keep(id, REQUEST, new ControlReply.PdAllocated(id, 0));
        }

        assertThat(window.find(1, REQUEST)).isInstanceOf(ControlReply.Refused.class);
    }

    static List<List<ControlRequest>> requestsOfOneHash() {
        // A long and the same with its halves exchanged.
        List<ControlRequest> small = List.of(new ControlRequest.AllocatePd(1), new ControlRequest.AllocatePd(1L << 32));
        return List.of(small, List.of(registration(1), registration(1L << 32)));
    }

    private static ControlRequest registration(long lastFrame) {
        List<FrameRun> runs = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            runs.add(new FrameRun(10 + 2L * i, 1));
        }
        runs.add(new FrameRun(lastFrame, 1));
        return new ControlRequest.RegisterMemory(1, 0, 2001L * 4096, 1, runs);
    }

    @ParameterizedTest
    @MethodSource("requestsOfOneHash")
    void tellsRequestsOfOneHashApart(List<ControlRequest> requests) {
        ControlRequest first = requests.get(0);
        ControlRequest second = requests.get(1);
        assertThat(first).hasSameHashCodeAs(second).isNotEqualTo(second);
        window.keep(1, first, new ControlReply.Done());

        assertThat(window.find(1, first)).isEqualTo(new ControlReply.Done());
        assertThatThrownBy(() -> window.find(1, second)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void knowsALargeRequestThatComesOverTheWireOnceMore() {
        window.keep(1, registration(5), new ControlReply.Done());

        ControlRequest retried = ControlCodec.request(ControlCodec.bytesOf(registration(5)));

        assertThat(window.find(1, retried)).isEqualTo(new ControlReply.Done());
    }

    @Test
    void takesIdsThatComeOutOfOrder() {
        window.keep(10, REQUEST, new ControlReply.Done());

        assertThat(window.find(9, REQUEST)).isNull();
    }
}
