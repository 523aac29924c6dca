package io.hyperverbs.vmm.io;

import com.google.protobuf.CodedOutputStream;
import io.hyperverbs.verbs.DataPathKind;
import io.hyperverbs.verbs.QpLimits;
import io.hyperverbs.vmm.io.wire.AllocateDmaKeyMessage;
import io.hyperverbs.vmm.io.wire.AllocatePdMessage;
import io.hyperverbs.vmm.io.wire.AllocateWindowMessage;
import io.hyperverbs.vmm.io.wire.ControlReplyMessage;
import io.hyperverbs.vmm.io.wire.ControlRequestMessage;
import io.hyperverbs.vmm.io.wire.CreateCqMessage;
import io.hyperverbs.vmm.io.wire.CreateQpMessage;
import io.hyperverbs.vmm.io.wire.DestroyMessage;
import io.hyperverbs.vmm.io.wire.FrameRunMessage;
import io.hyperverbs.vmm.io.wire.ModifyQpMessage;
import io.hyperverbs.vmm.io.wire.MulticastMessage;
import io.hyperverbs.vmm.io.wire.OpenContextMessage;
import io.hyperverbs.vmm.io.wire.OpenXrcdMessage;
import io.hyperverbs.vmm.io.wire.QueryDeviceMessage;
import io.hyperverbs.vmm.io.wire.QueryGidMessage;
import io.hyperverbs.vmm.io.wire.QueryPkeyMessage;
import io.hyperverbs.vmm.io.wire.QueryPortMessage;
import io.hyperverbs.vmm.io.wire.QueryQpMessage;
import io.hyperverbs.vmm.io.wire.QuerySrqMessage;
import io.hyperverbs.vmm.io.wire.RegisterMemoryMessage;
import io.hyperverbs.vmm.io.wire.RegisterRingMessage;
import io.hyperverbs.vmm.io.wire.ReregisterMemoryMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Between the records of this package and the generated messages of device_channel.proto.
 * Stateless; any thread. What a message cannot mean is a {@link ProtocolViolation}; what the verbs
 * refuse is left to the backend.
 */
public final class ControlCodec {
    /** More runs than a 64 KiB message can hold are not worth looking at. */
    static final int MAX_RUNS = 8192;

    private ControlCodec() {}

    /** What a request's message holds, the same for equal requests. */
    public static byte[] bytesOf(ControlRequest request) {
        ControlRequestMessage message = toWire(0, request);
        byte[] bytes = new byte[message.getSerializedSize()];
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.useDeterministicSerialization();
        try {
            message.writeTo(out);
            out.checkNoSpaceLeft();
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException("an array takes all that was counted", e);
        }
    }

