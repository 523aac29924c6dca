package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawSocket;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.FrameRun;
import io.hyperverbs.vmm.io.ObjectKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Messages on the device channel, handles, quotas, and raw bytes on its socket. */
public final class ChannelAttacks {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    /** Longer than a connection may take to say anything. */
    private static final Duration NONSENSE = Duration.ofSeconds(5);

    /** What a request for nothing that exists is answered with. */
    private static final Set<VerbsStatus> UNKNOWN =
            EnumSet.of(VerbsStatus.ENOENT, VerbsStatus.EINVAL, VerbsStatus.EAGAIN);

    private ChannelAttacks() {}

    /** What is done on the channel, and what it takes to be refused there. */
    public static List<IsolationCase> cases() {
        return Stream.of(channel(), List.of(DeafAttacks.stopped()), QuotaAttacks.cases())
                .flatMap(List::stream)
                .toList();
    }

    private static List<IsolationCase> channel() {
        return List.of(
                of(
                        "handles",
                        "E3",
                        "destroys, queries and modifies 12000 handles: small numbers, random ones",
                        "google/rdma-unit-test HandleGarble",
                        "all domains",
                        "ENOENT, EINVAL, EAGAIN for the rate",
                        ChannelAttacks::handles),
                of(
                        "absurd-sizes",
                        "E7",
                        "creates queues of absurd sizes and unknown types",
                        "CVE-2018-20125, CVE-2023-1544 (QEMU pvrdma)",
                        "device domain",
                        "EINVAL",
                        ChannelAttacks::absurdSizes),
                of(
                        "raw-bytes",
                        "E15",
                        "writes random bytes, and HTTP/2 frames of random length and type",
                        "uverbs wqe_size (2026-01)",
                        "device domain",
                        "connection closed; its own session goes on",
                        ChannelAttacks::rawBytes),
                of(
                        "rapid-reset",
                        "E16",
                        "opens and resets streams as fast as it can, floods SETTINGS and PING",
                        "CVE-2023-44487, grpc-java #12941",
                        "device domain",
                        "its own session goes on",
                        ChannelAttacks::rapidReset),
                of(
                        "half-open",
                        "E18",
                        "opens 300 connections and says nothing",
                        "CVE-2020-10717 (virtiofsd)",
                        "device domain",
                        "its own session goes on",
                        ChannelAttacks::halfOpen));
    }

    private static IsolationCase of(
            String name,
            String row,
            String does,
            String anchor,
            String target,
            String expected,
            IsolationCase.Attack attack) {
        return new IsolationCase("channel." + name, row, does, anchor, target, expected, attack);
    }

    private static String handles(AttackContext attackContext) throws Breach {
        RawDevice device = attackContext.device();
        SplittableRandom dice = attackContext.dice();
        Facts facts = new Facts();
        for (int i = 0; i < 1000; i++) {
            long handle = i < 500 ? i - 1 : dice.nextLong();
            if (handle == device.context()) {
                continue;
            }
            for (ObjectKind kind : ObjectKind.values()) {
                facts.count(
                        device.status(new ControlRequest.Destroy(kind, handle)),
                        UNKNOWN,
                        "destroying " + kind + " " + handle);
            }
            for (ControlRequest request : List.of(
                    new ControlRequest.QueryQp(handle),
                    new ControlRequest.ModifyQp(handle, QpAttributes.to(QpState.ERR)),
                    new ControlRequest.AllocatePd(handle))) {
                facts.count(device.status(request), UNKNOWN, request.toString());
            }
        }
        return facts.toString();
    }

