/**
 * The attributes of an HCA as {@code ibv_devinfo} prints them: {@link
 * io.hyperverbs.toolstack.devinfo.DeviceSheet} says which there are and in which words, {@link
 * io.hyperverbs.toolstack.devinfo.Sheet} lays them out as text or JSON.
 */
@NullMarked
package io.hyperverbs.toolstack.devinfo;

import org.jspecify.annotations.NullMarked;
