package io.hyperverbs.backend.management;

import io.hyperverbs.backend.session.Session;
import io.hyperverbs.backend.testing.ExecutorBench;
import io.hyperverbs.backend.testing.SessionObjects;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.cm.CmEvent;
import io.hyperverbs.verbs.cm.CmOffer;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.vmm.io.CmNotice;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import io.hyperverbs.vmm.io.ManagementRequest.Answer.Kind;
import java.util.List;
import java.util.Map;

/** A session with a context, a queue pair and a channel, as a program would make them. */
record CmEnd(ExecutorBench bench, Session session, SessionObjects objects, int qpn, long channel) {
    static final long SERVICE = 7;
    static final long RESPONSE_MILLIS = 500;
    static final int BACKLOG = 4;

    static CmEnd open(ExecutorBench bench, int domain) {
        return open(bench, domain, Map.of());
    }

    static CmEnd open(ExecutorBench bench, int domain, Map<String, String> quotas) {
        Session session = bench.session(domain, quotas);
        SessionObjects objects = SessionObjects.create(bench, session, DataPathKind.BYPASS);
        int qpn = session.qps().get(objects.qp()).qpn();
        CmEnd end = new CmEnd(bench, session, objects, qpn, 0);
        return new CmEnd(bench, session, objects, qpn, end.createChannel());
    }

    long createChannel() {
        return reply(new ManagementRequest.CreateChannel(objects.context()), ManagementReply.Opened.class)
                .handle();
    }

    long listen() {
        return reply(new ManagementRequest.Listen(channel, SERVICE, BACKLOG), ManagementReply.Opened.class)
                .handle();
    }

    long resolve(CmEnd to) {
        return reply(
                        new ManagementRequest.Resolve(channel, Destination.guest(to.session.name())),
                        ManagementReply.Resolved.class)
                .connection();
    }

    /** Resolves and sends a REQ. */
    long call(CmEnd to) {
        long connection = resolve(to);
        done(connect(connection));
        return connection;
    }

    ManagementRequest connect(long connection) {
        return connect(connection, QpType.RC);
    }

    ManagementRequest connect(long connection, QpType type) {
        return new ManagementRequest.Connect(
                connection, SERVICE, offer(type), RESPONSE_MILLIS * 1_000_000, PrivateData.none());
    }

    ManagementRequest accept(long connection) {
        return accept(connection, QpType.RC);
    }

    ManagementRequest accept(long connection, QpType type) {
        return new ManagementRequest.Accept(connection, offer(type), RESPONSE_MILLIS * 1_000_000, PrivateData.none());
    }

    static ManagementRequest answer(long connection, Kind kind) {
        return new ManagementRequest.Answer(connection, kind, PrivateData.none());
    }

    CmOffer offer(QpType type) {
        return new CmOffer(type, qpn, 1, 4, 4, 6, 7, 14);
    }

    /** Takes a REQ; the end that it made. */
    long called() {
        return next(CmEvent.Type.CONNECT_REQUEST).connection();
    }

    CmNotice next(CmEvent.Type type) {
        List<CmNotice> taken = take();
        if (taken.size() != 1 || taken.getFirst().type() != type) {
            throw new AssertionError("events " + taken + ", must be one " + type);
        }
        return taken.getFirst();
    }

    List<CmNotice> take() {
        return reply(new ManagementRequest.TakeEvents(channel), ManagementReply.Notices.class)
                .notices();
    }

    void done(ManagementRequest request) {
        bench.ok(session, new ControlRequest.Management(request));
    }

    <R extends ManagementReply> R reply(ManagementRequest request, Class<R> type) {
        ManagementReply reply = bench.done(
                        session, new ControlRequest.Management(request), ControlReply.Management.class)
                .reply();
        return type.cast(reply);
    }

    ControlReply.Refused refused(ManagementRequest request) {
        return bench.refused(session, new ControlRequest.Management(request));
    }

    VerbsStatus refusal(ManagementRequest request) {
        return refused(request).status();
    }

    /** Asks for what may be refused. */
    void refusalOrDone(ManagementRequest request) {
        var _ = bench.call(session, new ControlRequest.Management(request));
    }

    void die() {
        var _ = bench.teardown.close(session);
    }
}
