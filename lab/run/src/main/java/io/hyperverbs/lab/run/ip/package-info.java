/** {@code hv bench ip}: sockets over the links of IP over InfiniBand, on each data path in turn. */
@NullMarked
package io.hyperverbs.lab.run.ip;

import org.jspecify.annotations.NullMarked;
