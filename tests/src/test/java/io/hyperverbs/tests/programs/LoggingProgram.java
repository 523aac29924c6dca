package io.hyperverbs.tests.programs;

import io.netty.util.internal.logging.InternalLoggerFactory;
import java.util.logging.Logger;
import org.slf4j.LoggerFactory;

/** Logs as the driver's libraries do when something is wrong, and once under a name of its own. */
public final class LoggingProgram {
    private LoggingProgram() {}

    // All on one stream: no order is kept between lines of two that come close together.
    public static void main(String[] args) {
        System.err.println("the first line");
        InternalLoggerFactory.getInstance("io.netty.channel.AbstractChannel").error("of netty");
        LoggerFactory.getLogger("io.netty.util.ResourceLeakDetector").error("of netty, by slf4j");
        Logger.getLogger("io.grpc.internal.ManagedChannelImpl").severe("of gRPC");
        LoggerFactory.getLogger("io.grpc.internal.ManagedChannelOrphanWrapper").error("of gRPC, by slf4j");
        Logger.getLogger("program").severe("of the program");
        System.err.println("the last line");
    }
}
