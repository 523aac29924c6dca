package io.hyperverbs.backend.testing;

import io.hyperverbs.hca.HcaCommands;
import io.hyperverbs.hca.port.PkeyTable;
import io.hyperverbs.verbs.AddressAttributes;
import io.hyperverbs.verbs.Gid;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.PortState;
import io.hyperverbs.verbs.QpAttribute;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Answers commands as an HCA would that has room for all; executes nothing. */
public final class FakeHca implements HcaCommands {
    private final Faults faults;
    private volatile PortReport portReport = new PortReport(VerbsStatus.SUCCESS, PortState.ACTIVE, 0, 0);
    private final Set<String> live = new TreeSet<>();
    private final Map<Integer, QpAttributes> qps = new HashMap<>();
    private final List<RegionInit> regions = new ArrayList<>();
    private int next = 1;
    private boolean stubborn;
    private boolean easy;
    private volatile boolean failed;

    public FakeHca(Faults faults) {
        this.faults = faults;
    }

    /** What was created and not destroyed. */
    public synchronized Set<String> live() {
        return new TreeSet<>(live);
    }

    public synchronized RegionInit lastRegion() {
        return regions.getLast();
    }

    /** The HCA fails as a whole. */
    public void fail() {
        failed = true;
    }

    @Override
    public boolean hasFailed() {
        return failed;
    }

    /** From now on attributes may change without a state. */
    public synchronized void takeAnyModify() {
        easy = true;
    }

    /** From now on nothing is destroyed any more. */
    public synchronized void refuseToDestroy() {
        stubborn = true;
    }

    @Override
    public synchronized Numbered openUar(int domain, long uarMachineAddress, ShareInit share, PkeyTable pkeys) {
        return faults.trip() ? new Numbered(VerbsStatus.ENOMEM, 0) : new Numbered(VerbsStatus.SUCCESS, add("uar"));
    }

    @Override
    public synchronized VerbsStatus closeUar(int uar) {
        return remove("uar", uar);
    }

    /** What every port is like from now on. */
    public void answerPort(PortReport report) {
        portReport = report;
    }

    @Override
    public PortReport queryPort(int port) {
        return portReport;
    }

    @Override
    public VerbsStatus setPort(int port, boolean up) {
        return VerbsStatus.SUCCESS;
    }

    @Override
    public synchronized Numbered allocatePd(int domain) {
        return faults.trip() ? new Numbered(VerbsStatus.ENOMEM, 0) : new Numbered(VerbsStatus.SUCCESS, add("pd"));
    }

    @Override
    public synchronized VerbsStatus deallocatePd(int pd) {
        return remove("pd", pd);
    }

    @Override
    public synchronized Numbered openXrcd(int domain) {
        return faults.trip() ? new Numbered(VerbsStatus.ENOMEM, 0) : new Numbered(VerbsStatus.SUCCESS, add("xrcd"));
    }

    @Override
    public synchronized VerbsStatus closeXrcd(int xrcd) {
        return remove("xrcd", xrcd);
    }

    @Override
    public synchronized Keyed createRegion(RegionInit init) {
        if (faults.trip()) {
            return new Keyed(VerbsStatus.ENOMEM, 0, 0, 0);
        }
        regions.add(init);
        int number = add("region");
        return new Keyed(VerbsStatus.SUCCESS, number, number << 8, number << 8 | 1);
    }

    @Override
    public synchronized Keyed reregisterRegion(int region, RegionInit init) {
        if (faults.trip()) {
            return new Keyed(VerbsStatus.EINVAL, 0, 0, 0);
        }
        regions.add(init);
        int key = next++ << 8;
        return new Keyed(VerbsStatus.SUCCESS, region, key, key);
    }

    @Override
    public synchronized VerbsStatus destroyRegion(int region) {
        return remove("region", region);
    }

    @Override
    public synchronized Windowed allocateWindow(int pd, MemoryWindow.Type type) {
        if (faults.trip()) {
            return new Windowed(VerbsStatus.ENOMEM, 0, 0);
        }
        int number = add("mw");
        return new Windowed(VerbsStatus.SUCCESS, number, number << 8);
    }

    @Override
    public synchronized VerbsStatus deallocateWindow(int window) {
        return remove("mw", window);
    }

