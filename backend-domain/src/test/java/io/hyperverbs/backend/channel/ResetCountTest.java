package io.hyperverbs.backend.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.backend.budget.BudgetLimits;
import io.hyperverbs.backend.budget.LoopShares;
import io.hyperverbs.backend.session.RejectedAct;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Resets that a guest provokes from the server's side. */
class ResetCountTest {
    private static final BudgetLimits LIMITS = BudgetLimits.standard();
    private static final String RST_STREAM = "000004" + "03" + "00" + "00000001" + "00000005";

    private int floods;
    private final ChannelGuard guard = new ChannelGuard(
            ChannelLimits.standard(),
            new LoopShares(1).join(),
            () -> 0,
            () -> 0,
            act -> floods += act == RejectedAct.FLOOD ? 1 : 0);
    private final EmbeddedChannel connection = new EmbeddedChannel(new ResetCount(guard));

    private void write(String hex) {
        var _ = connection.write(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)));
    }

    @Test
    void closesTheConnectionOfWhoProvokesTooMany() {
        for (int i = 0; i < LIMITS.resetBurst(); i++) {
            write(RST_STREAM);
        }
        assertThat(connection.isOpen()).isTrue();

        write(RST_STREAM);

        assertThat(connection.isOpen()).isFalse();
        assertThat(floods).isEqualTo(1);
    }

    @Test
    void countsNoOtherFramesAndNoMessages() {
        for (int i = 0; i <= LIMITS.resetBurst(); i++) {
            // WINDOW_UPDATE; a message of 8 bytes with its prefix.
            write("000004" + "08" + "00" + "00000000" + "00000001");
            write("00" + "00000008" + "0300000000000100");
        }

        assertThat(connection.isOpen()).isTrue();
        connection.flush();
        assertThat(connection.outboundMessages()).hasSize(2 * LIMITS.resetBurst() + 2);
    }
}
