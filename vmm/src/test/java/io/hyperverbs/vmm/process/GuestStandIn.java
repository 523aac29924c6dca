package io.hyperverbs.vmm.process;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.hyperverbs.vmm.hypercall.HypercallClient;
import io.hyperverbs.vmm.memory.MappedExtent;
import io.hyperverbs.vmm.posix.SystemCall;
import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A guest without a driver, which does what its arguments say. */
public final class GuestStandIn {
    private static final int MMAP = 9;

    /** Exit code of a hog that met a limit which refuses. */
    private static final int REFUSED = 44;

    private GuestStandIn() {}

    public static void main(String... args) throws Exception {
        DomainArguments arguments = DomainArguments.parse(args);
        String token = new String(System.in.readAllBytes(), StandardCharsets.US_ASCII).strip();
        List<String> rest = arguments.rest();
        if (rest.contains("fail")) {
            System.out.println("failing as told");
            System.exit(3);
        }
        HypercallClient vmm = HypercallClient.connect(Path.of(arguments.folder(), "hypercall.sock"), token);
        vmm.ready();
        switch (rest.isEmpty() ? "idle" : rest.getFirst()) {
            case "exit" -> System.exit(Integer.parseInt(rest.get(1)));
            case "share" -> share(vmm);
            case "hog" -> takeMemory();
            case "fill" -> fill(vmm);
            case "look" -> lookAround(vmm, Path.of(arguments.folder()), rest);
            default -> {}
        }
        new CountDownLatch(1).await();
    }

    /** Takes private memory until it is ended, or refused. */
    private static void takeMemory() {
        long piece = 8L << 20;
        int readWrite = 3;
        int privateAnonymousPopulated = 0x8022;
        for (int i = 0; i < 100; i++) {
            if (SystemCall.make(MMAP, 0, piece, readWrite, privateAnonymousPopulated, -1, 0) < 0) {
                System.exit(REFUSED);
            }
        }
    }

    /** Writes all of its RAM. */
    private static void fill(HypercallClient vmm) throws Exception {
        vmm.boot().ram().forEach(extent -> extent.memory().fill((byte) 7));
        vmm.storeWrite("filled", "");
    }

    private static void share(HypercallClient vmm) throws Exception {
        vmm.boot().ram().getFirst().memory().set(JAVA_LONG, 0, 4711L);
        String name = vmm.boot().name();
        String device = vmm.boot().settings().getOrDefault("device-domain", "backend");
        long grant = Long.parseLong(vmm.storeRead("domain/" + device + "/grant-" + name, Duration.ofSeconds(10))
                .orElseThrow());
        MappedExtent page = vmm.mapGrant(grant);
        vmm.storeWrite("page", Long.toString(page.memory().get(JAVA_LONG, 0)));
        vmm.storeWrite("read-only", Boolean.toString(page.memory().isReadOnly()));
        vmm.storeWrite("look", "please");
    }

    /** Writes down what can be seen and done from here. */
    private static void lookAround(HypercallClient vmm, Path folder, List<String> args) throws Exception {
        vmm.storeWrite("root", list(Path.of("/")));
        vmm.storeWrite("folder", list(folder));
        vmm.storeWrite("lib", list(Path.of("/hv/lib")));
        vmm.storeWrite("tmp", list(Path.of("/tmp")));
        vmm.storeWrite("dev", list(Path.of("/dev")));
        vmm.storeWrite("network", interfaces());
        vmm.storeWrite("loopback", loopback());
        vmm.storeWrite("environment", String.join(" ", System.getenv().keySet()));
        vmm.storeWrite(
                "uid", Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString());
        vmm.storeWrite("processes", processes());
        vmm.storeWrite("status", Files.readString(Path.of("/proc/self/status")));
        vmm.storeWrite("limits", Files.readString(Path.of("/proc/self/limits")));
        vmm.storeWrite("descriptors", list(Path.of("/proc/self/fd")));
        vmm.storeWrite(
                "writable",
                Stream.of("/", "/tmp", "/hv/run", "/hv/run/out", "/hv/jdk", "/usr", "/hv/lib")
                        .filter(path -> canWrite(Path.of(path)))
                        .collect(Collectors.joining(" ")));
        vmm.storeWrite(
                "visible",
                args.subList(1, args.size()).stream()
                        .filter(path -> Files.exists(Path.of(path)))
                        .collect(Collectors.joining(" ")));
        vmm.storeWrite("done", "");
    }

    private static String processes() {
        try {
            return ProcessHandle.allProcesses()
                    .map(handle -> handle.info().command().orElse("?"))
                    .collect(Collectors.joining(" "));
        } catch (RuntimeException denied) {
            return "";
        }
    }

    private static String list(Path folder) {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().collect(Collectors.joining(" "));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static boolean canWrite(Path folder) {
        try {
            Files.delete(Files.createTempFile(folder, "probe", ""));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static String interfaces() {
        try {
            return Collections.list(NetworkInterface.getNetworkInterfaces()).stream()
                    .map(NetworkInterface::getName)
                    .collect(Collectors.joining(" "));
        } catch (SocketException e) {
            return e.toString();
        }
    }

    private static String loopback() {
        try {
            NetworkInterface loopback = NetworkInterface.getByName("lo");
            return loopback != null && loopback.isUp() ? "up" : "down";
        } catch (SocketException e) {
            return e.toString();
        }
    }
}
