/**
 * The device as a guest's process has it when no library stands in between: control messages,
 * mapped rings and doorbells, sockets. Nothing here is a right that a guest does not have.
 */
@NullMarked
package io.hyperverbs.lab.attacks.raw;

import org.jspecify.annotations.NullMarked;
