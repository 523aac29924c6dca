package io.hyperverbs.lab.attacks.cases;

import io.hyperverbs.hca.layout.SendWqeLayout;
import io.hyperverbs.lab.attacks.AttackContext;
import io.hyperverbs.lab.attacks.Breach;
import io.hyperverbs.lab.attacks.IsolationCase;
import io.hyperverbs.lab.attacks.VictimFacts;
import io.hyperverbs.lab.attacks.raw.RawCq;
import io.hyperverbs.lab.attacks.raw.RawDevice;
import io.hyperverbs.lab.attacks.raw.RawPair;
import io.hyperverbs.lab.attacks.raw.RawRegion;
import io.hyperverbs.verbs.QpType;
import io.hyperverbs.verbs.VerbsException;
import io.hyperverbs.verbs.VerbsStatus;
import io.hyperverbs.vmm.io.ControlReply;
import io.hyperverbs.vmm.io.ControlRequest;
import io.hyperverbs.vmm.io.ObjectKind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Keys and ranges. */
public final class KeyAttacks {
    private static final String GROUP = "keys.";
    private static final int WRITE = SendWqeLayout.OPCODE_RDMA_WRITE;
    private static final int READ = SendWqeLayout.OPCODE_RDMA_READ;
    private static final int FETCH_ADD = SendWqeLayout.OPCODE_FETCH_AND_ADD;
    private static final int GUESSES = 100_000;
    private static final byte CANARY = 0x5a;

    private KeyAttacks() {}

    public static List<IsolationCase> cases() {
        return List.of(
                of(
                        "foreign-lkey",
                        "B1",
                        "sends from and reads into a victim's memory with its true local key",
                        "google/rdma-unit-test PdRcLoopbackMrTest.*OtherPdLocal",
                        "alice, bob",
                        "LOC_PROT_ERR",
                        context -> foreignKeys(context, KeyAttacks::local)),
                of(
                        "foreign-rkey",
                        "B2",
                        "writes, reads and adds with a victim's true remote key over its own" + " connection",
                        "google/rdma-unit-test PdRcLoopbackMrTest.*OtherPdRemote, ReDMArk A3",
                        "alice, bob",
                        "REM_ACCESS_ERR",
                        context -> foreignKeys(context, KeyAttacks::remote)),
                of(
                        "guessing",
                        "B3",
                        "guesses " + GUESSES + " remote keys: random ones and the victims' neighbours",
                        "ReDMArk V1 and A3",
                        "all domains",
                        "no byte lands",
                        KeyAttacks::guessing),
                of(
                        "stale",
                        "B6",
                        "replays 4000 keys of regions that are gone",
                        "rxe 2022, rkey overflow after 65536 regions",
                        "HCA",
                        "no byte lands",
                        KeyAttacks::stale),
                of(
                        "boundaries",
                        "B7",
                        "reaches one byte in front of, behind and across the end of a region",
                        "CVE-2018-1059 (DPDK vhost), ReadExceedFront and ReadExceedRear",
                        "HCA",
                        "REM_ACCESS_ERR, LOC_PROT_ERR",
                        KeyAttacks::boundaries),
                of(
                        "wrap",
                        "B8",
                        "lets address and length wrap 2^64",
                        "rxe 2026-05, four u64 wraps",
                        "HCA",
                        "REM_ACCESS_ERR, LOC_PROT_ERR",
                        KeyAttacks::wrap),
                of(
                        "special",
                        "B20",
                        "uses the keys 0 and 0xffffffff, and keys with swapped roles",
                        "rxe IB_MR_TYPE_DMA skips the range check",
                        "HCA",
                        "REM_ACCESS_ERR, LOC_PROT_ERR",
                        KeyAttacks::special),
                of(
                        "oracle",
                        "B21",
                        "compares what it is told of a key that is nobody's, and of the victims'",
                        "Pythia",
                        "alice, bob",
                        "told alike",
                        KeyAttacks::oracle));
    }

    private static IsolationCase of(
            String name,
            String row,
            String does,
            String anchor,
            String target,
            String expected,
            IsolationCase.Attack attack) {
        return new IsolationCase(GROUP + name, row, does, anchor, target, expected, attack);
    }

    /** Tries a key of a victim at an address of its. */
    private interface Trial {
        void of(RawPair pair, Facts facts, int opcode, int key, long address, int length) throws VerbsException, Breach;
    }

