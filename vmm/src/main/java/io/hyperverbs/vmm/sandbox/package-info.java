/**
 * How guests are kept apart: {@link io.hyperverbs.vmm.sandbox.SandboxProbe} finds the strongest
 * {@link io.hyperverbs.vmm.sandbox.Sandbox} that works on this computer by starting it; a sandbox
 * turns a JVM into the command line that starts it confined. Tier 1b (Landlock and seccomp, without
 * namespaces) would be one more {@link io.hyperverbs.vmm.sandbox.Sandbox}.
 */
@NullMarked
package io.hyperverbs.vmm.sandbox;

import org.jspecify.annotations.NullMarked;
