package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.CommandContext;
import io.hyperverbs.vmm.control.MachineClient;
import io.hyperverbs.vmm.domain.MachineException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Sends what {@code hv run} reads to the standard input of the program in its guest, until one of
 * the two ends.
 */
final class InputFeed {
    /** A program that does not read is asked again less and less often. */
    private static final long FIRST_WAIT_MILLIS = 1;

    private static final long LONGEST_WAIT_MILLIS = 50;

    private final MachineClient client;
    private final String guest;

    private InputFeed(MachineClient client, String guest) {
        this.client = client;
        this.guest = guest;
    }

    /** Feeds a guest that has been started for input, on a thread that ends with this process. */
    static void start(CommandContext context, MachineClient client, String guest) {
        context.environment()
                .in()
                .ifPresent(in ->
                        Thread.ofPlatform().daemon().name("input").start(() -> new InputFeed(client, guest).run(in)));
    }

    private void run(InputStream in) {
        try {
            byte[] buffer = new byte[MachineClient.MAX_INPUT_BYTES];
            for (int n = read(in, buffer); n >= 0; n = read(in, buffer)) {
                send(Arrays.copyOf(buffer, n));
            }
            client.endInput(guest);
        } catch (MachineException e) {
            // The program has ended, or reads no more: the rest is nobody's.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What cannot be read any more has ended. */
    private static int read(InputStream in, byte[] buffer) {
        try {
            return in.read(buffer);
        } catch (IOException e) {
            return -1;
        }
    }

    private void send(byte[] bytes) throws MachineException, InterruptedException {
        long waitMillis = FIRST_WAIT_MILLIS;
        while (!client.writeInput(guest, bytes)) {
            Thread.sleep(waitMillis);
            waitMillis = Math.min(2 * waitMillis, LONGEST_WAIT_MILLIS);
        }
    }
}
