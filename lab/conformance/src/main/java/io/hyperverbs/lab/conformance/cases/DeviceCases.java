package io.hyperverbs.lab.conformance.cases;

import io.hyperverbs.lab.conformance.Case;
import io.hyperverbs.lab.conformance.CaseFamily;
import io.hyperverbs.lab.conformance.CaseGroup;
import io.hyperverbs.lab.conformance.CaseList;
import io.hyperverbs.lab.conformance.rig.Expect;
import io.hyperverbs.lab.conformance.rig.Rig;
import io.hyperverbs.verbs.Context;
import io.hyperverbs.verbs.Device;
import io.hyperverbs.verbs.DeviceAttributes;
import io.hyperverbs.verbs.PortAttributes;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsObject;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Devices, contexts and what they say of themselves. */
@CaseGroup("device")
public final class DeviceCases {
    private DeviceCases() {}

    @CaseFamily
    static void families(CaseList cases) {
        cases.add(
                "close-names-pd",
                "a context with a PD: EBUSY naming it, and nothing is destroyed",
                rig -> closeNames(rig, Context::allocatePd));
        cases.add(
                "close-names-cq",
                "a context with a CQ: EBUSY naming it, and nothing is destroyed",
                rig -> closeNames(rig, context -> context.createCq(4, null)));
        cases.add(
                "close-names-channel",
                "a context with a completion channel: EBUSY naming it",
                rig -> closeNames(rig, Context::createChannel));
    }

    private interface Child {
        VerbsObject of(Context context) throws VerbsException;
    }

    @Case("each device has a name of its own (ibv_get_device_name)")
    static void namesDiffer(Rig rig) {
        Set<String> names = new HashSet<>();
        for (Device device : rig.domain().devices()) {
            Expect.isTrue(!device.name().isBlank(), "a device has no name");
            Expect.isTrue(names.add(device.name()), "two devices are called " + device.name());
        }
        Expect.isTrue(!names.isEmpty(), "the domain has no device");
    }

    @Case("every limit of ibv_query_device allows at least one connected pair")
    static void limitsAreUsable(Rig rig) throws VerbsException {
        DeviceAttributes limits = rig.context().queryDevice();
        Expect.isTrue(
                limits.maxQp() >= 2
                        && limits.maxQpWr() >= 16
                        && limits.maxSge() >= 4
                        && limits.maxInlineBytes() >= 64
                        && limits.maxCq() >= 2
                        && limits.maxCqe() >= 64
                        && limits.maxMr() >= 2
                        && limits.maxPd() >= 2
                        && limits.maxReadAtomic() >= 1
                        && limits.maxRegionBytes() >= 1 << 20
                        && limits.maxMessageBytes() >= 1 << 20
                        && limits.portCount() >= 1,
                "too small a limit in " + limits);
        Expect.equal(1, Integer.bitCount(limits.pageBytes()), "bits set in page size");
        Expect.isTrue(limits.nodeGuid() != 0, "the node GUID is 0");
        Expect.isTrue(!limits.firmwareVersion().isBlank(), "the firmware version is empty");
    }

    @Case("a device is one: its attributes do not depend on the context asked")
    static void limitsAlikeInEachContext(Rig rig) throws VerbsException {
        Expect.equal(rig.context().queryDevice(), rig.context().queryDevice(), "attributes in a second context");
    }

    @Case("port 1 is active, has a unicast LID and an MTU (ibv_query_port)")
    static void portActive(Rig rig) throws VerbsException {
        PortAttributes port = rig.context().queryPort(1);
        Expect.isTrue(port.active(), "port 1 is down");
        Expect.isTrue(port.lid() > 0 && port.lid() < 0xc000, "LID " + port.lid() + " not unicast");
        Expect.isTrue(
                List.of(256, 512, 1024, 2048, 4096).contains(port.activeMtuBytes())
                        && port.activeMtuBytes() <= port.maxMtuBytes(),
                "MTU " + port.activeMtuBytes() + " of " + port.maxMtuBytes());
        Expect.isTrue((port.pkey() & 0x7fff) != 0, "P_Key 0 is invalid (IBA 10.9.2)");
    }

    @Case("port 0, negative or beyond phys_port_cnt: EINVAL (ibv_query_port)")
    static void noSuchPort(Rig rig) throws VerbsException {
        Context context = rig.context();
        int beyond = context.queryDevice().portCount() + 1;
        for (int port : new int[] {0, -1, beyond, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            Expect.refused(VerbsStatus.EINVAL, "query of port " + port, () -> context.queryPort(port));
        }
    }

    @Case("a context says the data path it was opened on")
    static void dataPathKept(Rig rig) throws VerbsException {
        Context context = rig.context();
        if (rig.dataPath() != null) {
            Expect.equal(rig.dataPath(), context.dataPath(), "data path");
        }
        Context again = rig.closing(rig.device().open(context.dataPath()));
        Expect.equal(context.dataPath(), again.dataPath(), "data path asked for by name");
    }

    @Case("closing a context gives its UAR page back (ibv_close_device)")
    static void openCloseRepeatedly(Rig rig) throws VerbsException {
        for (int i = 0; i < 20; i++) {
            Context context = rig.context();
            context.queryPort(1);
            context.close();
        }
    }

    @Case("closing a closed object does nothing")
    static void closeTwice(Rig rig) throws VerbsException {
        Context context = rig.context();
        VerbsObject channel = context.createChannel();
        VerbsObject pd = context.allocatePd();
        VerbsObject cq = context.createCq(1, null);
        for (VerbsObject object : List.of(channel, pd, cq, context)) {
            object.close();
            object.close();
        }
    }

    private static void closeNames(Rig rig, Child child) throws VerbsException {
        Context context = rig.context();
        VerbsObject first = rig.closing(child.of(context));
        VerbsObject second = rig.closing(child.of(context));

        Expect.inUse(context, first, second);

        context.queryPort(1);
        second.close();
        first.close();
        context.close();
    }
}
