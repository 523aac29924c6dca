/**
 * How guests are kept apart: {@link io.hyperverbs.vmm.sandbox.SandboxProbe} finds the strongest
 * {@link io.hyperverbs.vmm.sandbox.Sandbox} that works on this computer by starting it; a sandbox
 * turns a JVM into the command line that starts it confined. What a tier does not give is in
 * docs/adr/0010.
 */
@NullMarked
package io.hyperverbs.vmm.sandbox;

import org.jspecify.annotations.NullMarked;
