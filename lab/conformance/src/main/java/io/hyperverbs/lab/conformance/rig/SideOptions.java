package io.hyperverbs.lab.conformance.rig;

import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpLimits;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * How one side of a rig is made.
 *
 * @param limits of its queue pair
 * @param cqEntries of each of its completion queues
 * @param bufferBytes length of its buffer, all of it registered
 * @param regionAccess rights of its region
 * @param qpAccess what the peer may do through its queue pair
 * @param channel whether its completion queues have a completion channel
 * @param overrides attributes that replace the defaults of {@link QpAttributes} on the way to RTS
 */
public record SideOptions(
        QpLimits limits,
        int cqEntries,
        long bufferBytes,
        Set<Access> regionAccess,
        Set<Access> qpAccess,
        boolean channel,
        QpAttributes overrides) {

    /** 16 requests of 4 pieces each way, 8 KiB with all rights, no channel, RNR for ever. */
    public static SideOptions standard() {
        return new SideOptions(
                new QpLimits(16, 16, 4, 4, 64, false),
                64,
                8192,
                EnumSet.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC),
                EnumSet.of(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC),
                false,
                QpAttributes.none().with(QpAttribute.RNR_RETRY, 7));
    }

    /** Gives up on a silent peer after two timeouts of a millisecond, on RNR after two retries. */
    public static SideOptions impatient() {
        return standard()
                .with(QpAttribute.TIMEOUT, 8)
                .with(QpAttribute.RETRY_CNT, 1)
                .with(QpAttribute.RNR_RETRY, 2);
    }

    public SideOptions withLimits(QpLimits changed) {
        return new SideOptions(changed, cqEntries, bufferBytes, regionAccess, qpAccess, channel, overrides);
    }

    public SideOptions withCqEntries(int changed) {
        return new SideOptions(limits, changed, bufferBytes, regionAccess, qpAccess, channel, overrides);
    }

    public SideOptions withBufferBytes(long changed) {
        return new SideOptions(limits, cqEntries, changed, regionAccess, qpAccess, channel, overrides);
    }

    public SideOptions withRegionAccess(Set<Access> changed) {
        return new SideOptions(limits, cqEntries, bufferBytes, changed, qpAccess, channel, overrides);
    }

    public SideOptions withQpAccess(Set<Access> changed) {
        return new SideOptions(limits, cqEntries, bufferBytes, regionAccess, changed, channel, overrides);
    }

    public SideOptions withChannel() {
        return new SideOptions(limits, cqEntries, bufferBytes, regionAccess, qpAccess, true, overrides);
    }

    public SideOptions with(QpAttribute attribute, long value) {
        return new SideOptions(
                limits, cqEntries, bufferBytes, regionAccess, qpAccess, channel, overrides.with(attribute, value));
    }

    /** {@code defaults} with the overrides among its attributes applied. */
    QpAttributes apply(QpAttributes defaults) {
        QpAttributes result = defaults;
        for (Map.Entry<QpAttribute, Long> override : overrides.values().entrySet()) {
            if (defaults.has(override.getKey())) {
                result = result.with(override.getKey(), override.getValue());
            }
        }
        return result;
    }
}
