package io.hyperverbs.verbs.sa;

import io.hyperverbs.verbs.Gid;

/**
 * A port's membership in a multicast group (MCMemberRecord, IBA 15.2.5.17).
 *
 * @param group address of the group
 * @param port GID of the member
 * @param mlid multicast LID, 0xC000 to 0xFFFE
 * @param joinState bits of {@link JoinState}, or-ed over all joins of the port
 */
public record MemberRecord(Gid group, Gid port, int mlid, int qkey, int pkey, int mtuBytes, int joinState) {}
