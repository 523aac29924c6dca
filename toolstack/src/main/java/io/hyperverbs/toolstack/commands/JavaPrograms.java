package io.hyperverbs.toolstack.commands;

import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.machine.Installation;
import io.hyperverbs.launcher.machine.InstalledPrograms;
import io.hyperverbs.launcher.machine.Program;
import io.hyperverbs.launcher.machine.ProgramSource;
import io.hyperverbs.launcher.machine.WorkFolder;
import io.hyperverbs.upper.dsm.Dsm;
import io.hyperverbs.upper.job.launch.RankProgram;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import mpi.MPI;

/**
 * Finds Java programs of several ranks, with the libraries that they are written against.
 *
 * @param work folder that compiled classes go to
 * @param folder where relative file names start
 */
record JavaPrograms(WorkFolder work, Path folder) {
    /** A class of each module that programs of several ranks are written against. */
    private static final List<Class<?>> LIBRARY = List.of(RankProgram.class, MPI.class, Dsm.class);

    /** The user's program with the libraries, which it is compiled against, too. */
    Program find(String main, List<String> args) throws HvException {
        List<Path> library = LIBRARY.stream().map(InstalledPrograms::moduleOf).toList();
        List<Path> classPath = new ArrayList<>(Installation.current().guestClassPath());
        classPath.addAll(library);
        Program found = new ProgramSource(classPath, work.path()).find(main, args, folder);
        LinkedHashSet<Path> files = new LinkedHashSet<>(found.files());
        files.addAll(library);
        return new Program(found.mainClass(), List.copyOf(files), found.args());
    }
}
