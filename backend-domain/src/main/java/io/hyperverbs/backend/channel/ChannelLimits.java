package io.hyperverbs.backend.channel;

import java.time.Duration;

/**
 * What one guest may do to its socket.
 *
 * @param connections open at a time: one for requests, one for events
 * @param messageBytes largest message
 * @param metadataBytes largest header of a call
 * @param callsPerConnection under way at a time
 * @param resetsPerWindow streams that it may reset within {@code resetWindow}
 * @param handshake for the HTTP/2 preface to arrive
 * @param idle a connection without calls is closed after this
 * @param idleFramesPerSecond frames that carry nothing: SETTINGS, PRIORITY, empty DATA and others
 * @param pingsPerSecond frames of flow control: PING, WINDOW_UPDATE
 * @param stalledReader a connection whose guest reads nothing is closed after this
 */
public record ChannelLimits(
        int connections,
        int messageBytes,
        int metadataBytes,
        int callsPerConnection,
        int resetsPerWindow,
        Duration resetWindow,
        Duration handshake,
        Duration idle,
        int idleFramesPerSecond,
        int pingsPerSecond,
        Duration stalledReader) {

    public static ChannelLimits standard() {
        return new ChannelLimits(
                2,
                64 << 10,
                4 << 10,
                64,
                100,
                Duration.ofSeconds(10),
                Duration.ofSeconds(2),
                Duration.ofMinutes(30),
                100,
                50_000,
                Duration.ofSeconds(30));
    }
}
