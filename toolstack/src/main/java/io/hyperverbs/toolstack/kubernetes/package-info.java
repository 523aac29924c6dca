/**
 * A topology over hosts as objects of Kubernetes: {@link io.hyperverbs.toolstack.kubernetes.Manifest} writes a Secret and a
 * Pod for each host ({@link io.hyperverbs.toolstack.kubernetes.HostObjects}), so that kubelets start what {@code hv up}
 * starts otherwise. Any thread; no cluster is asked anything.
 */
@NullMarked
package io.hyperverbs.toolstack.kubernetes;

import org.jspecify.annotations.NullMarked;
