/**
 * Random walks in real domains of one machine, and devices with planted bugs that a walk must find.
 */
@NullMarked
package io.hyperverbs.tests.walk;

import org.jspecify.annotations.NullMarked;
