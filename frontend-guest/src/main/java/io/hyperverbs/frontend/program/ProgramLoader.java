package io.hyperverbs.frontend.program;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassHierarchyResolver;
import java.net.URL;
import java.net.URLClassLoader;

/** Loads the classes of one program, which ends alone when it ends ({@link ExitCalls}). */
final class ProgramLoader extends URLClassLoader {
    private final ClassHierarchyResolver hierarchy;

    ProgramLoader(URL[] classPath, ClassLoader parent) {
        super(classPath, parent);
        hierarchy = ClassHierarchyResolver.ofResourceParsing(this).cached();
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = ExitCalls.replace(file.readAllBytes(), hierarchy);
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException | IllegalArgumentException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
