package io.hyperverbs.backend.channel;

import io.hyperverbs.backend.budget.BudgetLimits;
import java.time.Duration;

/**
 * What one guest may do to its socket.
 *
 * @param connections open at a time: one for requests, one for events
 * @param messageBytes largest message
 * @param metadataBytes largest header of a call
 * @param callsPerConnection under way at a time
 * @param handshake for the HTTP/2 preface to arrive
 * @param idle a connection without calls is closed after this
 * @param stalledReader a connection whose guest reads nothing is closed after this
 * @param budget over all connections that it makes
 */
public record ChannelLimits(
        int connections,
        int messageBytes,
        int metadataBytes,
        int callsPerConnection,
        Duration handshake,
        Duration idle,
        Duration stalledReader,
        BudgetLimits budget) {

    public static ChannelLimits standard() {
        return new ChannelLimits(
                2,
                64 << 10,
                4 << 10,
                64,
                Duration.ofSeconds(2),
                Duration.ofMinutes(30),
                Duration.ofSeconds(30),
                BudgetLimits.standard());
    }
}
