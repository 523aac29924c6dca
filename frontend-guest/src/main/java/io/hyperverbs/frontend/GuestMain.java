package io.hyperverbs.frontend;

import io.hyperverbs.frontend.channel.CallTiming;
import io.hyperverbs.frontend.channel.DeviceChannelClient;
import io.hyperverbs.frontend.program.Program;
import io.hyperverbs.frontend.program.ProgramQueue;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.verbs.spi.DomainProvider;
import io.hyperverbs.vmm.hypercall.HypercallClient;
import io.hyperverbs.vmm.hypercall.HypercallException;
import io.hyperverbs.vmm.hypercall.Hypercalls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The process of a guest: {@code --folder FOLDER [MAIN-CLASS ARGUMENT...]}, the launch token as a
 * line on standard input. Brings up the driver, says ready, and runs the program in the main
 * thread; its exit code is the program's. Without a program it waits for those that the toolstack
 * names ({@link ProgramQueue}).
 */
public final class GuestMain {
    private static final int USAGE = 2;

    private GuestMain() {}

    /** Started by the VMM alone. */
    public static void main(String[] args) throws IOException, HypercallException {
        if (args.length < 2 || !args[0].equals("--folder")) {
            System.err.println(
                    "usage: --folder FOLDER [MAIN-CLASS ARGUMENT...]; started by the VMM");
            System.exit(USAGE);
        }
        Path folder = Path.of(args[1]);
        String token = readToken();
        Hypercalls machine = HypercallClient.connect(folder.resolve("hypercall.sock"), token);
        DeviceChannelClient channel =
                DeviceChannelClient.connect(
                        folder.resolve("device.sock"), token, CallTiming.standard());
        VerbTrace trace =
                new VerbTrace(
                        folder.resolve("out/trace.log"), VerbTrace.DEFAULT_MAX_BYTES, "forwarded");
        DriverDomain domain =
                new DriverDomain(
                        machine,
                        channel,
                        channel,
                        DriverDomain.pathOf(machine.boot().settings().get("path")),
                        trace);
        DomainProvider.bind(domain);
        machine.ready();
        if (args.length == 2) {
            new ProgramQueue(machine, domain, folder.resolve("app")).serve();
            return;
        }
        List<String> programArgs = List.of(args).subList(3, args.length);
        int exitCode = new Program(GuestMain.class.getClassLoader(), args[2], programArgs).run();
        domain.close();
        machine.close();
        System.exit(exitCode);
    }

    /** One line, byte by byte: what follows on standard input is the program's. */
    private static String readToken() throws IOException {
        StringBuilder token = new StringBuilder();
        for (int b = System.in.read(); b >= 0 && b != '\n'; b = System.in.read()) {
            token.append((char) b);
        }
        return token.toString().strip();
    }
}
