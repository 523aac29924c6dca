package io.hyperverbs.backend.budget;

import java.time.Duration;

/**
 * How much a domain may do that carries nothing, over all its connections.
 *
 * @param connectsPerSecond connections that it makes
 * @param connectBurst of them at once
 * @param callsPerSecond calls without a message that can be read: unknown methods, wrong tokens,
 *     compressed or malformed messages, lengths that lie, no message at all
 * @param callBurst of them at once; calls under way count until their message has come
 * @param dataPerSecond frames of data beyond what messages need
 * @param dataBurst of them at once
 * @param resetsPerSecond streams reset, by either side
 * @param resetBurst of them at once
 * @param idlePerSecond frames of other kinds that carry nothing: SETTINGS, PRIORITY, empty DATA
 * @param pingsPerSecond frames of flow control: PING, WINDOW_UPDATE
 * @param firstPause nothing of a domain that went beyond is read for so long; twice as long each
 *     further time
 * @param longestPause that it grows to
 */
public record BudgetLimits(
        int connectsPerSecond,
        int connectBurst,
        int callsPerSecond,
        int callBurst,
        int dataPerSecond,
        int dataBurst,
        int resetsPerSecond,
        int resetBurst,
        int idlePerSecond,
        int pingsPerSecond,
        Duration firstPause,
        Duration longestPause) {

    /**
     * A driver makes two connections, has at most 64 calls under way on each, and up to a read
     * buffer full of small data frames whose messages are not looked at yet.
     */
    public static BudgetLimits standard() {
        return new BudgetLimits(
                10, 32, 50, 256, 100, 8192, 10, 128, 100, 50_000, Duration.ofMillis(10), Duration.ofMillis(100));
    }
}