    private static String foreignKeys(AttackContext context, Trial trial) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        for (String name : List.of("alice", "bob")) {
            VictimFacts victim = context.victim(name);
            for (int opcode : new int[] {WRITE, READ, FETCH_ADD}) {
                trial.of(pair, facts, opcode, victim.lkey(), victim.address(), 8);
                trial.of(pair, facts, opcode, victim.rkey(), victim.address(), 8);
            }
        }
        return facts.toString();
    }

    // UC tells nobody of a wrong key, so that guessing is as fast as it can be.
    private static String guessing(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.UC);
        RawDevice device = context.device();
        RawRegion otherPd = device.region(device.pd(), 4096, RawPair.ALL);
        SplittableRandom dice = context.dice();
        List<VictimFacts> victims = List.of(context.victim("alice"), context.victim("bob"));
        blank(otherPd.memory());
        blank(pair.remote().memory());
        int near = GUESSES / 2;
        for (int i = 0; i < GUESSES; i++) {
            VictimFacts victim = victims.get(i & 1);
            int key = i < near ? victim.rkey() + (i / 2 - near / 4) : dice.nextInt();
            long address = dice.nextBoolean() ? victim.address() : otherPd.address();
            if (key != pair.remote().rkey()) {
                guess(pair, key, address);
            }
            guess(pair, otherPd.rkey(), otherPd.address());
        }
        unchanged(otherPd.memory(), "of another PD");
        unchanged(pair.remote().memory(), "whose key was not used");
        return 2 * GUESSES + " tries, 0 hits";
    }

    private static String stale(AttackContext context) throws VerbsException, Breach {
        RawDevice device = context.device();
        RawPair pair = new RawPair(device, QpType.UC);
        long pd = device.pd();
        MemorySegment memory = device.ram().allocate(4096, 4096);
        blank(memory);
        List<Integer> keys = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            ControlReply.MemoryRegistered made = device.expect(
                    new ControlRequest.RegisterMemory(pd, memory.address(), 4096, RawPair.ALL, device.frames(memory)),
                    ControlReply.MemoryRegistered.class);
            keys.add(made.rkey());
            device.expect(new ControlRequest.Destroy(ObjectKind.REGION, made.region()), ControlReply.Done.class);
        }
        for (int key : keys) {
            guess(pair, key, memory.address());
        }
        unchanged(memory, "that was deregistered");
        long distinct = keys.stream().distinct().count();
        Breach.unless(distinct == keys.size(), "a key was given out twice within 4000");
        return keys.size() + " keys, none twice, 0 hits";
    }

    private static String boundaries(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        long start = pair.remote().address();
        long own = pair.local().address();
        for (long offset : new long[] {-1, -8, -64, -4096, 4096 - 7, 4096 - 1, 4096, 8192}) {
            for (int opcode : new int[] {WRITE, READ}) {
                remote(pair, facts, opcode, pair.remote().rkey(), start + offset, 8);
                local(pair, facts, opcode, pair.local().lkey(), own + offset, 8);
            }
        }
        return facts.toString();
    }

    private static String wrap(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        long[] addresses = {-1, -8, -0x400, -4096, Long.MIN_VALUE, Long.MAX_VALUE, 0};
        for (long address : addresses) {
            for (int length : new int[] {8, 0x400, 4096}) {
                remote(pair, facts, WRITE, pair.remote().rkey(), address, length);
                local(pair, facts, WRITE, pair.local().lkey(), address, length);
            }
        }
        return facts.toString();
    }

    private static String special(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        Facts facts = new Facts();
        for (int key : new int[] {0, -1, 1, Integer.MIN_VALUE, pair.remote().lkey()}) {
            remote(pair, facts, WRITE, key, pair.remote().address(), 8);
        }
        for (int key : new int[] {0, -1, 1, Integer.MIN_VALUE, pair.local().rkey()}) {
            local(pair, facts, WRITE, key, pair.local().address(), 8);
        }
        return facts.toString();
    }

    private static String oracle(AttackContext context) throws VerbsException, Breach {
        RawPair pair = new RawPair(context.device(), QpType.RC);
        SplittableRandom dice = context.dice();
        RawCq.Entry nobodys = told(pair, dice.nextInt(), 0x10_0000);
        int same = 0;
        for (String name : List.of("alice", "bob")) {
            VictimFacts victim = context.victim(name);
            for (long address : new long[] {victim.address(), victim.address() - 1, 0, -1}) {
                for (int key : new int[] {victim.rkey(), victim.lkey(), dice.nextInt()}) {
                    RawCq.Entry other = told(pair, key, address);
                    Breach.unless(
                            other.status() == nobodys.status() && other.vendorError() == nobodys.vendorError(),
                            "told of a key that is nobody's " + nobodys + ", of another " + other);
                    same++;
                }
            }
        }
        return same + " times " + nobodys.status() + ", vendor error " + nobodys.vendorError();
    }

    private static RawCq.Entry told(RawPair pair, int key, long address) throws VerbsException, Breach {
        long _ = pair.post(WRITE, pair.local().lkey(), pair.local().address(), 8, address, key);
        RawCq.Entry entry = Facts.next(pair.cq(), "a write with a wrong key");
        pair.reconnect();
        return entry;
    }

    private static void remote(RawPair pair, Facts facts, int opcode, int key, long address, int length)
            throws VerbsException, Breach {
        int piece = opcode == FETCH_ADD ? 8 : length;
        long _ = pair.post(opcode, pair.local().lkey(), pair.local().address(), piece, address, key);
        facts.count(
                pair.outcome(), VerbsStatus.REM_ACCESS_ERR, "opcode " + opcode + " at 0x" + Long.toHexString(address));
        pair.reconnect();
    }

    private static void local(RawPair pair, Facts facts, int opcode, int key, long address, int length)
            throws VerbsException, Breach {
        long _ = pair.post(
                opcode,
                key,
                address,
                length,
                pair.remote().address(),
                pair.remote().rkey());
        facts.count(
                pair.outcome(), VerbsStatus.LOC_PROT_ERR, "opcode " + opcode + " from 0x" + Long.toHexString(address));
        pair.reconnect();
    }

    private static void guess(RawPair pair, int key, long address) throws VerbsException, Breach {
        long _ = pair.post(WRITE, pair.local().lkey(), pair.local().address(), 8, address, key);
        VerbsStatus status = pair.outcome();
        Breach.unless(status == VerbsStatus.SUCCESS, "UC told of a wrong key: " + status);
    }

    private static void blank(MemorySegment memory) {
        MemorySegment _ = memory.fill(CANARY);
    }

    private static void unchanged(MemorySegment memory, String which) throws Breach {
        for (byte value : memory.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)) {
            if (value != CANARY) {
                throw new Breach("bytes landed in memory " + which);
            }
        }
    }
}
