package io.hyperverbs.tests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hyperverbs.lab.ledger.InEachBuild;
import io.hyperverbs.lab.ledger.RunsWhenChanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sockets over the HCA: programs of rdma-core that use them, and others that have them preloaded. */
@SeveralEngines
@RunsWhenChanged("libibverbs")
class RsocketTest {
    private static final String SERVER = "b";

    /** rdma-core's own, which finds our rsocket functions. */
    private static final Path STOCK = Path.of("/usr/lib/x86_64-linux-gnu/rsocket/librspreload.so");

    /** Sends what it gets back, to each that calls, until the stream ends; the first argument says of how many. */
    private static final String ECHO = """
        import socket, sys
        s = socket.create_server(('', 7200))
        for i in range(int(sys.argv[1])):
            c, _ = s.accept()
            while data := c.recv(70000):
                c.sendall(data)
            c.close()
        """;

    /** Sends and receives at the same time, ends its own stream first, and compares digests. */
    private static final String CALL = """
        import hashlib, random, socket, sys, threading
        c = socket.create_connection((sys.argv[1], 7200))
        sent, got, left = hashlib.sha256(), hashlib.sha256(), 20_000_000
        def send(left):
            r = random.Random(7)
            while left > 0:
                part = r.randbytes(min(left, r.randrange(1, 200_000)))
                sent.update(part)
                c.sendall(part)
                left -= len(part)
            c.shutdown(socket.SHUT_WR)
        sender = threading.Thread(target=send, args=[left])
        sender.start()
        while part := c.recv(50_000):
            got.update(part)
            left -= len(part)
        sender.join()
        print('left', left, 'same', sent.digest() == got.digest())
        """;

    private static final List<String> PYTHON = List.of("/usr/bin/python3", "-c");

    private static final int REDIS_PORT = 7201;

    /** Of iperf3. */
    private static final int STREAMS = 2;

    /** What a peer may have written that nobody has read yet (HV_RS_RING_BYTES). */
    private static final int RING_BYTES = 128 << 10;

    @TempDir
    static Path folder;

    private static ExecutableGuests guests;

    /** The same, with the library preloaded. */
    private static ExecutableGuests sockets;

    @BeforeAll
    static void up() throws Exception {
        assumeTrue(
                Files.exists(ExecutableGuests.LIBRARIES.resolve("librspreload.so")),
                "librspreload.so was not built: no C compiler, or no rdma/rdma_cma.h");
        guests = ExecutableGuests.start(folder, "rsocket", 2, "128MiB");
        sockets = guests.with("--rsockets");
    }

    @AfterAll
    static void down() throws Exception {
        if (guests != null) {
            guests.close();
        }
    }

    /** -T v: each end looks at all that it gets. Without b or a it does not wait; a waits by rpoll. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rstream -T v -T b -S 100000 -C 200 -I 2",
                "rstream -T v -T a -S 100000 -C 200 -I 2",
                "rstream -T v -S 63 -C 2000 -I 2",
                "rstream -T v -T b -S 1000 -C 500 -B 4096",
                "riostream -T v -S 100000 -C 50"
            })
    void rstreamFindsItsData(String command) throws Exception {
        ExecutableGuests.assumePrograms(List.of("rstream", "riostream"), "rdmacm-utils");
        List<String> words = List.of(command.split(" "));
        CompletableFuture<HvProcess.Outcome> serves = guests.inBackground(SERVER, words);
        List<String> calling = new ArrayList<>(words);
        calling.addAll(List.of("-s", SERVER));

        assertThat(guests.runConnecting(serves, calling).out()).contains("custom");
    }

    @InEachBuild
    @Test
    void aProgramThatKnowsSocketsOnlyGetsBackWhatItSent() throws Exception {
        CompletableFuture<HvProcess.Outcome> serves = sockets.inBackground(SERVER, python(ECHO, "1"));

        assertThat(sockets.runConnecting(serves, python(CALL, SERVER)).out()).contains("left 0 same True");
    }

    @Test
    void iperf3CountsWhatArrives() throws Exception {
        ExecutableGuests.assumePrograms(List.of("iperf3"), "iperf3");
        iperf3(sockets, UnaryOperator.identity());
    }

    @Test
    void iperf3RunsWithTheLibraryOfRdmaCore() throws Exception {
        ExecutableGuests.assumePrograms(List.of("iperf3"), "iperf3");
        assumeTrue(Files.exists(STOCK), STOCK + " is not installed (librdmacm1)");
        iperf3(guests, RsocketTest::withStock);
    }

    /** Both ends of redis wait by epoll. */
    @Test
    void redisAnswersManyConnections() throws Exception {
        ExecutableGuests.assumePrograms(List.of("redis-server", "redis-benchmark"), "redis-server, redis-tools");
        CompletableFuture<HvProcess.Outcome> serves = sockets.inBackground(
                SERVER,
                List.of(
                        "redis-server",
                        "--port",
                        "" + REDIS_PORT,
                        "--bind",
                        "0.0.0.0",
                        "--protected-mode",
                        "no",
                        "--save",
                        "",
                        "--dir",
                        "/tmp"));
        List<String> to = List.of("-h", SERVER, "-p", "" + REDIS_PORT);
        guests.awaitConnectionManager(serves, true);

        HvProcess.Outcome benchmark = sockets.exec(
                "a", concat("redis-benchmark", to, "-n", "5000", "-c", "10", "-d", "3000", "-t", "set,get", "--csv"));
        HvProcess.Outcome value = sockets.exec("a", concat("redis-cli", to, "strlen", "key:__rand_int__"));
        HvProcess.Outcome client = sockets.runConnecting(serves, concat("redis-cli", to, "shutdown"));

        assertThat(benchmark.expect(0).out()).containsPattern("\"SET\",\"[1-9]").containsPattern("\"GET\",\"[1-9]");
        assertThat(value.expect(0).out()).contains("3000");
        client.expect(0);
    }

