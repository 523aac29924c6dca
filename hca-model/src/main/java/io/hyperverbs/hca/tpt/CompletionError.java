package io.hyperverbs.hca.tpt;

import io.hyperverbs.verbs.VendorError;

/** Which check failed on what; reused and overwritten by each failing check. Engine thread only. */
public final class CompletionError {
    private int vendorError;
    private int key;
    private int pd;
    private long address;
    private long lengthBytes;

    public void set(VendorError error) {
        set(error, 0, 0, 0, 0);
    }

    public void set(VendorError error, int key, int pd, long address, long lengthBytes) {
        this.vendorError = error.code();
        this.key = key;
        this.pd = pd;
        this.address = address;
        this.lengthBytes = lengthBytes;
    }

    /** Keeps what it happened to, under another name. */
    public void rename(VendorError error) {
        this.vendorError = error.code();
    }

    public void copyFrom(CompletionError other) {
        vendorError = other.vendorError;
        key = other.key;
        pd = other.pd;
        address = other.address;
        lengthBytes = other.lengthBytes;
    }

    /** {@link VendorError#code}. */
    public int vendorError() {
        return vendorError;
    }

    public int key() {
        return key;
    }

    public int pd() {
        return pd;
    }

    public long address() {
        return address;
    }

    public long lengthBytes() {
        return lengthBytes;
    }
}
