package io.hyperverbs.upper.ipoib.link;

import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.ProtectionDomain;
import io.hyperverbs.verbs.ReceivePoster;
import io.hyperverbs.verbs.SharedReceiveQueue;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmChannel;
import io.hyperverbs.verbs.cm.CmConnection;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmListener;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.cm.CmParameters;
import io.hyperverbs.verbs.cm.ConnectionManager;
import io.hyperverbs.verbs.cm.RejectReason;
import io.hyperverbs.verbs.sa.Destination;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

/** A connection manager that notes what it is asked; events come from the test. Queue pairs have numbers from 0x101. */
final class ConnectingHca {
    /** Index of the link's P_Key. */
    private static final int PARTITION = 5;

    private final SendingHca sends;
    private final List<String> calls = new ArrayList<>();
    private int queuePairs = 0x100;

    /** Connections by the order of their making. */
    final List<CmConnection> connections = new ArrayList<>();

    private Gid caller = new Gid(Gid.LINK_LOCAL_PREFIX, 0);

    /** What the next calls are refused with. */
    VerbsStatus refusal = VerbsStatus.SUCCESS;

    ConnectingHca(SendingHca sends) {
        this.sends = sends;
    }

    /** What was asked since the last call. */
    List<String> calls() {
        List<String> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    /** A context whose manager this is. */
    Context context() {
        CmChannel channel = SendingHca.fake(CmChannel.class, (_, method, _) -> {
            throw new UnsupportedOperationException(method.getName());
        });
        ConnectionManager manager =
                SendingHca.fake(ConnectionManager.class, (_, method, of) -> switch (method.getName()) {
                    case "createChannel" -> channel;
                    case "listen" -> {
                        calls.add("listen " + Long.toHexString((long) of[1]));
                        yield SendingHca.fake(CmListener.class, (_, _, _) -> null);
                    }
                    case "resolve" -> {
                        calls.add("resolve " + ((Destination.OfGid) of[1]).gid());
                        yield connection();
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return (Context) Proxy.newProxyInstance(
                Context.class.getClassLoader(),
                new Class<?>[] {Context.class, ConnectionManager.Provider.class},
                (_, _, _) -> manager);
    }

    LinkConnections.QueuePairs queuePairs(int slots) throws VerbsException {
        ProtectionDomain pd = SendingHca.fake(ProtectionDomain.class, (_, method, _) -> {
            if (!method.getName().equals("createRc")) {
                throw new UnsupportedOperationException(method.getName());
            }
            if (refusal != VerbsStatus.SUCCESS) {
                throw new VerbsException(refusal, "no queue pair");
            }
            return sends.connected(++queuePairs, calls::add);
        });
        ReceivePoster poster = SendingHca.fake(
                ReceivePoster.class, (self, method, _) -> method.getName().equals("post") ? VerbsStatus.SUCCESS : self);
        SharedReceiveQueue shared = SendingHca.fake(
                SharedReceiveQueue.class, (_, method, _) -> method.getName().equals("receives") ? poster : null);
        return new LinkConnections.QueuePairs(
                pd, sends, sends, new ConnectedReceives(shared, SendingHca.slots(slots, 128)), PARTITION);
    }

    /** One more; its number is its place. */
    private CmConnection connection() {
        int number = connections.size();
        CmConnection made = SendingHca.fake(CmConnection.class, (self, method, of) -> switch (method.getName()) {
            case "hashCode" -> number;
            case "equals" -> self == of[0];
            case "describe" -> "connection " + number;
            case "connect" -> {
                calls.add(
                        "connect " + number + " " + Long.toHexString((long) of[1]) + " " + data((CmParameters) of[2]));
                yield null;
            }
            case "accept" -> {
                calls.add("accept " + number + " " + data((CmParameters) of[1]));
                yield null;
            }
            case "reject", "close" -> {
                calls.add(method.getName() + " " + number);
                yield null;
            }
            default -> throw new UnsupportedOperationException(method.getName());
        });
        connections.add(made);
        return made;
    }

    private static String data(CmParameters parameters) {
        return String.valueOf(ConnectionTerms.parse(parameters.privateData()));
    }

    /** An event of the connection with that number. */
    CmEvent event(CmEvent.Type type, int connection, PrivateData data) {
        return new CmEvent(
                type,
                connections.get(connection),
                0,
                VerbsStatus.SUCCESS,
                RejectReason.NONE,
                "b",
                caller,
                CmOffer.ofDatagrams(0, 0),
                data);
    }

    /** A request of the guest with that number, with a connection of its own. */
    CmEvent request(int guest, PrivateData data) {
        caller = new Gid(Gid.LINK_LOCAL_PREFIX, guest);
        CmConnection _ = connection();
        return event(CmEvent.Type.CONNECT_REQUEST, connections.size() - 1, data);
    }
}
