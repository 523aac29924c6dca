package io.hyperverbs.vmm.io;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;

/** Types of the messages' fields, as proto3 encodes them; 32 bits are an int, 64 a long, unsigned or not. */
enum Scalar {
    UINT64(WireFormat.WIRETYPE_VARINT),
    FIXED64(WireFormat.WIRETYPE_FIXED64),
    UINT32(WireFormat.WIRETYPE_VARINT),
    INT32(WireFormat.WIRETYPE_VARINT),
    FIXED32(WireFormat.WIRETYPE_FIXED32),
    BOOL(WireFormat.WIRETYPE_VARINT),
    STRING(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    BYTES(WireFormat.WIRETYPE_LENGTH_DELIMITED);

    private static final int TAG_TYPE_BITS = 3;

    private final int wireType;

    Scalar(int wireType) {
        this.wireType = wireType;
    }

    /** What precedes the field of that number. */
    int tag(int number) {
        return number << TAG_TYPE_BITS | wireType;
    }

    /** What a field that is not in the message holds; such a value is not written. */
    Object absent() {
        return switch (this) {
            case UINT64, FIXED64 -> 0L;
            case UINT32, INT32, FIXED32 -> 0;
            case BOOL -> false;
            case STRING -> "";
            case BYTES -> ByteString.EMPTY;
        };
    }

    Object read(CodedInputStream in) throws IOException {
        return switch (this) {
            case UINT64 -> in.readUInt64();
            case FIXED64 -> in.readFixed64();
            case UINT32 -> in.readUInt32();
            case INT32 -> in.readInt32();
            case FIXED32 -> in.readFixed32();
            case BOOL -> in.readBool();
            case STRING -> in.readStringRequireUtf8();
            case BYTES -> in.readBytes();
        };
    }

    void write(CodedOutputStream out, int number, Object value) throws IOException {
        switch (this) {
            case UINT64 -> out.writeUInt64(number, (long) value);
            case FIXED64 -> out.writeFixed64(number, (long) value);
            case UINT32 -> out.writeUInt32(number, (int) value);
            case INT32 -> out.writeInt32(number, (int) value);
            case FIXED32 -> out.writeFixed32(number, (int) value);
            case BOOL -> out.writeBool(number, (boolean) value);
            case STRING -> out.writeString(number, (String) value);
            case BYTES -> out.writeBytes(number, (ByteString) value);
        }
    }
}
