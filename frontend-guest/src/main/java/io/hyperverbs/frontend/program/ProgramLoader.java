package io.hyperverbs.frontend.program;

import io.hyperverbs.verbs.Domain;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassHierarchyResolver;
import java.net.URL;
import java.net.URLClassLoader;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of one program, which ends alone when it ends ({@link ExitCalls}). What its class path has is
 * loaded for it alone, also where the process has it too: the device domain, which runs native programs, has the
 * libraries that programs are written against on its own class path, and ranks must not share their static fields. The
 * verbs API is the process's, since a program gets its domain by it. Any thread.
 */
final class ProgramLoader extends URLClassLoader {
    private static final String VERBS_API = Domain.class.getPackageName() + ".";

    private final ProgramJars jars = new ProgramJars();
    private final ClassHierarchyResolver hierarchy;

    ProgramLoader(URL[] classPath, ClassLoader parent) {
        super(classPath, parent);
        hierarchy = ClassHierarchyResolver.ofResourceParsing(this).cached();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith(VERBS_API) || findResource(file(name)) == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    public @Nullable URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        URL own = findResource(name);
        if (own == null) {
            // Not by this loader, which would close what it has opened, and others with it, when the program ends.
            return getParent().getResourceAsStream(name);
        }
        try {
            return jars.open(own);
        } catch (IOException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        try (jars) {
            super.close();
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream file = getResourceAsStream(file(name))) {
            if (file == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = ExitCalls.replace(file.readAllBytes(), hierarchy);
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException | IllegalArgumentException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static String file(String className) {
        return className.replace('.', '/') + ".class";
    }
}
