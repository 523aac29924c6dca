package io.hyperverbs.frontend.driver;

import io.hyperverbs.frontend.cache.CachedRegions;
import io.hyperverbs.frontend.event.EventDispatcher;
import io.hyperverbs.frontend.memory.GuestRam;
import io.hyperverbs.frontend.path.ForwardedChannels;
import io.hyperverbs.frontend.path.PrivilegedVerbs;
import io.hyperverbs.frontend.trace.VerbTrace;
import io.hyperverbs.vmm.hypercall.Hypercalls;
import org.jspecify.annotations.Nullable;

/**
 * What all objects of one domain's driver share.
 *
 * @param postsEvents whether the HCA posts completion events itself, where a path has a page for them
 * @param channels where forwarded data paths run; null if the domain has none
 */
public record DriverParts(
        Hypercalls machine,
        PrivilegedVerbs verbs,
        GuestRam ram,
        CachedRegions cached,
        EventDispatcher events,
        VerbTrace trace,
        boolean postsEvents,
        @Nullable ForwardedChannels channels) {}