    /** Puts a request into a message. */
    public static ControlRequestMessage toWire(long requestId, ControlRequest request) {
        ControlRequestMessage.Builder message =
                ControlRequestMessage.newBuilder().setRequestId(requestId);
        switch (request) {
            case ControlRequest.OpenContext r ->
                message.setOpenContext(
                        OpenContextMessage.newBuilder().setDataPath(r.dataPath().code()));
            case ControlRequest.QueryDevice r ->
                message.setQueryDevice(QueryDeviceMessage.newBuilder().setContext(r.context()));
            case ControlRequest.QueryPort r ->
                message.setQueryPort(
                        QueryPortMessage.newBuilder().setContext(r.context()).setPort(r.port()));
            case ControlRequest.QueryGid r ->
                message.setQueryGid(QueryGidMessage.newBuilder()
                        .setContext(r.context())
                        .setPort(r.port())
                        .setIndex(r.index()));
            case ControlRequest.QueryPkey r ->
                message.setQueryPkey(QueryPkeyMessage.newBuilder()
                        .setContext(r.context())
                        .setPort(r.port())
                        .setIndex(r.index()));
            case ControlRequest.AllocatePd r ->
                message.setAllocatePd(AllocatePdMessage.newBuilder().setContext(r.context()));
            case ControlRequest.OpenXrcd r ->
                message.setOpenXrcd(OpenXrcdMessage.newBuilder().setContext(r.context()));
            case ControlRequest.RegisterMemory r ->
                message.setRegisterMemory(RegisterMemoryMessage.newBuilder()
                        .setPd(r.pd())
                        .setVirtualAddress(r.virtualAddress())
                        .setLengthBytes(r.lengthBytes())
                        .setAccess(r.access())
                        .addAllRuns(runsToWire(r.runs())));
            case ControlRequest.RegisterRing r ->
                message.setRegisterRing(RegisterRingMessage.newBuilder()
                        .setContext(r.context())
                        .setLengthBytes(r.lengthBytes())
                        .addAllRuns(runsToWire(r.runs())));
            case ControlRequest.CreateCq r ->
                message.setCreateCq(CreateCqMessage.newBuilder()
                        .setContext(r.context())
                        .setEntries(r.entries())
                        .setRing(r.ring())
                        .setEvents(r.events()));
            case ControlRequest.CreateQp r ->
                message.setCreateQp(CreateQpMessage.newBuilder()
                        .setPd(r.pd())
                        .setType(r.typeCode())
                        .setSendCq(r.sendCq())
                        .setReceiveCq(r.receiveCq())
                        .setRing(r.ring())
                        .setSendWr(r.limits().sendWr())
                        .setReceiveWr(r.limits().receiveWr())
                        .setSendSge(r.limits().sendSge())
                        .setReceiveSge(r.limits().receiveSge())
                        .setInlineBytes(r.limits().inlineBytes())
                        .setAllSignalled(r.limits().allSignalled())
                        .setSrq(r.srq()));
            case ControlRequest.ModifyQp r ->
                message.setModifyQp(ModifyQpMessage.newBuilder()
                        .setQp(r.qp())
                        .putAllAttributes(AttributesCodec.toWire(r.attributes())));
            case ControlRequest.QueryQp r ->
                message.setQueryQp(QueryQpMessage.newBuilder().setQp(r.qp()));
            case ControlRequest.CreateAh r -> message.setCreateAh(AddressCodec.toWire(r));
            case ControlRequest.AttachMulticast r ->
                message.setAttachMulticast(AddressCodec.toWire(r.qp(), r.group(), r.lid()));
            case ControlRequest.DetachMulticast r ->
                message.setDetachMulticast(AddressCodec.toWire(r.qp(), r.group(), r.lid()));
            case ControlRequest.ResizeCq r -> message.setResizeCq(CqCodec.toWire(r));
            case ControlRequest.ModerateCq r -> message.setModerateCq(CqCodec.toWire(r));
            case ControlRequest.CreateSrq r -> message.setCreateSrq(SrqCodec.toWire(r));
            case ControlRequest.ArmSrq r -> message.setModifySrq(SrqCodec.toWire(r));
            case ControlRequest.ResizeSrq r -> message.setModifySrq(SrqCodec.toWire(r));
            case ControlRequest.QuerySrq r ->
                message.setQuerySrq(QuerySrqMessage.newBuilder().setSrq(r.srq()));
            case ControlRequest.ReregisterMemory r ->
                message.setReregisterMemory(ReregisterMemoryMessage.newBuilder()
                        .setRegion(r.region())
                        .setChanges(r.changes())
                        .setPd(r.pd())
                        .setVirtualAddress(r.virtualAddress())
                        .setLengthBytes(r.lengthBytes())
                        .setAccess(r.access())
                        .addAllRuns(runsToWire(r.runs())));
            case ControlRequest.AllocateDmaKey r ->
                message.setAllocateDmaKey(AllocateDmaKeyMessage.newBuilder().setPd(r.pd()));
            case ControlRequest.AllocateWindow r ->
                message.setAllocateWindow(
                        AllocateWindowMessage.newBuilder().setPd(r.pd()).setType(r.typeCode()));
            case ControlRequest.Destroy r ->
                message.setDestroy(
                        DestroyMessage.newBuilder().setKind(r.kind().code()).setHandle(r.handle()));
            case ControlRequest.Management r -> message.setManagement(ManagementCodec.toWire(r.request()));
        }
        return message.build();
    }

