package io.hyperverbs.hca.tpt;

import io.hyperverbs.verbs.MemoryWindow;
import org.jspecify.annotations.Nullable;

/**
 * A memory window: a remote key of its own for a part of a region. Its key index is its for life;
 * each bind gives it the tag that the work request asks for. Engine thread only; a bind allocates
 * nothing.
 */
public final class Window {
    /** What a bind asks for, as the work request says; reused. */
    public static final class Binding {
        public int rkey;
        public int lkey;
        public long address;
        public long lengthBytes;
        public int access;
    }

    private final int number;
    private final int pd;
    private final MemoryWindow.Type type;
    private final int keyIndex;
    private final Region view;
    private @Nullable Region target;
    private int rkey;
    private boolean everBound;

    Window(int number, int pd, MemoryWindow.Type type, int rkey) {
        this.number = number;
        this.pd = pd;
        this.type = type;
        this.keyIndex = rkey >>> 8;
        this.rkey = rkey;
        this.view = new Region(number, pd);
    }

    public int number() {
        return number;
    }

    public int pd() {
        return pd;
    }

    public MemoryWindow.Type type() {
        return type;
    }

    /** The upper 24 bits of all keys it ever has. */
    int keyIndex() {
        return keyIndex;
    }

    /** The key of the last bind, or the one it began with. */
    public int rkey() {
        return rkey;
    }

    /** The region it is bound to, or null. */
    public @Nullable Region target() {
        return target;
    }

    /** While bound: the range and rights its key gives. */
    public Region view() {
        return view;
    }

    /** The queue pair it was bound through, or 0 if it is free or of type 1. */
    public int qpn() {
        return target == null ? Region.ANY_QPN : view.onlyQpn();
    }

    /** Whether a bind to that key would wake one that peers may still hold. */
    boolean wouldRepeat(int key) {
        return everBound && key == rkey;
    }

    void bind(Region region, Binding binding, int qpn) {
        view.retarget(region, binding, type == MemoryWindow.Type.TWO ? qpn : Region.ANY_QPN);
        rkey = binding.rkey;
        everBound = true;
        target = region;
        region.addBoundWindows(1);
    }

    void unbind(Region region) {
        region.addBoundWindows(-1);
        target = null;
    }
}
