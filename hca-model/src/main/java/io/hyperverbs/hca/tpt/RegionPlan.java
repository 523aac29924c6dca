package io.hyperverbs.hca.tpt;

/**
 * A region to be, with its segments of machine memory resolved: segment i holds the bytes from {@code
 * starts[i]} to {@code starts[i + 1]} of the region and lies at machine address {@code
 * addresses[i]}.
 *
 * @param starts one longer than {@code addresses}; from 0 to {@code lengthBytes}, increasing
 */
@SuppressWarnings("ArrayRecordComponent") // handed over to the region, compared by nobody
public record RegionPlan(int pd, long virtualAddress, long lengthBytes, int access, long[] starts, long[] addresses) {}
