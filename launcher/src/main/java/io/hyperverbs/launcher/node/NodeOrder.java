package io.hyperverbs.launcher.node;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.hyperverbs.launcher.failure.ExitCode;
import io.hyperverbs.launcher.failure.HvException;
import io.hyperverbs.launcher.node.wire.Bundle;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a node is to start, how it was told, and where it is to listen. */
public final class NodeOrder {
    /** Kubernetes gives a file of a Secret to the pod's group where the pod is not root's. */
    private static final Set<PosixFilePermission> TOO_OPEN = Set.of(
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE,
            PosixFilePermission.OTHERS_EXECUTE);

    private static final String NOBODY_ELSE = "hv up or an exported manifest starts nodes, nobody else";

    private final Bundle bundle;
    private final int port;
    private final @Nullable InputStream release;

    private NodeOrder(Bundle bundle, int port, @Nullable InputStream release) {
        this.bundle = bundle;
        this.port = port;
        this.release = release;
    }

    /**
     * From {@code hv up}, that releases the node when all hosts are up.
     *
     * @param input a {@link Bundle} with its length before it, then one byte once all hosts are up
     */
    public static NodeOrder from(InputStream input) throws HvException, IOException {
        Bundle bundle = Bundle.parseDelimitedFrom(input);
        if (bundle == null) {
            throw new HvException(ExitCode.USAGE, "nothing to start on standard input", NOBODY_ELSE);
        }
        return new NodeOrder(bundle, 0, input);
    }

    /**
     * From a file, where something else than {@code hv up} starts nodes: nobody releases it.
     *
     * @param file with a {@link Bundle}, its length before it, that others can neither read nor change
     * @param port TCP port to listen on, from 1
     * @throws HvException NOT_FOUND without the file; CONFLICT if it is open to others; FAILURE if it is no bundle
     */
    public static NodeOrder from(Path file, int port) throws HvException {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (!Collections.disjoint(permissions, TOO_OPEN)) {
                throw new HvException(
                        ExitCode.CONFLICT,
                        file + " holds a key and is open to others: " + PosixFilePermissions.toString(permissions),
                        "chmod 0400, or defaultMode: 0400 of the volume");
            }
            byte[] content = Files.readAllBytes(file);
            CodedInputStream input = CodedInputStream.newInstance(content);
            int length = input.readRawVarint32();
            if (length <= 0 || length != content.length - input.getTotalBytesRead()) {
                throw noBundle(file);
            }
            return new NodeOrder(Bundle.parseFrom(input), port, null);
        } catch (NoSuchFileException e) {
            throw new HvException(ExitCode.NOT_FOUND, "no file " + file, NOBODY_ELSE);
        } catch (InvalidProtocolBufferException e) {
            throw noBundle(file);
        } catch (IOException e) {
            throw new HvException(ExitCode.FAILURE, "cannot read " + file + ": " + e, "");
        }
    }

    private static HvException noBundle(Path file) {
        return new HvException(ExitCode.FAILURE, file + " is not what hv export writes for a host", NOBODY_ELSE);
    }

    Bundle bundle() {
        return bundle;
    }

    /** TCP port; 0 for any. */
    int port() {
        return port;
    }

    /** Whether the process that told it ends with it; else a signal ends it as well as the operator does. */
    boolean isReleased() {
        return release != null;
    }

    /**
     * Returns when all hosts are up, as far as somebody says so.
     *
     * @throws HvException FAILURE if they do not come up
     */
    void awaitRelease() throws HvException, IOException {
        if (release != null && release.read() < 0) {
            throw new HvException(ExitCode.FAILURE, "the start was given up", "");
        }
    }
}
