/** The frontend driver, in a guest. */
package io.hyperverbs.frontend;
