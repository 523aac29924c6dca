package io.hyperverbs.device;

import io.hyperverbs.backend.BackendDomain;
import io.hyperverbs.backend.journal.JournalException;
import io.hyperverbs.vmm.hypercall.BackendHypercallClient;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.posix.PosixException;
import io.hyperverbs.vmm.posix.ProcessAttributes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * The process of the device domain: {@code --folder FOLDER --state STATE}, the launch token as a
 * line on standard input. Runs until the VMM is gone.
 */
public final class DeviceDomainMain {
    private DeviceDomainMain() {}

    /** Started by the VMM alone. */
    public static void main(String[] args)
            throws IOException, HypercallException, PosixException, InterruptedException, JournalException {
        Path folder = null;
        Path state = null;
        for (int i = 0; i + 1 < args.length; i += 2) {
            switch (args[i]) {
                case "--folder" -> folder = Path.of(args[i + 1]);
                case "--state" -> state = Path.of(args[i + 1]);
                default -> throw new IllegalArgumentException("unknown option " + args[i]);
            }
        }
        if (folder == null || state == null) {
            throw new IllegalArgumentException("--folder and --state are needed");
        }
        ProcessAttributes.forbidInspection();
        DomainConsole.install();
        BackendHypercallClient machine = BackendHypercallClient.connect(folder.resolve("hypercall.sock"), readToken());
        BackendDomain backend = BackendDomain.start(machine, state, new NativeDomains(machine));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            backend.close();
                            machine.prepareForEnd();
                        },
                        "shutdown"));
        machine.ready();
        // All other threads are daemons; the process is halted when the VMM is gone.
        new CountDownLatch(1).await();
    }

    private static String readToken() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        String token = input.readLine();
        if (token == null) {
            throw new IOException("no launch token on standard input");
        }
        return token;
    }
}
