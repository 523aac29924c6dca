package io.hyperverbs.vmm.domain;

/**
 * How fast the VMM reads what a guest prints: so many bytes a second, and a stock of those that
 * were not used. The guest waits for the rest; writing it down costs nobody else the disk. One
 * thread.
 */
final class LogPace {
    /** Far more than a person reads, and a small part of what a disk takes. */
    private static final long BYTES_PER_SECOND = 1 << 20;

    /** One log file: a burst that is kept whole comes through at once. */
    private static final long STOCK_BYTES = Console.MAX_BYTES / 2;

    private static final long NANOS = 1_000_000_000L;

    private final long bytesPerSecond;
    private final long stockBytes;
    private double stock;
    private long lastNanos;

    LogPace(long bytesPerSecond, long stockBytes, long nowNanos) {
        this.bytesPerSecond = bytesPerSecond;
        this.stockBytes = stockBytes;
        this.stock = stockBytes;
        this.lastNanos = nowNanos;
    }

    /** For what trusted processes print: who serves others must not wait for its log. */
    static LogPace none() {
        return new LogPace(Long.MAX_VALUE >> 1, Long.MAX_VALUE >> 1, 0);
    }

    /** The pace of a guest's logs. */
    static LogPace standard(long nowNanos) {
        return new LogPace(BYTES_PER_SECOND, STOCK_BYTES, nowNanos);
    }

    /**
     * So many bytes were read; how long to wait before the next, in ns, zero while there is stock.
     */
    long delayNanos(int bytes, long nowNanos) {
        double earned = (double) (nowNanos - lastNanos) * bytesPerSecond / NANOS;
        lastNanos = nowNanos;
        stock = Math.min((double) stockBytes, stock + earned) - bytes;
        return stock >= 0 ? 0 : (long) (-stock * NANOS / bytesPerSecond);
    }
}
