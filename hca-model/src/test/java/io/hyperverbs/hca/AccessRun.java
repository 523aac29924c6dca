package io.hyperverbs.hca;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.hyperverbs.hca.HcaFixture.Buffer;
import io.hyperverbs.hca.HcaFixture.Guest;
import io.hyperverbs.hca.layout.ReceiveWqeLayout;
import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.hca.layout.WindowWqeLayout;
import io.hyperverbs.lab.conformance.access.AccessOracle;
import io.hyperverbs.lab.conformance.access.AccessOracle.Verdict;
import io.hyperverbs.lab.conformance.rig.Operation;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.QpAttributes;
import io.hyperverbs.verbs.QpState;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.verbs.WorkCompletion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/** Makes keys and carries attempts out, on two queue pairs that start anew after each error. */
final class AccessRun {
    static final int SIZE = 64;

    /** Bytes before and after those of a key that are watched too. */
    static final int GUARD = 64;

    private static final int BYTES = GUARD + SIZE + GUARD;
    private static final long ADDEND = 0x0102_0304_0506_0708L;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);

    /** Whose key it is. */
    enum Target {
        REGION,
        WINDOW_ONE,
        WINDOW_TWO,
        WINDOW_TWO_OF_OTHER_QP
    }

    /** A key and what is behind it. */
    static final class Key {
        final Target target;
        final int rights;
        final boolean samePd;
        final long base;
        private final int region;
        private final int lkey;
        private final int window;
        private int rkey;

        private Key(
                Target target, int rights, boolean samePd, long base, HcaCommands.Keyed region, int window, int rkey) {
            this.target = target;
            this.rights = rights;
            this.samePd = samePd;
            this.base = base;
            this.region = region.region();
            this.lkey = region.lkey();
            this.window = window;
            this.rkey = rkey;
        }

        @Override
        public String toString() {
            return target + " from " + Long.toHexString(base) + ", rights " + rights + ", same PD " + samePd;
        }
    }

    private final HcaFixture fixture = new HcaFixture();
    private final Guest responder;
    private final Guest stranger;
    private final TestQp a;
    private final TestQp b;
    private final TestQp bystander;
    private final Buffer source;
    private final long machine;
    private boolean fresh;

    AccessRun() {
        Guest requester = fixture.guest(1);
        responder = fixture.guest(2);
        stranger = fixture.guest(2);
        a = new TestQp(fixture, requester);
        b = new TestQp(fixture, responder);
        bystander = new TestQp(fixture, responder);
        TestQp.connect(bystander, new TestQp(fixture, requester));
        source = requester.buffer(4096);
        machine = fixture.allocate(4096);
    }

    /** A key of {@link #SIZE} bytes from {@code base} on. */
    Key open(Target target, int rights, boolean samePd, long base) {
        int pd = samePd ? responder.pd : stranger.pd;
        if (target == Target.REGION) {
            HcaCommands.Keyed region = region(pd, base, machine + GUARD, SIZE, rights);
            return new Key(target, rights, samePd, base, region, 0, region.rkey());
        }
        // The region goes on before and after the window, as far as there are addresses.
        int before = base == 0 ? 0 : GUARD;
        int after = base == -SIZE ? 0 : GUARD;
        HcaCommands.Keyed region =
                region(pd, base - before, machine + GUARD - before, before + SIZE + after, 15 | Access.MW_BIND.bit());
        HcaCommands.Windowed window = fixture.hca.allocateWindow(
                pd, target == Target.WINDOW_ONE ? MemoryWindow.Type.ONE : MemoryWindow.Type.TWO);
        Key key = new Key(target, rights, samePd, base, region, window.window(), window.rkey());
        if (target != Target.WINDOW_TWO) {
            bind(bystander, key);
        }
        return key;
    }

    void close(Key key) {
        if (key.window != 0) {
            assertThat(fixture.hca.deallocateWindow(key.window)).isEqualTo(VerbsStatus.SUCCESS);
        }
        assertThat(fixture.hca.destroyRegion(key.region)).isEqualTo(VerbsStatus.SUCCESS);
        fresh = false;
    }

    private HcaCommands.Keyed region(int pd, long address, long at, long bytes, int access) {
        HcaCommands.Keyed made = fixture.hca.createRegion(
                new HcaCommands.RegionInit(pd, address, bytes, access, List.of(new MachineRun(at, bytes)), 0));
        assertThat(made.status()).isEqualTo(VerbsStatus.SUCCESS);
        return made;
    }

    private void bind(TestQp through, Key key) {
        key.rkey = MemoryWindow.nextKey(key.rkey);
        long wqe = through.begin(1, SendWqeLayout.OPCODE_BIND_MW, TestQp.SIGNALLED);
        SendWqeLayout.writeSegmentCount(fixture.memory, wqe, 0);
        WindowWqeLayout.writeBind(fixture.memory, wqe, key.rkey, key.lkey, key.base, SIZE, key.rights);
        through.ring();
        fixture.run();
        assertThat(through.cq.drain()).containsExactly("BIND_MW 1 SUCCESS");
    }

    /** The responder's queue pair grants other rights: both start anew. */
    void restart(Key key, int qpRights) {
        for (TestQp qp : new TestQp[] {a, b}) {
            qp.modify(QpAttributes.to(QpState.RESET));
            qp.sends.reset();
            qp.receives.reset();
            qp.cq.drain();
        }
        fixture.events();
        a.init(HcaFixture.ALL_REMOTE);
        b.init(Access.of(qpRights));
        a.rtr(b);
        b.rtr(a);
        a.rts();
        b.rts();
        // A reset frees the windows that were bound through the queue pair.
        if (key.target == Target.WINDOW_TWO) {
            bind(b, key);
        }
        fresh = true;
    }

    /**
     * Carries one attempt out and holds it to its verdict.
     *
     * @return whether it was a success, as it had to be
     */
    boolean attempt(Operation act, Key key, int qpRights, long address, int length) {
        if (!fresh) {
            restart(key, qpRights);
        }
        fill(machine, 3);
        fill(source.machine(), 5);
        byte[] there = bytes(machine);
        byte[] here = bytes(source.machine());
        Verdict verdict = verdict(act, key, qpRights, address, length);
        int offset = (int) (address - key.base) + GUARD;
        long before = verdict.isSuccess() && act.isAtomic() ? word(there, offset) : 0;

        postReceive(act, key, address, length);
        post(act, address, key.rkey, length, before);
        fixture.run();

        if (verdict.isSuccess()) {
            land(act, here, there, offset, length);
        }
        String found = found();
        boolean exact = Arrays.equals(bytes(machine), there) && Arrays.equals(bytes(source.machine()), here);
        if (!found.equals(expected(verdict)) || !exact) {
            throw new AssertionError(act
                    + " of "
                    + length
                    + " bytes at "
                    + Long.toHexString(address)
                    + " with rights "
                    + qpRights
                    + " of the QP, "
                    + key
                    + ": "
                    + found
                    + ", must be "
                    + expected(verdict)
                    + (exact ? "" : ", and other bytes have changed"));
        }
        // A receive that stays posted would be the next attempt's.
        fresh = verdict.isSuccess() && act.consumesReceive();
        return verdict.isSuccess();
    }

    private static Verdict verdict(Operation act, Key key, int qpRights, long address, int length) {
        int right = act.right().map(Access::bit).orElse(0);
        // The receive of a send names the key as its local key; windows have none.
        boolean isTheirs =
                key.samePd && (right == 0 ? key.target == Target.REGION : key.target != Target.WINDOW_TWO_OF_OTHER_QP);
        boolean isOpen = new AccessOracle.Key(isTheirs, key.rights, key.base, SIZE)
                .opens(right == 0 ? Access.LOCAL_WRITE.bit() : right, address, length);
        return AccessOracle.verdict(new AccessOracle.Attempt(right, act.consumesReceive(), qpRights, isOpen));
    }

    private void postReceive(Operation act, Key key, long address, int length) {
        if (act.right().isEmpty()) {
            int lkey = key.target == Target.REGION ? key.lkey : key.rkey;
            b.receive(5, address, length, lkey);
        } else {
            long wqe = b.receives.slot(0);
            ReceiveWqeLayout.writeHead(fixture.memory, wqe, 5);
            ReceiveWqeLayout.writeSegmentCount(fixture.memory, wqe, 0);
            b.receives.publish(1);
        }
    }

    private void post(Operation act, long address, int rkey, int length, long before) {
        MemorySegment memory = fixture.memory;
        long wqe = a.begin(7, opcode(act), TestQp.SIGNALLED);
        if (!act.right().isEmpty()) {
            SendWqeLayout.writeRemote(memory, wqe, address, rkey);
        }
        switch (act) {
            case FETCH_AND_ADD -> SendWqeLayout.writeAtomic(memory, wqe, ADDEND, 0);
            case COMPARE_AND_SWAP -> SendWqeLayout.writeAtomic(memory, wqe, before, ADDEND);
            case SEND, SEND_WITH_IMM, WRITE, WRITE_WITH_IMM, READ -> {}
        }
        SendWqeLayout.writeSegmentCount(memory, wqe, length == 0 ? 0 : 1);
        if (length != 0) {
            SendWqeLayout.writeSegment(memory, wqe, 0, source.address(), length, source.lkey());
        }
        a.ring();
    }

    private static int opcode(Operation act) {
        return switch (act) {
            case SEND -> SendWqeLayout.OPCODE_SEND;
            case SEND_WITH_IMM -> SendWqeLayout.OPCODE_SEND_WITH_IMM;
            case WRITE -> SendWqeLayout.OPCODE_RDMA_WRITE;
            case WRITE_WITH_IMM -> SendWqeLayout.OPCODE_RDMA_WRITE_WITH_IMM;
            case READ -> SendWqeLayout.OPCODE_RDMA_READ;
            case COMPARE_AND_SWAP -> SendWqeLayout.OPCODE_COMPARE_AND_SWAP;
            case FETCH_AND_ADD -> SendWqeLayout.OPCODE_FETCH_AND_ADD;
        };
    }

    /** What a success changes, worked out on images of the memories. */
    private static void land(Operation act, byte[] here, byte[] there, int offset, int length) {
        if (length == 0) {
            return;
        }
        if (!act.writesLocally()) {
            System.arraycopy(here, 0, there, offset, length);
            return;
        }
        long before = word(there, offset);
        System.arraycopy(there, offset, here, 0, length);
        if (act == Operation.FETCH_AND_ADD) {
            word(there, offset, before + ADDEND);
        } else if (act == Operation.COMPARE_AND_SWAP) {
            word(there, offset, ADDEND);
        }
    }

    private String found() {
        StringBuilder found = new StringBuilder();
        for (WorkCompletion c = a.cq.poll(); c != null; c = a.cq.poll()) {
            found.append("send ")
                    .append(c.wrId())
                    .append(' ')
                    .append(c.status())
                    .append(", ");
        }
        for (WorkCompletion c = b.cq.poll(); c != null; c = b.cq.poll()) {
            found.append("receive ")
                    .append(c.wrId())
                    .append(' ')
                    .append(c.status())
                    .append(", ");
        }
        for (String event : fixture.events()) {
            found.append(event).append(", ");
        }
        return found.append(a.state()).append(' ').append(b.state()).toString();
    }

    private String expected(Verdict verdict) {
        QpState state = verdict.isSuccess() ? QpState.RTS : QpState.ERR;
        return "send 7 "
                + verdict.requester()
                + ", "
                + (verdict.receive() == null ? "" : "receive 5 " + verdict.receive() + ", ")
                + (verdict.event() == null ? "" : verdict.event() + " " + b.qpn + ", ")
                + state
                + " "
                + state;
    }

    private void fill(long at, int seed) {
        for (int i = 0; i < BYTES; i++) {
            fixture.memory.set(ValueLayout.JAVA_BYTE, at + i, (byte) (seed * 31 + i * 7));
        }
    }

    private byte[] bytes(long at) {
        return fixture.memory.asSlice(at, BYTES).toArray(ValueLayout.JAVA_BYTE);
    }

    private static long word(byte[] image, int offset) {
        return MemorySegment.ofArray(image).get(WORD, offset);
    }

    private static void word(byte[] image, int offset, long value) {
        MemorySegment.ofArray(image).set(WORD, offset, value);
    }
}
