package io.hyperverbs.vmm.control;

/**
 * Part of the HCA's on-board memory.
 *
 * @param bytes a copy, shorter than asked for at the end
 * @param totalBytes size of the whole; 0 if there is none yet
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier of bytes just read; never compared
public record ContextSnapshot(byte[] bytes, long totalBytes) {}
