/** What the lab has for who reads a topology; the packages below start its programs and judge them. */
@NullMarked
package io.hyperverbs.lab.run;

import org.jspecify.annotations.NullMarked;
