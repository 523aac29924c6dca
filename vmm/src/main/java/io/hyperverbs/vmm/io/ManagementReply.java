package io.hyperverbs.vmm.io;

import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.sa.MemberRecord;
import io.hyperverbs.verbs.sa.PathRecord;
import io.hyperverbs.verbs.sa.ServiceRecord;
import java.util.List;

/** The backend's answer to a {@link ManagementRequest}. */
public sealed interface ManagementReply {

    record Opened(long handle) implements ManagementReply {}

    record Resolved(long connection, String guest, PathRecord path) implements ManagementReply {}

    record OwnGid(Gid gid) implements ManagementReply {}

    record Path(PathRecord path) implements ManagementReply {}

    /** Other HCAs are asked: the same query has an answer later, at the earliest after {@code waitMicros}. */
    record Pending(int waitMicros) implements ManagementReply {}

    record Joined(long handle, MemberRecord member) implements ManagementReply {}

    record Members(List<MemberRecord> members) implements ManagementReply {
        public Members {
            members = List.copyOf(members);
        }
    }

    record ServiceRegistered(long handle, ServiceRecord service) implements ManagementReply {}

    record Services(List<ServiceRecord> services) implements ManagementReply {
        public Services {
            services = List.copyOf(services);
        }
    }

    /** {@code more}: there are events left to take. */
    record Notices(List<CmNotice> notices, boolean more) implements ManagementReply {
        public Notices {
            notices = List.copyOf(notices);
        }
    }
}