    @Override
    public synchronized Slotted createCq(int uar, long ringMachineAddress, int entries) {
        if (faults.trip()) {
            return new Slotted(VerbsStatus.ENOMEM, 0, 0);
        }
        int number = add("cq");
        return new Slotted(VerbsStatus.SUCCESS, number, number);
    }

    @Override
    public synchronized VerbsStatus resizeCq(int cq, long ringMachineAddress, int entries) {
        return faults.trip() ? VerbsStatus.EIO : VerbsStatus.SUCCESS;
    }

    @Override
    public synchronized VerbsStatus moderateCq(int cq, int count, int periodMicros) {
        return faults.trip() ? VerbsStatus.EIO : VerbsStatus.SUCCESS;
    }

    @Override
    public synchronized VerbsStatus destroyCq(int cq) {
        return remove("cq", cq);
    }

    @Override
    public synchronized Slotted createQp(QpInit init) {
        if (faults.trip()) {
            return new Slotted(VerbsStatus.ENOMEM, 0, 0);
        }
        int number = add("qp");
        qps.put(number, QpAttributes.to(QpState.RESET));
        return new Slotted(VerbsStatus.SUCCESS, number, number);
    }

    @Override
    public synchronized Outcome modifyQp(int qpn, QpAttributes attributes) {
        if (faults.trip()) {
            return new Outcome(VerbsStatus.EIO, "fault");
        }
        if (!attributes.has(QpAttribute.STATE) && !easy) {
            return new Outcome(VerbsStatus.EINVAL, "no state");
        }
        qps.put(qpn, attributes);
        return new Outcome(VerbsStatus.SUCCESS, "");
    }

    @Override
    public synchronized QpAttributes queryQp(int qpn) {
        return qps.getOrDefault(qpn, QpAttributes.none());
    }

    @Override
    public synchronized VerbsStatus destroyQp(int qpn) {
        return remove("qp", qpn);
    }

    @Override
    public synchronized Handled createAh(int pd, AddressAttributes address) {
        return faults.trip()
                ? new Handled(VerbsStatus.ENOMEM, 0, "fault")
                : new Handled(VerbsStatus.SUCCESS, add("ah"), "");
    }

    @Override
    public synchronized VerbsStatus destroyAh(int ah) {
        return remove("ah", ah);
    }

    @Override
    public synchronized Outcome attachMulticast(int qpn, Gid group, int lid) {
        if (faults.trip()) {
            return new Outcome(VerbsStatus.ENOMEM, "fault");
        }
        live.add("mcast " + qpn + " " + group + " " + lid);
        return new Outcome(VerbsStatus.SUCCESS, "");
    }

    @Override
    public synchronized VerbsStatus detachMulticast(int qpn, Gid group, int lid) {
        if (stubborn || faults.trip()) {
            return VerbsStatus.EIO;
        }
        if (!live.remove("mcast " + qpn + " " + group + " " + lid)) {
            throw new AssertionError("detached twice from " + group);
        }
        return VerbsStatus.SUCCESS;
    }

    @Override
    public synchronized Numbered createSrq(SrqInit init) {
        return faults.trip() ? new Numbered(VerbsStatus.ENOMEM, 0) : new Numbered(VerbsStatus.SUCCESS, add("srq"));
    }

    @Override
    public synchronized VerbsStatus armSrq(int srqn, int limit) {
        return faults.trip() ? VerbsStatus.EIO : VerbsStatus.SUCCESS;
    }

    @Override
    public synchronized VerbsStatus resizeSrq(int srqn, long ringMachineAddress, int receiveWr) {
        return faults.trip() ? VerbsStatus.EIO : VerbsStatus.SUCCESS;
    }

    @Override
    public synchronized SrqState querySrq(int srqn) {
        return new SrqState(VerbsStatus.SUCCESS, 16, 0, 0);
    }

    @Override
    public synchronized VerbsStatus destroySrq(int srqn) {
        return remove("srq", srqn);
    }

    private int add(String kind) {
        int number = next++;
        live.add(kind + number);
        return number;
    }

    private VerbsStatus remove(String kind, int number) {
        if (stubborn || faults.trip()) {
            return VerbsStatus.EIO;
        }
        if (!live.remove(kind + number)) {
            throw new AssertionError(kind + " " + number + " destroyed twice");
        }
        return VerbsStatus.SUCCESS;
    }
}
