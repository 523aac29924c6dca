/**
 * A server that takes the requests of many connections from one completion queue, and a client that offers it a load
 * (Riddoch 2001 §4.3). Written against verbs-api alone; runs on the main thread of its domain.
 */
@NullMarked
package io.hyperverbs.lab.bench.echo;

import org.jspecify.annotations.NullMarked;
