package io.hyperverbs.frontend.management;

import io.hyperverbs.frontend.tree.VerbsNode;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.PrivateData;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.sa.Destination;
import io.hyperverbs.verbs.sa.JoinState;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.MulticastMembership;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;
import io.hyperverbs.verbs.sa.ServiceRegistration;
import io.hyperverbs.verbs.sa.SubnetAdministration;
import io.hyperverbs.vmm.io.ManagementReply;
import io.hyperverbs.vmm.io.ManagementRequest;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Subnet administration of one context. Any thread. */
public final class DriverSubnet implements SubnetAdministration {
    private final ManagementCalls verbs;

    public DriverSubnet(ManagementCalls verbs) {
        this.verbs = verbs;
    }

    @Override
    public Gid gid() throws VerbsException {
        return verbs.call(new ManagementRequest.QueryOwnGid(verbs.handle()), ManagementReply.OwnGid.class)
                .gid();
    }

    @Override
    public PathRecord path(Destination to) throws VerbsException {
        return verbs.path(to);
    }

    @Override
    public MulticastMembership join(Gid group, Set<JoinState> states, int qkey) throws VerbsException {
        int bits = states.stream().mapToInt(JoinState::bit).reduce(0, (a, b) -> a | b);
        ManagementReply.Joined joined = verbs.call(
                new ManagementRequest.JoinGroup(verbs.handle(), group, bits, qkey), ManagementReply.Joined.class);
        Membership membership = new Membership(verbs, joined.handle(), joined.member());
        membership.attach();
        return membership;
    }

    @Override
    public List<MemberRecord> members(Gid group) throws VerbsException {
        return verbs.call(new ManagementRequest.QueryGroup(verbs.handle(), group), ManagementReply.Members.class)
                .members();
    }

    @Override
    public ServiceRegistration register(long id, String name, PrivateData data, Duration lease) throws VerbsException {
        ManagementReply.ServiceRegistered registered = verbs.call(
                new ManagementRequest.RegisterService(verbs.handle(), id, name, data, lease.toSeconds()),
                ManagementReply.ServiceRegistered.class);
        Registration registration = new Registration(verbs, registered.handle(), registered.service());
        registration.attach();
        return registration;
    }

    @Override
    public List<ServiceRecord> services(long id) throws VerbsException {
        return query(id, "");
    }

    @Override
    public List<ServiceRecord> services(String name) throws VerbsException {
        return query(0, name);
    }

    private List<ServiceRecord> query(long id, String name) throws VerbsException {
        return verbs.call(new ManagementRequest.QueryServices(verbs.handle(), id, name), ManagementReply.Services.class)
                .services();
    }

    /** A record that stands until it is closed. */
    private abstract static class Standing extends VerbsNode {
        private final ManagementCalls verbs;
        private final long handle;

        Standing(ManagementCalls verbs, long handle) {
            this.verbs = verbs;
            this.handle = handle;
        }

        final void attach() throws VerbsException {
            try {
                dependOn(verbs.context());
            } catch (VerbsException e) {
                verbs.release(handle);
                throw e;
            }
        }

        @Override
        protected void destroy() throws VerbsException {
            verbs.release(handle);
        }
    }

    private static final class Membership extends Standing implements MulticastMembership {
        private final MemberRecord record;

        Membership(ManagementCalls verbs, long handle, MemberRecord record) {
            super(verbs, handle);
            this.record = record;
        }

        @Override
        public MemberRecord record() {
            return record;
        }

        @Override
        public String describe() {
            return "membership in " + record.group();
        }
    }

    private static final class Registration extends Standing implements ServiceRegistration {
        private final ServiceRecord record;

        Registration(ManagementCalls verbs, long handle, ServiceRecord record) {
            super(verbs, handle);
            this.record = record;
        }

        @Override
        public ServiceRecord record() {
            return record;
        }

        @Override
        public String describe() {
            return "service " + record.id();
        }
    }
}
