package io.hyperverbs.hca.number;

/**
 * Table from int to int by open addressing in two flat arrays; of fixed capacity, never more than
 * half full. Engine thread only; allocates nothing after construction.
 */
public final class IntTable {
    /** Answer for a key that is not in the table; never a value. */
    public static final int ABSENT = -1;

    private final int[] keys;
    private final int[] values;
    private final int mask;
    private int size;

    public IntTable(int maxEntries) {
        int capacity = Integer.highestOneBit(Math.max(maxEntries, 4)) << 2;
        keys = new int[capacity];
        values = new int[capacity];
        java.util.Arrays.fill(values, ABSENT);
        mask = capacity - 1;
    }

    /** The value of {@code key}, or {@link #ABSENT}. */
    public int get(int key) {
        int slot = home(key);
        while (values[slot] != ABSENT) {
            if (keys[slot] == key) {
                return values[slot];
            }
            slot = (slot + 1) & mask;
        }
        return ABSENT;
    }

    public boolean contains(int key) {
        return get(key) != ABSENT;
    }

    /** Adds a key that is not there; {@code value} from 0. */
    public void put(int key, int value) {
        if (2 * (size + 1) > mask + 1) {
            throw new IllegalStateException("table of " + (mask + 1) + " is more than half full");
        }
        int slot = home(key);
        while (values[slot] != ABSENT) {
            slot = (slot + 1) & mask;
        }
        keys[slot] = key;
        values[slot] = value;
        size++;
    }

    /** Removes a key; entries behind it move up, so there are no tombstones. */
    public void remove(int key) {
        int hole = home(key);
        while (values[hole] == ABSENT || keys[hole] != key) {
            if (values[hole] == ABSENT) {
                return;
            }
            hole = (hole + 1) & mask;
        }
        int slot = hole;
        while (true) {
            slot = (slot + 1) & mask;
            if (values[slot] == ABSENT) {
                break;
            }
            if (((slot - home(keys[slot])) & mask) >= ((slot - hole) & mask)) {
                keys[hole] = keys[slot];
                values[hole] = values[slot];
                hole = slot;
            }
        }
        values[hole] = ABSENT;
        size--;
    }

    public int size() {
        return size;
    }

    private int home(int key) {
        return ((key * 0x9E3779B9) >>> 7) & mask;
    }
}
