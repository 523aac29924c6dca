package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.cli.CommandContext;
import picocli.CommandLine.Command;

/** {@code hv bench bw}. */
@Command(
        name = "bw",
        description = {
            "Measures bandwidth as ib_send_bw, ib_write_bw, ib_read_bw and ib_atomic_bw do, with their options and"
                    + " rows: as many messages in flight as the send queues hold, from the first post to the last"
                    + " completion. One row for each size and path.",
            "Starts a machine of its own and leaves nothing."
        },
        footer = {
            "  hv bench bw --verb write",
            "  hv bench bw --verb send -s 2KiB -q 4 -l 8 -b --use-srq",
            "  hv bench bw --verb write --pattern A2A --guests 3 --path bypass",
            "  hv bench bw --verb read -a -D 2 --path bypass --out_json"
        })
public final class BwCommand extends PerfCommand {
    public BwCommand(CommandContext context) {
        super(context, false);
    }
}