    private static String absurdSizes(AttackContext attackContext) throws VerbsException, Breach {
        RawDevice device = attackContext.device();
        long pd = device.pd();
        long context = device.context();
        Set<VerbsStatus> refused = EnumSet.of(VerbsStatus.EINVAL, VerbsStatus.ENOENT, VerbsStatus.EFAULT);
        Facts facts = new Facts();
        int[] sizes = {0, -1, 3, 65_537, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int size : sizes) {
            for (ControlRequest request : List.of(
                    new ControlRequest.CreateCq(context, size, 0, false),
                    new ControlRequest.CreateQp(pd, 2, 0, 0, 0, new QpLimits(size, 1, 1, 1, 0, false)),
                    new ControlRequest.CreateQp(pd, 2, 0, 0, 0, new QpLimits(1, size, size, 1, 0, false)),
                    new ControlRequest.CreateQp(pd, size, 0, 0, 0, new QpLimits(1, 1, 1, 1, size, false)),
                    new ControlRequest.RegisterRing(context, size, List.of(new FrameRun(1, 1))))) {
                facts.count(device.status(request), refused, request.toString());
            }
        }
        return facts.toString();
    }

    private static String rawBytes(AttackContext attackContext) throws IOException, Breach, VerbsException {
        SplittableRandom dice = attackContext.dice();
        Breach.unless(HangUp.driver() > 0, "no connection of the driver to take the place of");
        long written = 0;
        int closed = 0;
        for (int i = 0; i < 200; i++) {
            try (RawSocket socket = RawSocket.device()) {
                if (i % 2 == 1) {
                    written += socket.write(PREFACE);
                }
                for (int frame = 0; frame < 20; frame++) {
                    byte[] bytes = new byte[9 + dice.nextInt(400)];
                    dice.nextBytes(bytes);
                    if (i % 4 == 3) {
                        // A frame of the right length, of any type and stream.
                        int payload = bytes.length - 9;
                        bytes[0] = 0;
                        bytes[1] = (byte) (payload >> 8);
                        bytes[2] = (byte) payload;
                        bytes[3] = (byte) dice.nextInt(12);
                    }
                    written += socket.write(bytes);
                }
                closed += socket.awaitClose(NONSENSE) ? 1 : 0;
            }
        }
        Breach.unless(closed > 0, "200 connections of nonsense, and none was closed");
        OwnSession.expectServed(attackContext, "raw bytes");
        return written + " bytes taken, " + closed + " of 200 connections closed, session goes on";
    }

    private static String rapidReset(AttackContext attackContext) throws IOException, Breach, VerbsException {
        Breach.unless(HangUp.driver() > 0, "no connection of the driver to take the place of");
        long frames = 0;
        int closed = 0;
        for (int i = 0; i < 20; i++) {
            try (RawSocket socket = RawSocket.device()) {
                socket.write(PREFACE);
                socket.write(frame(4, 0, 0, new byte[0]));
                for (int stream = 1; stream < 4000 && socket.isOpen(); stream += 2, frames += 4) {
                    socket.write(frame(1, 4, stream, new byte[] {(byte) 0x82}));
                    socket.write(frame(3, 0, stream, new byte[] {0, 0, 0, 8}));
                    socket.write(frame(4, 0, 0, new byte[0]));
                    socket.write(frame(6, 0, 0, new byte[8]));
                }
                closed += socket.awaitClose(NONSENSE) ? 1 : 0;
            }
        }
        Breach.unless(closed == 20, closed + " of 20 floods were closed");
        OwnSession.expectServed(attackContext, "resets");
        return frames + " frames sent, " + closed + " connections closed, session goes on";
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        byte[] frame = new byte[9 + payload.length];
        frame[1] = (byte) (payload.length >> 8);
        frame[2] = (byte) payload.length;
        frame[3] = (byte) type;
        frame[4] = (byte) flags;
        frame[5] = (byte) (stream >> 24);
        frame[6] = (byte) (stream >> 16);
        frame[7] = (byte) (stream >> 8);
        frame[8] = (byte) stream;
        System.arraycopy(payload, 0, frame, 9, payload.length);
        return frame;
    }

    private static String halfOpen(AttackContext attackContext) throws Exception {
        RawSocket.ensureAllowed();
        List<RawSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 300; i++) {
                sockets.add(RawSocket.device());
            }
            OwnSession.expectServed(attackContext, "300 connections");
        } catch (IOException refused) {
            OwnSession.expectServed(attackContext, "connections");
        } finally {
            for (RawSocket socket : sockets) {
                socket.close();
            }
        }
        return sockets.size() + " connections open, session goes on";
    }
}
