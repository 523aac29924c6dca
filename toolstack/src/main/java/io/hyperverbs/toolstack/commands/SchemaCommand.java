package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.topology.SchemaCheck;
import io.hyperverbs.toolstack.cli.CommandContext;
import picocli.CommandLine.Command;

/** {@code hv schema}. */
@Command(
        name = "schema",
        description = "Prints the JSON Schema of topology files, for editors and other tools.",
        footer = "  hv schema > topology.schema.json")
public final class SchemaCommand extends HvCommand {
    public SchemaCommand(CommandContext context) {
        super(context);
    }

    @Override
    public Integer call() {
        context().print(SchemaCheck.schemaText().stripTrailing());
        return ExitCode.OK.number();
    }
}
