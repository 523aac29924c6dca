/** JVMs that tests start: for tools that want one of their own. */
package io.hyperverbs.tests.jvm;