    @Test
    void aCallThatNobodyListensToIsRefused() throws Exception {
        String call = """
            import socket
            try:
                socket.create_connection(('127.0.0.1', 7300))
            except ConnectionRefusedError:
                print('refused')
            """;

        assertThat(sockets.exec("a", python(call)).expect(0).out()).contains("refused");
    }

    /** The end of a stream whose program is killed is that of its peer's, which waits for more. */
    @Test
    void aPeerThatIsKilledEndsTheStream() throws Exception {
        String call = """
            import os, socket, sys
            c = socket.create_connection((sys.argv[1], 7200))
            c.sendall(b'last words')
            c.recv(10)
            os.kill(os.getpid(), 9)
            """;
        CompletableFuture<HvProcess.Outcome> serves = sockets.inBackground(SERVER, python(ECHO, "1"));
        guests.awaitConnectionManager(serves, true);

        assertThat(sockets.exec("a", python(call, SERVER)).exit()).isEqualTo(128 + 9);
        assertThat(serves.get(60, TimeUnit.SECONDS).exit()).isZero();
        guests.awaitConnectionManager(serves, false);
    }

    private static void iperf3(ExecutableGuests guests, UnaryOperator<List<String>> words) throws Exception {
        CompletableFuture<HvProcess.Outcome> serves =
                guests.inBackground(SERVER, words.apply(List.of("iperf3", "-s", "-1")));

        List<String> calling = List.of("iperf3", "-c", SERVER, "-n", "50M", "-P", "" + STREAMS, "-J");
        String said = guests.runConnecting(serves, words.apply(calling)).out();

        long sent = total(said, "sum_sent");
        assertThat(sent).isGreaterThanOrEqualTo(50L << 20);
        // Its server reads no more when the client says that the test is over: what is in the rings then is not
        // counted.
        assertThat(sent - total(said, "sum_received")).isBetween(0L, (long) STREAMS * RING_BYTES);
    }

    private static long total(String said, String name) {
        Matcher found = Pattern.compile('"' + name + "\":\\s*\\{[^}]*?\"bytes\":\\s*(\\d+)")
                .matcher(said);
        assertThat(found.find()).as(said).isTrue();
        return Long.parseLong(found.group(1));
    }

    private static List<String> python(String program, String... arguments) {
        return concat(PYTHON.getFirst(), List.of(PYTHON.getLast(), program), arguments);
    }

    private static List<String> concat(String program, List<String> some, String... others) {
        List<String> words = new ArrayList<>(List.of(program));
        words.addAll(some);
        words.addAll(List.of(others));
        return words;
    }

    private static List<String> withStock(List<String> words) {
        return concat(
                "/bin/sh",
                List.of("-c", "LD_PRELOAD=\"$LD_PRELOAD:" + STOCK + "\" exec \"$@\"", "sh"),
                words.toArray(String[]::new));
    }
}
