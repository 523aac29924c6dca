package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.CommandContext;
import picocli.CommandLine.Command;

/** {@code hv bench lat}. */
@Command(
        name = "lat",
        description = {
            "Measures latency as ib_send_lat, ib_write_lat, ib_read_lat and ib_atomic_lat do, with their options and"
                    + " rows: one message in flight; of send and write half a round trip, of read and atomic the time"
                    + " from post to completion. One row for each size and path. With --pattern several guests at once,"
                    + " each message from post to completion, whatever its verb.",
            "Starts a machine of its own and leaves nothing."
        },
        footer = {
            "  hv bench lat --verb send",
            "  hv bench lat --verb write -s 64,4KiB -n 10000 --path native,bypass",
            "  hv bench lat --verb write --pattern M2O --guests 3 --path native,bypass",
            "  hv bench lat --verb read -a --format json"
        })
public final class LatCommand extends PerfCommand {
    public LatCommand(CommandContext context) {
        super(context, true);
    }
}
