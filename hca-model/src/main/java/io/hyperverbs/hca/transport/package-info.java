/**
 * What all transports share: a {@link io.hyperverbs.hca.transport.Message} on its way, the checks
 * of a work request ({@link io.hyperverbs.hca.transport.RequestCheck}), the receive it takes at the
 * other side ({@link io.hyperverbs.hca.transport.ReceiveWqeFetch}), the memory on both sides ({@link
 * io.hyperverbs.hca.transport.SgList}), and how requests and receives end ({@link
 * io.hyperverbs.hca.transport.Completer}, {@link io.hyperverbs.hca.transport.QpErrors}). Engine
 * thread only; no allocation, no exception for a guest's mistake.
 */
@NullMarked
package io.hyperverbs.hca.transport;

import org.jspecify.annotations.NullMarked;
