package io.hyperverbs.lab.attacks.load;

import io.hyperverbs.lab.attacks.cases.ChannelFlood;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Floods its device socket below the driver, which connects again when that is over. */
final class ChannelStorm implements Load {
    private final ChannelFlood.Kind kind;
    private @Nullable ChannelFlood flood;

    ChannelStorm(ChannelFlood.Kind kind) {
        this.kind = kind;
    }

    @Override
    public void step() throws VerbsException {
        try {
            if (flood == null) {
                flood = ChannelFlood.begin(kind);
            }
            flood.step();
        } catch (IOException e) {
            throw new VerbsException(VerbsStatus.EIO, "device socket: " + e.getMessage());
        }
    }

    @Override
    public void settle() throws VerbsException {
        try {
            if (flood != null) {
                flood.close();
            }
        } catch (IOException e) {
            throw new VerbsException(VerbsStatus.EIO, "device socket: " + e.getMessage());
        } finally {
            flood = null;
        }
    }
}
