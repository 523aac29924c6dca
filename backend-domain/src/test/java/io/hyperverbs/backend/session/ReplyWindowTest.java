package io.hyperverbs.backend.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;

import org.junit.jupiter.api.Test;

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

    @Test
    void takesIdsThatComeOutOfOrder() {
        window.keep(10, REQUEST, new ControlReply.Done());

        assertThat(window.find(9, REQUEST)).isNull();
    }
}
