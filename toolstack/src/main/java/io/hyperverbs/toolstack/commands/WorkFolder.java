package io.hyperverbs.toolstack.commands;

import io.hyperverbs.toolstack.machine.MachineFolder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder for what is compiled on the way; goes when closed. */
record WorkFolder(Path path) implements AutoCloseable {
    static WorkFolder make() throws IOException {
        return new WorkFolder(Files.createTempDirectory("hv"));
    }

    @Override
    public void close() {
        try {
            new MachineFolder("work", path).delete();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
