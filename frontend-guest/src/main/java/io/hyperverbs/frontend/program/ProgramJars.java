package io.hyperverbs.frontend.program;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * The open JARs of one program. The JDK's connections to JARs share open files in a process, so that the end of one
 * program would close those that another one loads classes from. Any thread.
 */
final class ProgramJars implements Closeable {
    private static final String JAR = "jar:";
    private static final String ENTRY = "!/";

    private final Map<URI, JarFile> open = new HashMap<>();
    private boolean closed;

    /**
     * What a URL of a class path leads to: a file in a JAR, or one by itself.
     *
     * @throws IOException if it cannot be read, or the program has ended
     */
    InputStream open(URL resource) throws IOException {
        String text = resource.toExternalForm();
        int split = text.indexOf(ENTRY);
        if (!text.startsWith(JAR) || split < 0) {
            return resource.openStream();
        }
        JarFile jar = jar(URI.create(text.substring(JAR.length(), split)));
        String name = URI.create(text.substring(split + 1)).getPath().substring(1);
        ZipEntry entry = jar.getEntry(name);
        if (entry == null) {
            throw new IOException(jar.getName() + " has no " + name);
        }
        return jar.getInputStream(entry);
    }

    private synchronized JarFile jar(URI file) throws IOException {
        if (closed) {
            throw new IOException("the program has ended");
        }
        JarFile jar = open.get(file);
        if (jar == null) {
            jar = new JarFile(new File(file), true, JarFile.OPEN_READ, JarFile.runtimeVersion());
            open.put(file, jar);
        }
        return jar;
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        for (JarFile jar : open.values()) {
            jar.close();
        }
        open.clear();
    }
}
