package io.hyperverbs.vmm.io;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.hyperverbs.verbs.AtomicCap;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.DeviceCapabilities;
import io.hyperverbs.verbs.DeviceCapability;
import io.hyperverbs.verbs.DeviceIdentity;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.ObjectLimits;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.PortLink;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.DeviceQueriedMessage;
import io.hyperverbs.vmm.io.wire.PortQueriedMessage;
import java.lang.reflect.RecordComponent;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replies about the device and its ports: each field of a message is the one of its name. */
class DeviceCodecTest {
    /** Each number once. */
    static DeviceAttributes device(Set<DeviceCapability> flags, AtomicCap atomics) {
        return new DeviceAttributes(
                "1.2.3",
                -2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                1L << 40,
                11,
                12,
                1L << 31,
                14,
                15,
                new DeviceIdentity(-16, 17, 18, 19, "board"),
                new ObjectLimits(20, 21, 22, 23, 24, 25, 26),
                new DeviceCapabilities(flags, atomics, -4096, 27, 28, 29, 30));
    }

    /** Each number once. */
    static PortAttributes port(PortState state) {
        return new PortAttributes(
                state,
                4096,
                2048,
                0xbfff,
                -1,
                -2,
                0xffff,
                3,
                4,
                1L << 31,
                5,
                6,
                new PortLink(7, 8, 9, 10, 11, 12, 13, 14, -15));
    }

    private static DeviceQueriedMessage toWire(DeviceAttributes attributes) {
        return GeneratedMessages.toWire(new ControlReply.DeviceQueried(attributes))
                .getDeviceQueried();
    }

    private static DeviceAttributes fromWire(DeviceQueriedMessage message) {
        ControlReplyMessage reply =
                ControlReplyMessage.newBuilder().setDeviceQueried(message).build();
        return ((ControlReply.DeviceQueried) GeneratedMessages.fromWire(reply)).attributes();
    }

    private static PortQueriedMessage toWire(PortAttributes attributes) {
        return GeneratedMessages.toWire(new ControlReply.PortQueried(attributes))
                .getPortQueried();
    }

    private static PortAttributes fromWire(PortQueriedMessage message) {
        ControlReplyMessage reply =
                ControlReplyMessage.newBuilder().setPortQueried(message).build();
        return ((ControlReply.PortQueried) GeneratedMessages.fromWire(reply)).attributes();
    }

    /** Compares plain values by name; enums, sets and records inside are compared elsewhere. */
    private static void assertSameByName(Record record, Message message) throws Exception {
        int compared = 0;
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            if (!component.getType().isPrimitive() && component.getType() != String.class) {
                continue;
            }
            String name = component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            FieldDescriptor field = message.getDescriptorForType().findFieldByName(name);
            assertThat(field).as(name).isNotNull();
            assertThat(message.getField(field))
                    .as(name)
                    .isEqualTo(component.getAccessor().invoke(record));
            compared++;
        }
        assertThat(compared).isPositive();
    }

    @Test
    void deviceFieldsAreThoseOfTheirNames() throws Exception {
        DeviceAttributes attributes = device(EnumSet.allOf(DeviceCapability.class), AtomicCap.HCA);

        DeviceQueriedMessage message = toWire(attributes);

        assertSameByName(attributes, message);
        assertSameByName(attributes.identity(), message.getIdentity());
        assertSameByName(attributes.objects(), message.getObjects());
        assertSameByName(attributes.capabilities(), message.getCapabilities());
        assertThat(fromWire(message)).isEqualTo(attributes);
    }

    @Test
    void portFieldsAreThoseOfTheirNames() throws Exception {
        PortAttributes attributes = port(PortState.ACTIVE);

        PortQueriedMessage message = toWire(attributes);

        assertSameByName(attributes, message);
        assertSameByName(attributes.link(), message.getLink());
        assertThat(fromWire(message)).isEqualTo(attributes);
    }

    @ParameterizedTest
    @EnumSource(DeviceCapability.class)
    void eachCapabilityTravelsAlone(DeviceCapability capability) {
        DeviceAttributes attributes = device(EnumSet.of(capability), AtomicCap.NONE);

        DeviceQueriedMessage message = toWire(attributes);

        assertThat(message.getCapabilities().getFlags()).isEqualTo(capability.bit());
        assertThat(fromWire(message)).isEqualTo(attributes);
    }

    @ParameterizedTest
    @EnumSource(AtomicCap.class)
    void eachKindOfAtomicsTravels(AtomicCap atomics) {
        DeviceAttributes attributes = device(Set.of(), atomics);

        assertThat(fromWire(toWire(attributes))).isEqualTo(attributes);
    }

    @ParameterizedTest
    @EnumSource(PortState.class)
    void eachPortStateTravels(PortState state) {
        PortQueriedMessage message = toWire(port(state));

        assertThat(message.getState()).isEqualTo(state.code());
        assertThat(fromWire(message).state()).isEqualTo(state);
    }

    /** A newer backend may say more than this guest knows: what it promises is then left out. */
    @Test
    void whatIsUnknownPromisesNothing() {
        DeviceQueriedMessage.Builder device = toWire(device(Set.of(), AtomicCap.GLOB)).toBuilder();
        device.getCapabilitiesBuilder().setAtomicCap(99).setFlags(1 << 31);
        PortQueriedMessage port =
                toWire(port(PortState.ACTIVE)).toBuilder().setState(99).build();

        DeviceCapabilities capabilities = fromWire(device.build()).capabilities();

        assertThat(capabilities.atomicCap()).isEqualTo(AtomicCap.NONE);
        assertThat(capabilities.flags()).isEmpty();
        assertThat(fromWire(port).state()).isEqualTo(PortState.DOWN);
    }

    @Test
    void gidKeepsItsHalves() {
        Gid gid = new Gid(0xfe80_0000_0000_0000L, -7);

        assertThat(GeneratedMessages.toWire(new ControlReply.GidQueried(gid))
                        .getGidQueried()
                        .getPrefix())
                .isEqualTo(gid.prefix());
        assertThat(GeneratedMessages.fromWire(GeneratedMessages.toWire(new ControlReply.GidQueried(gid))))
                .isEqualTo(new ControlReply.GidQueried(gid));
    }
}
