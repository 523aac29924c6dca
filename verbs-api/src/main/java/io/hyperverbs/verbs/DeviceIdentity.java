package io.hyperverbs.verbs;

/**
 * Vendor and GUIDs of the HCA.
 *
 * @param systemImageGuid {@code sys_image_guid}
 * @param vendorId an IEEE company id, 24 bits
 * @param vendorPartId the vendor's own part number
 * @param hardwareVersion {@code hw_ver}
 * @param boardId as {@code ibv_devinfo} prints it
 */
public record DeviceIdentity(
        long systemImageGuid, int vendorId, int vendorPartId, int hardwareVersion, String boardId) {}
