package io.hyperverbs.verbs;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of queue pair attributes with their values, for {@link QueuePair#modify} and {@link
 * QueuePair#query} ({@code ibv_qp_attr} with its mask). Immutable; each {@code with} returns a
 * copy.
 */
public final class QpAttributes {
    private final Map<QpAttribute, Long> values;
    private final @Nullable GlobalRoute route;
    private final int staticRate;

    private QpAttributes(EnumMap<QpAttribute, Long> values, @Nullable GlobalRoute route, int staticRate) {
        this.values = Collections.unmodifiableMap(values);
        this.route = route;
        this.staticRate = staticRate;
    }

    /** Attributes that ask for a move to {@code state}; add the others with {@link #with}. */
    public static QpAttributes to(QpState state) {
        return none().with(QpAttribute.STATE, state.code());
    }

    /** No attribute at all. */
    public static QpAttributes none() {
        return new QpAttributes(new EnumMap<>(QpAttribute.class), null, 0);
    }

    /** RESET to INIT on port 1 with P_Key index 0; peers may do what {@code access} says. */
    public static QpAttributes toInit(Set<Access> access) {
        return to(QpState.INIT)
                .with(QpAttribute.PKEY_INDEX, 0)
                .with(QpAttribute.PORT, 1)
                .with(QpAttribute.ACCESS_FLAGS, Access.mask(access));
    }

    /** INIT to RTR towards {@code peer}: path MTU 2048, 16 reads or atomics, RNR timer code 12. */
    public static QpAttributes toRtr(Endpoint peer) {
        return to(QpState.RTR)
                .with(QpAttribute.AV, peer.lid())
                .with(QpAttribute.PATH_MTU, 2048)
                .with(QpAttribute.DEST_QPN, peer.qpn())
                .with(QpAttribute.RQ_PSN, peer.psn())
                .with(QpAttribute.MAX_DEST_RD_ATOMIC, 16)
                .with(QpAttribute.MIN_RNR_TIMER, 12);
    }

    /**
     * RTR to RTS starting at {@code psn}: timeout code 14, 6 retries, 6 RNR retries. A send for
     * which the peer has no receive is tried again after the peer's RNR delay, then after five
     * times as long, and so on: 0.64, 3.2, 16, 80, 400 and 655.36 ms with the delay of {@link
     * #toRtr}. It fails with RNR_RETRY_EXC_ERR after 1.155 s in all. RNR_RETRY 7 waits for ever, at
     * the peer's delay each time.
     *
     * <p>An acknowledgement that does not come is waited for during 67 ms; between HCAs 134 ms the next
     * time, then 268 ms. With the retries a peer that is gone is found after 1.54 s, within an HCA after
     * 0.47 s.
     */
    public static QpAttributes toRts(int psn) {
        return to(QpState.RTS)
                .with(QpAttribute.SQ_PSN, psn)
                .with(QpAttribute.MAX_QP_RD_ATOMIC, 16)
                .with(QpAttribute.TIMEOUT, 14)
                .with(QpAttribute.RETRY_CNT, 6)
                .with(QpAttribute.RNR_RETRY, 6);
    }

    /** INIT to RTR of UC towards {@code peer}: path MTU 2048. */
    public static QpAttributes toUcRtr(Endpoint peer) {
        return to(QpState.RTR)
                .with(QpAttribute.AV, peer.lid())
                .with(QpAttribute.PATH_MTU, 2048)
                .with(QpAttribute.DEST_QPN, peer.qpn())
                .with(QpAttribute.RQ_PSN, peer.psn());
    }

    /** RESET to INIT of UD on port 1 with P_Key index 0; senders must know {@code qkey}. */
    public static QpAttributes toUdInit(int qkey) {
        return to(QpState.INIT)
                .with(QpAttribute.PKEY_INDEX, 0)
                .with(QpAttribute.PORT, 1)
                .with(QpAttribute.QKEY, qkey & 0xffff_ffffL);
    }

    /** RTR to RTS of UC and UD starting at {@code psn}. */
    public static QpAttributes toUnacknowledgedRts(int psn) {
        return to(QpState.RTS).with(QpAttribute.SQ_PSN, psn);
    }

    public QpAttributes with(QpAttribute attribute, long value) {
        EnumMap<QpAttribute, Long> copy = new EnumMap<>(QpAttribute.class);
        copy.putAll(values);
        copy.put(attribute, value);
        return new QpAttributes(copy, route, staticRate);
    }

    public QpAttributes without(QpAttribute attribute) {
        EnumMap<QpAttribute, Long> copy = new EnumMap<>(QpAttribute.class);
        copy.putAll(values);
        copy.remove(attribute);
        return attribute == QpAttribute.AV
                ? new QpAttributes(copy, null, 0)
                : new QpAttributes(copy, route, staticRate);
    }

    /**
     * The address vector with a global route ({@code ah_attr.is_global}): the peer is the port with that GID, on
     * this HCA or over a wire. A LID beside it may be 0.
     */
    public QpAttributes withRoute(GlobalRoute to) {
        QpAttributes copy = has(QpAttribute.AV) ? this : with(QpAttribute.AV, 0);
        return new QpAttributes(new EnumMap<>(copy.values), to, staticRate);
    }

    /**
     * The address vector with a static rate ({@code ah_attr.static_rate}): requests go out on a wire no faster.
     *
     * @param code {@link StaticRate}, 0 to 255; 0 is the port's own
     */
    public QpAttributes withStaticRate(int code) {
        QpAttributes copy = has(QpAttribute.AV) ? this : with(QpAttribute.AV, 0);
        return new QpAttributes(new EnumMap<>(copy.values), route, code);
    }

    /** The global route of {@link QpAttribute#AV}; null if the LID alone says where the peer is. */
    public @Nullable GlobalRoute route() {
        return route;
    }

    /** The {@link StaticRate} of {@link QpAttribute#AV}; 0 is the port's own. */
    public int staticRate() {
        return staticRate;
    }

    public boolean has(QpAttribute attribute) {
        return values.containsKey(attribute);
    }

    /**
     * The value of an attribute in the set.
     *
     * @throws IllegalArgumentException if the attribute is not in the set
     */
    public long get(QpAttribute attribute) {
        Long value = values.get(attribute);
        if (value == null) {
            throw new IllegalArgumentException(attribute + " is not among " + values.keySet());
        }
        return value;
    }

    /** All attributes present, unmodifiable. */
    public Map<QpAttribute, Long> values() {
        return values;
    }

    /** The state in {@link QpAttribute#STATE}. */
    public QpState state() {
        return QpState.of((int) get(QpAttribute.STATE));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof QpAttributes that
                && values.equals(that.values)
                && Objects.equals(route, that.route)
                && staticRate == that.staticRate;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * values.hashCode() + Objects.hashCode(route)) + staticRate;
    }

    @Override
    public String toString() {
        String rated = staticRate == 0 ? values.toString() : values + " static rate " + staticRate;
        return route == null ? rated : rated + " " + route;
    }
}
