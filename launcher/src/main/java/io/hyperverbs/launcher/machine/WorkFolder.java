package io.hyperverbs.launcher.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder for what is made on the way. It goes when closed, and when the process is ended. */
public final class WorkFolder implements AutoCloseable {
    private final Path path;
    private final Thread hook = new Thread(this::delete, "remove-work-folder");

    private WorkFolder(Path path) {
        this.path = path;
    }

    public static WorkFolder make() throws IOException {
        WorkFolder folder = new WorkFolder(Files.createTempDirectory("hv"));
        Runtime.getRuntime().addShutdownHook(folder.hook);
        return folder;
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() {
        delete();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook has run.
        }
    }

    private void delete() {
        try {
            new MachineFolder("work", path).delete();
        } catch (IOException e) {
            System.err.println("hv: cannot remove " + path + ": " + e);
        }
    }
}