    /**
     * Takes a request out of a message.
     *
     * @throws ProtocolViolation if it holds no request, or one that no frontend builds
     */
    public static ControlRequest fromWire(ControlRequestMessage message) {
        return switch (message.getRequestCase()) {
            case OPEN_CONTEXT ->
                new ControlRequest.OpenContext(
                        constant(DataPathKind.values(), message.getOpenContext().getDataPath()));
            case QUERY_DEVICE ->
                new ControlRequest.QueryDevice(message.getQueryDevice().getContext());
            case QUERY_PORT ->
                new ControlRequest.QueryPort(
                        message.getQueryPort().getContext(),
                        message.getQueryPort().getPort());
            case QUERY_GID -> {
                QueryGidMessage r = message.getQueryGid();
                yield new ControlRequest.QueryGid(r.getContext(), r.getPort(), r.getIndex());
            }
            case QUERY_PKEY -> {
                QueryPkeyMessage r = message.getQueryPkey();
                yield new ControlRequest.QueryPkey(r.getContext(), r.getPort(), r.getIndex());
            }
            case ALLOCATE_PD ->
                new ControlRequest.AllocatePd(message.getAllocatePd().getContext());
            case OPEN_XRCD -> new ControlRequest.OpenXrcd(message.getOpenXrcd().getContext());
            case REGISTER_MEMORY -> {
                RegisterMemoryMessage r = message.getRegisterMemory();
                yield new ControlRequest.RegisterMemory(
                        r.getPd(),
                        r.getVirtualAddress(),
                        r.getLengthBytes(),
                        r.getAccess(),
                        runsFromWire(r.getRunsList()));
            }
            case REGISTER_RING -> {
                RegisterRingMessage r = message.getRegisterRing();
                yield new ControlRequest.RegisterRing(
                        r.getContext(), r.getLengthBytes(), runsFromWire(r.getRunsList()));
            }
            case CREATE_CQ -> {
                CreateCqMessage r = message.getCreateCq();
                yield new ControlRequest.CreateCq(r.getContext(), r.getEntries(), r.getRing(), r.getEvents());
            }
            case CREATE_QP -> {
                CreateQpMessage r = message.getCreateQp();
                yield new ControlRequest.CreateQp(
                        r.getPd(),
                        r.getType(),
                        r.getSendCq(),
                        r.getReceiveCq(),
                        r.getRing(),
                        new QpLimits(
                                r.getSendWr(),
                                r.getReceiveWr(),
                                r.getSendSge(),
                                r.getReceiveSge(),
                                r.getInlineBytes(),
                                r.getAllSignalled()),
                        r.getSrq());
            }
            case MODIFY_QP ->
                new ControlRequest.ModifyQp(
                        message.getModifyQp().getQp(),
                        AttributesCodec.fromWire(message.getModifyQp().getAttributesMap()));
            case QUERY_QP -> new ControlRequest.QueryQp(message.getQueryQp().getQp());
            case CREATE_AH -> AddressCodec.fromWire(message.getCreateAh());
            case ATTACH_MULTICAST -> {
                MulticastMessage r = message.getAttachMulticast();
                yield new ControlRequest.AttachMulticast(r.getQp(), AddressCodec.fromWire(r.getGroup()), r.getLid());
            }
            case DETACH_MULTICAST -> {
                MulticastMessage r = message.getDetachMulticast();
                yield new ControlRequest.DetachMulticast(r.getQp(), AddressCodec.fromWire(r.getGroup()), r.getLid());
            }
            case RESIZE_CQ -> CqCodec.fromWire(message.getResizeCq());
            case MODERATE_CQ -> CqCodec.fromWire(message.getModerateCq());
            case CREATE_SRQ -> SrqCodec.fromWire(message.getCreateSrq());
            case MODIFY_SRQ -> SrqCodec.fromWire(message.getModifySrq());
            case QUERY_SRQ -> new ControlRequest.QuerySrq(message.getQuerySrq().getSrq());
            case REREGISTER_MEMORY -> {
                ReregisterMemoryMessage r = message.getReregisterMemory();
                yield new ControlRequest.ReregisterMemory(
                        r.getRegion(),
                        r.getChanges(),
                        r.getPd(),
                        r.getVirtualAddress(),
                        r.getLengthBytes(),
                        r.getAccess(),
                        runsFromWire(r.getRunsList()));
            }
            case ALLOCATE_DMA_KEY ->
                new ControlRequest.AllocateDmaKey(message.getAllocateDmaKey().getPd());
            case ALLOCATE_WINDOW ->
                new ControlRequest.AllocateWindow(
                        message.getAllocateWindow().getPd(),
                        message.getAllocateWindow().getType());
            case DESTROY ->
                new ControlRequest.Destroy(
                        constant(ObjectKind.values(), message.getDestroy().getKind()),
                        message.getDestroy().getHandle());
            case MANAGEMENT -> new ControlRequest.Management(ManagementCodec.fromWire(message.getManagement()));
            case REQUEST_NOT_SET -> throw new ProtocolViolation("message without a request");
        };
    }

    /** Puts a reply into a message. */
    public static ControlReplyMessage toWire(ControlReply reply) {
        return ControlReplyCodec.toWire(reply);
    }

    /**
     * Takes a reply out of a message; a status without an answer is {@link ControlReply.Done} or
     * Refused.
     */
    public static ControlReply fromWire(ControlReplyMessage message) {
        return ControlReplyCodec.fromWire(message);
    }

    private static List<FrameRunMessage> runsToWire(List<FrameRun> runs) {
        List<FrameRunMessage> messages = new ArrayList<>(runs.size());
        for (FrameRun run : runs) {
            messages.add(FrameRunMessage.newBuilder()
                    .setFirstFrame(run.firstFrame())
                    .setCount(run.count())
                    .build());
        }
        return messages;
    }

    private static List<FrameRun> runsFromWire(List<FrameRunMessage> messages) {
        if (messages.size() > MAX_RUNS) {
            throw new ProtocolViolation(messages.size() + " frame runs, at most " + MAX_RUNS);
        }
        List<FrameRun> runs = new ArrayList<>(messages.size());
        for (FrameRunMessage message : messages) {
            runs.add(new FrameRun(message.getFirstFrame(), message.getCount()));
        }
        return runs;
    }

    // Codes of these enums are dense from 0.
    private static <E> E constant(E[] constants, int code) {
        if (code < 0 || code >= constants.length) {
            throw new ProtocolViolation("number " + code + ", must be below " + constants.length);
        }
        return constants[code];
    }
}
