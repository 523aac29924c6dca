/**
 * The host channel adapter. {@link io.hyperverbs.hca.Hca} is the HCA: its driver gives it memory
 * and an interrupt line, issues {@link
 * io.hyperverbs.hca.HcaCommands}, and reads events by {@link io.hyperverbs.hca.Hca#poll}; {@link
 * io.hyperverbs.hca.EngineRunner} is the thread that does its work. Guests reach it through the
 * bytes of {@code hca.layout} alone.
 */
@NullMarked
package io.hyperverbs.hca;

import org.jspecify.annotations.NullMarked;
