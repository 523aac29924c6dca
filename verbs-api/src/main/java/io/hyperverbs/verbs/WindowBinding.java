package io.hyperverbs.verbs;

import java.util.Set;

/**
 * What a window shows and allows once bound ({@code ibv_mw_bind_info}).
 *
 * @param region with MW_BIND, and with LOCAL_WRITE if peers may write; of the window's PD
 * @param address first byte, in the region's addresses
 * @param lengthBytes from 1; 0 unbinds a window of type 1
 * @param access remote rights; ZERO_BASED, for type 2 alone: peers count from 0
 */
public record WindowBinding(MemoryRegion region, long address, long lengthBytes, Set<Access> access) {
    public WindowBinding {
        access = Set.copyOf(access);
    }
}
