/** Which rank of which job a program is. */
@NullMarked
package io.hyperverbs.upper.job;

import org.jspecify.annotations.NullMarked;
