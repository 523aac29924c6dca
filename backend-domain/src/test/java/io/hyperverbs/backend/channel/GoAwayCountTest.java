package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class GoAwayCountTest {
    private int rejected;
    private final EmbeddedChannel connection = new EmbeddedChannel(new GoAwayCount(() -> rejected++));

    private void write(String hex) {
        var _ = connection.writeOutbound(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)));
    }

    @Test
    void countsAConnectionThatEndsInAnErrorOnce() {
        // Length 8, GOAWAY, stream 0; last stream 0, PROTOCOL_ERROR.
        write("00000807000000000000000000" + "00000001");
        write("00000807000000000000000000" + "00000001");

        assertThat(rejected).isEqualTo(1);
        assertThat(connection.outboundMessages()).hasSize(2);
    }

    @Test
    void countsNeitherAnOrderlyEndNorOtherFrames() {
        write("00000807000000000000000000" + "00000000");
        // SETTINGS, and bytes of a message.
        write("00000c04000000000000030000004000040000ffff");
        write("00");

        assertThat(rejected).isZero();
    }

    @Test
    void countsNoFrameOfItsTypeOnAStream() {
        // As above, but on stream 1: a GOAWAY is of the connection, stream 0.
        write("00000807000000000100000000" + "00000001");

        assertThat(rejected).isZero();
        assertThat(connection.outboundMessages()).hasSize(1);
    }

    @Test
    void handsOnWhatIsNoBytes() {
        Object told = new Object();

        var _ = connection.writeOutbound(told);

        assertThat(connection.<Object>readOutbound()).isSameAs(told);
        assertThat(rejected).isZero();
    }
}
