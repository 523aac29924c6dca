package io.hyperverbs.launcher.machine;

import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.failure.Problem;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Makes a {@link Program} of what a user names: a short name, a class, a JAR, or a {@code .java}
 * file, which is compiled.
 *
 * @param guestClassPath what programs are compiled against
 * @param work folder that compiled classes go to, below one folder each
 */
public record ProgramSource(List<Path> guestClassPath, Path work) {
    private static final Pattern CLASS_NAME = Pattern.compile("[A-Za-z_$][\\w$]*(\\.[A-Za-z_$][\\w$]*)*");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");

    /**
     * Finds the program.
     *
     * @param folder where relative file names start
     * @throws HvException NOT_FOUND without the file; FAILURE with the compiler's messages
     */
    public Program find(String main, List<String> args, Path folder) throws HvException {
        Optional<Program> installed = InstalledPrograms.find(main, args);
        if (installed.isPresent()) {
            return installed.get();
        }
        Path file = folder.resolve(main);
        boolean isJar = main.endsWith(".jar");
        if (!isJar && !main.endsWith(".java")) {
            if (!CLASS_NAME.matcher(main).matches()) {
                throw new HvException(
                        ExitCode.USAGE,
                        "'" + main + "' is no program",
                        "name pingpong, a class, a JAR or a .java file");
            }
            return new Program(main, List.of(), args);
        }
        if (!Files.isRegularFile(file)) {
            throw new HvException(ExitCode.NOT_FOUND, "no file " + main, "");
        }
        try {
            return isJar ? new Program(mainClass(file), List.of(file), args) : compile(file, main, args);
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot read " + main + ": " + e, "");
        }
    }

    private static String mainClass(Path jar) throws IOException, HvException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String main = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (main == null) {
                throw new HvException(ExitCode.USAGE, jar + " names no Main-Class in its manifest", "");
            }
            return main;
        }
    }

    private Program compile(Path file, String shown, List<String> args) throws IOException, HvException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new HvException(
                    ExitCode.FAILURE, "this Java has no compiler", "use a JDK, not a JRE, or name a class or a JAR");
        }
        Path classes = Files.createTempDirectory(Files.createDirectories(work), "classes");
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
            boolean compiled = compiler.getTask(
                            new StringWriter(),
                            files,
                            found,
                            List.of(
                                    "-d",
                                    classes.toString(),
                                    "-proc:none",
                                    // Debuggers and reflection need them.
                                    "-g",
                                    "-parameters",
                                    "-classpath",
                                    Installation.classPath(guestClassPath)),
                            null,
                            files.getJavaFileObjects(file))
                    .call();
            if (!compiled) {
                throw new HvException(ExitCode.FAILURE, errors(found, shown));
            }
        }
        return new Program(mainClassOf(file), List.of(classes), args);
    }

    private static List<Problem> errors(DiagnosticCollector<JavaFileObject> found, String shown) {
        return found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(one ->
                        new Problem(shown, (int) Math.max(0, one.getLineNumber()), "", one.getMessage(Locale.ROOT), ""))
                .toList();
    }

    /** The public class is named as its file. */
    private static String mainClassOf(Path file) throws IOException {
        String name = file.getFileName().toString().replaceFirst("\\.java$", "");
        Matcher matcher = PACKAGE.matcher(Files.readString(file));
        return matcher.find() ? matcher.group(1) + "." + name : name;
    }
}
