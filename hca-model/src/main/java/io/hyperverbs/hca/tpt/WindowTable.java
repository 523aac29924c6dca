package io.hyperverbs.hca.tpt;

import io.hyperverbs.hca.context.ContextMemory;
import io.hyperverbs.hca.layout.ContextMemoryLayout.Table;
import io.hyperverbs.hca.layout.MwContextLayout;
import io.hyperverbs.hca.layout.MwContextLayout.Field;
import io.hyperverbs.hca.number.IntTable;
import io.hyperverbs.hca.tpt.Window.Binding;
import io.hyperverbs.verbs.Access;
import io.hyperverbs.verbs.MemoryWindow;
import io.hyperverbs.verbs.VendorError;
import org.jspecify.annotations.Nullable;

/**
 * Memory windows by number and by key index, and the rules of binding and invalidating them (IBA
 * 10.6.7.2, 11.3.3). Their keys lie in the table of remote keys beside those of regions. Engine
 * thread only; only creation allocates.
 */
public final class WindowTable {
    private static final int RIGHTS =
            Access.REMOTE_READ.bit() | Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit() | Access.ZERO_BASED.bit();
    private static final int WRITES = Access.REMOTE_WRITE.bit() | Access.REMOTE_ATOMIC.bit();

    private final ContextMemory contexts;
    private final KeyTable localKeys;
    private final KeyTable remoteKeys;
    private final @Nullable Window[] windows;
    private final IntTable byKeyIndex;
    private int nextNumber;
    private int live;
    private int boundToQps;

    WindowTable(ContextMemory contexts, KeyTable localKeys, KeyTable remoteKeys, int maxWindows) {
        this.contexts = contexts;
        this.localKeys = localKeys;
        this.remoteKeys = remoteKeys;
        this.windows = new Window[maxWindows + 1];
        this.byKeyIndex = new IntTable(maxWindows);
    }

    boolean isFull() {
        return live == windows.length - 1;
    }

    /** A new window, free; the table is not full. */
    Window create(int domain, int pd, MemoryWindow.Type type, int rkey) {
        do {
            nextNumber = nextNumber == windows.length - 1 ? 1 : nextNumber + 1;
        } while (windows[nextNumber] != null);
        Window window = new Window(nextNumber, pd, type, rkey);
        windows[nextNumber] = window;
        byKeyIndex.put(window.keyIndex(), nextNumber);
        live++;
        noteNew(domain, window);
        return window;
    }

    void destroy(Window window) {
        unbind(window);
        MwContextLayout.publishRelease(contexts.memory(), entry(window), 0);
        byKeyIndex.remove(window.keyIndex());
        windows[window.number()] = null;
        live--;
    }

    /** The window with that number, or null. */
    public @Nullable Window byNumber(int number) {
        return number > 0 && number < windows.length ? windows[number] : null;
    }

    public int live() {
        return live;
    }

    /**
     * Binds the window that {@code binding}'s key names, or unbinds one of type 1 with length 0.
     *
     * @param pd of the queue pair that the bind was posted to
     * @return the window, or null with {@code fault} saying why; nothing has changed then
     */
    public @Nullable Window bind(int pd, int qpn, Binding binding, CompletionError completionError) {
        Window window = find(pd, binding.rkey);
        if (window == null) {
            return refuse(VendorError.WINDOW_NOT_IN_PD, pd, binding, completionError);
        }
        boolean typeTwo = window.type() == MemoryWindow.Type.TWO;
        if (typeTwo && (window.target() != null || window.wouldRepeat(binding.rkey))) {
            return refuse(VendorError.WINDOW_STATE, pd, binding, completionError);
        }
        if (binding.lengthBytes == 0 && !typeTwo) {
            unbind(window);
            return window;
        }
        Region region = judge(pd, typeTwo, binding, completionError);
        if (region == null) {
            return null;
        }
        unbind(window);
        window.bind(region, binding, qpn);
        remoteKeys.put(pd, window.rkey(), window.view());
        boundToQps += typeTwo ? 1 : 0;
        noteBound(window, region);
        return window;
    }

