package io.hyperverbs.lab.run.floor;

import io.hyperverbs.vmm.cores.EngineCores;
import io.hyperverbs.vmm.posix.PosixException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;

/**
 * A process of a floor. Arguments: its {@link Role}, the shared file, and the socket of calls. It ends when nobody holds the
 * other end of its standard input, so that none is left if who started it dies. A requester takes lines such as
 * {@code WRITE 64 1 1 5000 200 100} there, a {@link FloorCell} and terms, and answers each by one: nanoseconds.
 */
public final class FloorParty {
    /** What a process does. */
    enum Role {
        ENGINE,
        PEER,
        REQUESTER;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private FloorParty() {}

    public static void main(String[] args)
            throws IOException, PosixException, InterruptedException, ExecutionException {
        EngineCores cores = EngineCores.standard();
        Role role = Role.valueOf(args[0].toUpperCase(Locale.ROOT));
        FloorMemory memory = new FloorMemory(map(Path.of(args[1])));
        BufferedReader asked = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (role == Role.REQUESTER) {
            try (FloorRequester requester = new FloorRequester(memory, Path.of(args[2]))) {
                cores.placeProgram();
                answer(asked, requester);
            }
            return;
        }
        boolean isEngine = role == Role.ENGINE;
        if (isEngine) {
            serve(cores, Path.of(args[2]));
            cores.placeEngine();
        } else {
            cores.placeProgram();
        }
        Thread worker = new Thread(isEngine ? new FloorEngine(memory) : new FloorPeer(memory), role.word());
        worker.setDaemon(true);
        worker.start();
        System.out.println(role.word());
        while (asked.readLine() != null) {
            // Nothing is asked of it.
        }
    }

    /** Answers calls where programs run, as a device domain does. */
    private static void serve(EngineCores cores, Path socket) throws InterruptedException, ExecutionException {
        FutureTask<Runnable> served = new FutureTask<>(() -> {
            cores.placeProgram();
            return FloorCall.serve(socket);
        });
        new Thread(served, "calls").start();
        Runnable _ = served.get();
    }

    private static MemorySegment map(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, FloorMemory.SIZE_BYTES, Arena.global());
        }
    }

    private static void answer(BufferedReader asked, FloorRequester requester) throws IOException {
        System.out.println(Role.REQUESTER.word());
        for (String line = asked.readLine(); line != null; line = asked.readLine()) {
            String[] words = line.split(" ", -1);
            FloorCell cell = new FloorCell(
                    Floor.valueOf(words[0]),
                    Integer.parseInt(words[1]),
                    Integer.parseInt(words[2]),
                    Integer.parseInt(words[3]));
            long[] nanos = requester.measure(
                    cell,
                    new FloorRequester.Terms(
                            Integer.parseInt(words[4]), Integer.parseInt(words[5]), Integer.parseInt(words[6])));
            System.out.println(Arrays.stream(nanos).mapToObj(Long::toString).collect(Collectors.joining(" ")));
        }
    }
}