    private @Nullable Region judge(int pd, boolean typeTwo, Binding binding, CompletionError completionError) {
        int access = binding.access;
        if ((access & ~RIGHTS) != 0
                || binding.lengthBytes == 0
                || (!typeTwo && (access & Access.ZERO_BASED.bit()) != 0)) {
            completionError.set(VendorError.WINDOW_FORM, binding.rkey, pd, access, binding.lengthBytes);
            return null;
        }
        int needed = Access.MW_BIND.bit() | ((access & WRITES) == 0 ? 0 : Access.LOCAL_WRITE.bit());
        return Tpt.judge(
                localKeys.find(pd, binding.lkey),
                pd,
                Region.ANY_QPN,
                binding.lkey,
                binding.address,
                binding.lengthBytes,
                needed,
                completionError);
    }

    /**
     * The window of type 2 that {@code rkey} names exactly, bound through that queue pair: what an
     * invalidation may end.
     *
     * @return null with {@code fault} saying why; no region may be invalidated by a request
     */
    public @Nullable Window invalidatable(int pd, int qpn, int rkey, CompletionError completionError) {
        Window window = find(pd, rkey);
        if (window == null || window.rkey() != rkey || window.type() != MemoryWindow.Type.TWO) {
            completionError.set(VendorError.NOT_INVALIDATABLE, rkey, pd, 0, 0);
            return null;
        }
        if (window.target() == null) {
            completionError.set(VendorError.WINDOW_STATE, rkey, pd, 0, 0);
            return null;
        }
        if (window.qpn() != qpn) {
            completionError.set(VendorError.WINDOW_OF_OTHER_QP, rkey, pd, 0, 0);
            return null;
        }
        return window;
    }

    /** From now on no access through its key is granted; a free one stays free. */
    public void unbind(Window window) {
        Region region = window.target();
        if (region == null) {
            return;
        }
        remoteKeys.remove(window.pd(), window.rkey());
        boundToQps -= window.type() == MemoryWindow.Type.TWO ? 1 : 0;
        window.unbind(region);
        MwContextLayout.bindRelease(contexts.memory(), entry(window), 0);
    }

    /**
     * The next window after {@code from} that is bound through that queue pair; null if there is
     * none. A queue pair that goes takes its windows' bindings along.
     */
    public @Nullable Window boundTo(int qpn, int from) {
        for (int i = boundToQps == 0 ? windows.length : from + 1; i < windows.length; i++) {
            Window window = windows[i];
            if (window != null && window.qpn() == qpn) {
                return window;
            }
        }
        return null;
    }

    private @Nullable Window find(int pd, int rkey) {
        int number = byKeyIndex.get(rkey >>> 8);
        Window window = number == IntTable.ABSENT ? null : windows[number];
        return window != null && window.pd() == pd ? window : null;
    }

    private void noteNew(int domain, Window window) {
        long entry = entry(window);
        note(entry, Field.DOMAIN, domain);
        note(entry, Field.PD, window.pd());
        note(entry, Field.TYPE, window.type().code());
        note(entry, Field.RKEY, window.rkey());
        note(entry, Field.EVER_BOUND, 0);
        note(entry, Field.REGION, 0);
        MwContextLayout.publishRelease(contexts.memory(), entry, window.number());
    }

    private void noteBound(Window window, Region region) {
        long entry = entry(window);
        note(entry, Field.RKEY, window.rkey());
        note(entry, Field.EVER_BOUND, 1);
        note(entry, Field.QPN, window.qpn());
        note(entry, Field.ADDRESS, window.view().firstAddress());
        note(entry, Field.LENGTH_BYTES, window.view().lengthBytes());
        note(entry, Field.ACCESS, window.view().access());
        MwContextLayout.bindRelease(contexts.memory(), entry, region.number());
    }

    private void note(long entry, Field field, long value) {
        MwContextLayout.set(contexts.memory(), entry, field, value);
    }

    private long entry(Window window) {
        return contexts.entry(Table.MW, window.number() - 1, MwContextLayout.SIZE_BYTES);
    }

    private static @Nullable Window refuse(
            VendorError error, int pd, Binding binding, CompletionError completionError) {
        completionError.set(error, binding.rkey, pd, binding.address, binding.lengthBytes);
        return null;
    }
}
