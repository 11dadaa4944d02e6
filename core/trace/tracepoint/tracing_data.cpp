#include "core/trace/tracepoint/tracing_data.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace helio::tracepoint {
namespace {

constexpr std::string_view Begin{"\x17\x08\x44tracing", 10};
constexpr std::size_t MaxFields = 1000; ///< Limit of the number of fields of one tracepoint; kernels have a few dozen.
constexpr std::size_t MaxTracepoints = 100'000;
constexpr std::size_t LongestFormat = 64 << 10; ///< Maximum size in bytes of a tracepoint's format file; real ones have at most some KB.

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::uint64_t number(std::string_view text)
{
    std::uint64_t value = 0;
    text = trimmed(text);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// Parses a declaration such as "unsigned long args[6]", "__data_loc char[] name" or "struct page *page". The name is the last word before
/// the brackets.
void takeDeclaration(std::string_view text, TracepointField& field)
{
    text = trimmed(text);
    if (text.ends_with(']')) {
        field.isArray = true;
        text = trimmed(text.substr(0, text.rfind('[')));
    }
    const std::size_t before = text.find_last_of(" *]");
    field.name = text.substr(before == std::string_view::npos ? 0 : before + 1);
    field.type = before == std::string_view::npos ? std::string_view() : trimmed(text.substr(0, before + 1));
}

/// Parses a line such as "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;". Returns false if the line is not a field.
bool takeField(std::string_view line, TracepointField& field)
{
    bool isField = false;
    while (!line.empty()) {
        const std::size_t end = std::min(line.find(';'), line.size());
        const std::string_view part = trimmed(line.substr(0, end));
        line.remove_prefix(std::min(end + 1, line.size()));
        const std::size_t colon = part.find(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string_view key = part.substr(0, colon);
        const std::string_view value = part.substr(colon + 1);
        if (key == "field") {
            takeDeclaration(value, field);
            isField = !field.name.empty();
        } else if (key == "offset") {
            field.offset = static_cast<std::uint32_t>(number(value));
        } else if (key == "size") {
            field.size = static_cast<std::uint32_t>(number(value));
        } else if (key == "signed") {
            field.isSigned = number(value) != 0;
        }
    }
    return isField;
}

/// Skips a text that is not needed: a 64-bit length and then its bytes.
void skipText(BinaryReader& cursor) { cursor.skip(cursor.u64()); }

void takeFormat(BinaryReader& cursor, std::string_view system, TracingData& data)
{
    Tracepoint tracepoint;
    tracepoint.system = system;
    const std::string_view text = cursor.text(cursor.u64());
    const std::uint64_t id = parseFormat(text, tracepoint);
    if (text.size() <= LongestFormat)
        tracepoint.format = text;
    if (!cursor.isCut() && !tracepoint.name.empty())
        data.tracepoints.insert_or_assign(id, std::move(tracepoint));
}

void takeSystem(BinaryReader& cursor, TracingData& data)
{
    const std::string_view system = cursor.line();
    const std::uint32_t count = cursor.u32();
    for (std::uint32_t i = 0; i < count && !cursor.isCut() && data.tracepoints.size() < MaxTracepoints; ++i)
        takeFormat(cursor, system, data);
}

constexpr std::uint32_t LargestRecord = 1 << 16;

bool isNumberSize(std::uint32_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

/// True for pointers, and for the addresses of code in the events of ftrace's own tracers.
bool isAddress(const TracepointField& field)
{
    const bool isCode = field.name == "ip" || field.name == "parent_ip" || field.name == "func" || field.name == "__probe_ip";
    return field.type.ends_with('*') || (isCode && !field.isSigned && field.type.find("long") != std::string::npos);
}

class TypeMaker {
public:
    explicit TypeMaker(const TracingData& data)
        : m_data(data)
    {
    }

    FieldTypePtr typeOf(const TracepointField& field) const
    {
        const std::string_view type = field.type;
        if (field.size == 4 && (type.starts_with("__data_loc") || type.starts_with("__rel_loc")))
            return located(type, field.isSigned);
        if (field.isArray || !isNumberSize(field.size))
            return array(field);
        return integer(field.size, field.isSigned, isAddress(field) ? DisplayBase::Hexadecimal : DisplayBase::Decimal);
    }

    /// Returns the type of a list of addresses, as many as the field "size" says.
    FieldTypePtr stackOf() const
    {
        return makeType(SequenceType{integer(m_data.longSize == 4 ? 4 : 8, false, DisplayBase::Hexadecimal), {Section::Payload, {"size"}}});
    }

private:
    FieldTypePtr integer(std::uint32_t bytes, bool isSigned, DisplayBase base = DisplayBase::Decimal) const
    {
        IntegerType number;
        number.bits = static_cast<std::uint8_t>(bytes * 8);
        number.isSigned = isSigned;
        number.order = m_data.order;
        number.base = base;
        return makeType(number);
    }

    FieldTypePtr element(std::string_view type, bool isSigned, std::uint32_t size) const
    {
        if (type != "char" && type != "const char")
            return integer(size, isSigned);
        IntegerType character;
        character.order = m_data.order;
        character.encoding = TextEncoding::Utf8;
        return makeType(character);
    }

    /// Returns the size in bytes of one element; 1 if the type is not a known number type of the kernel.
    std::uint32_t elementSize(std::string_view type) const
    {
        const auto names = [&](std::string_view part) { return type.find(part) != std::string_view::npos; };
        if (type.ends_with('*') || (names("long") && !names("long long")))
            return m_data.longSize == 4 ? 4 : 8;
        if (names("64") || names("long long") || names("loff_t"))
            return 8;
        if (names("16") || names("short"))
            return 2;
        if (names("u8") || names("s8") || names("int8"))
            return 1;
        if (names("32") || names("int") || names("pid_t") || names("unsigned") || names("dev_t"))
            return names("char") ? 1 : 4;
        return 1;
    }

    FieldTypePtr array(const TracepointField& field) const
    {
        std::uint32_t size = elementSize(field.type);
        if (field.size % size != 0)
            size = 1;
        return makeType(ArrayType{element(field.type, field.isSigned, size), field.size / size});
    }

    /// Returns the type of a field such as "__data_loc char[]" or "__rel_loc unsigned long[]".
    FieldTypePtr located(std::string_view type, bool isSigned) const
    {
        DataLocType shape;
        shape.isRelative = type.starts_with("__rel_loc");
        shape.order = m_data.order;
        type.remove_prefix(std::min(type.find(' ') + 1, type.size()));
        type = type.substr(0, type.find('['));
        while (type.ends_with(' '))
            type.remove_suffix(1);
        shape.element = element(type, isSigned, elementSize(type));
        return makeType(std::move(shape));
    }

    const TracingData& m_data;
};

/// Returns a hidden member for the bytes between two fields.
Member padding(std::uint32_t bytes) { return {{}, makeType(ArrayType{makeType(IntegerType{}), bytes}), true}; }

bool isInRecord(const TracepointField& field) { return field.size > 0 && field.size <= LargestRecord && field.offset <= LargestRecord; }

/// True for a text that ends where the record ends, e.g. "char buf[]" of the event "print". The same field of "raw_data" is binary.
bool isTailText(const Tracepoint& tracepoint, const TracepointField& field)
{
    return tracepoint.name != "raw_data" && field.size == 0 && field.isArray && field.offset <= LargestRecord
        && (field.type == "char" || field.type == "const char");
}

/// True for the addresses of the event "kernel_stack" of ftrace. Its format file says 8 of them, but its field "size" says how many there
/// are.
bool isCountedStack(const Tracepoint& tracepoint, const TracepointField& field)
{
    return tracepoint.system == "ftrace" && field.name == "caller" && field.isArray
        && std::ranges::any_of(tracepoint.fields, [](const TracepointField& other) { return other.name == "size"; });
}

FieldTypePtr makeRecordType(const Tracepoint& tracepoint, std::vector<const TracepointField*> fields, const TracingData& data,
                            bool hidesCommon)
{
    std::stable_sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) { return a->offset < b->offset; });
    const TypeMaker types(data);
    StructType record;
    std::uint32_t at = 0;
    for (const TracepointField* field : fields) {
        if (field->offset < at)
            continue;
        if (field->offset > at)
            record.members.push_back(padding(field->offset - at));
        const bool isHidden = hidesCommon && field->isCommon();
        FieldTypePtr type = isTailText(tracepoint, *field) ? makeType(StringType{})
            : isCountedStack(tracepoint, *field)           ? types.stackOf()
                                                           : types.typeOf(*field);
        record.members.push_back({field->name, std::move(type), isHidden});
        at = field->offset + field->size;
    }
    return makeType(std::move(record));
}

} // namespace

std::uint64_t parseFormat(std::string_view text, Tracepoint& tracepoint)
{
    std::uint64_t id = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        TracepointField field;
        if (line.starts_with("name:"))
            tracepoint.name = trimmed(line.substr(5));
        else if (line.starts_with("ID:"))
            id = number(line.substr(3));
        else if (line.starts_with("print fmt:"))
            break;
        else if (line.starts_with("field:") && tracepoint.fields.size() < MaxFields && takeField(line, field))
            tracepoint.fields.push_back(std::move(field));
    }
    return id;
}

void readPageHeader(BinaryReader& reader, TracingData& data)
{
    reader.line(); // Skips the name "header_page".
    Tracepoint header;
    parseFormat(reader.text(reader.u64()), header);
    constexpr std::uint32_t LargestHeader = 256; // A header has 16 bytes. The limit keeps all sums of offsets small.
    for (const TracepointField& field : header.fields) {
        if (field.offset > LargestHeader)
            continue;
        if (field.name == "commit" && isNumberSize(field.size) && field.size >= 4) {
            data.page.commitOffset = field.offset;
            data.page.commitSize = field.size;
        } else if (field.name == "data") {
            data.page.dataOffset = field.offset;
        }
    }
    reader.line(); // Skips the name "header_event".
    skipText(reader);
}

void readFtraceFormats(BinaryReader& reader, TracingData& data)
{
    const std::uint32_t count = reader.u32();
    for (std::uint32_t i = 0; i < count && !reader.isCut() && data.tracepoints.size() < MaxTracepoints; ++i)
        takeFormat(reader, "ftrace", data);
}

void readEventFormats(BinaryReader& reader, TracingData& data)
{
    const std::uint32_t systems = reader.u32();
    for (std::uint32_t i = 0; i < systems && !reader.isCut(); ++i)
        takeSystem(reader, data);
}

void readSymbols(BinaryReader& reader, TracingData& data) { data.symbols = reader.text(reader.u32()); }
void readPrintkFormats(BinaryReader& reader, TracingData& data) { data.printkFormats = reader.text(reader.u32()); }
void readCommandLines(BinaryReader& reader, TracingData& data) { data.commandLines = reader.text(reader.u64()); }

TracingData parseTracingData(std::span<const std::byte> bytes, std::uint64_t* end)
{
    TracingData data;
    BinaryReader reader(bytes, ByteOrder::Little);
    const auto begin = reader.bytes(Begin.size());
    data.isDamaged = std::string_view(reinterpret_cast<const char*>(begin.data()), begin.size()) != Begin;
    if (data.isDamaged)
        return data;
    const std::string_view version = reader.line();
    data.order = reader.u8() != 0 ? ByteOrder::Big : ByteOrder::Little;
    reader.setOrder(data.order);
    data.longSize = reader.u8();
    data.pageSize = reader.u32();
    readPageHeader(reader, data);
    readFtraceFormats(reader, data);
    readEventFormats(reader, data);
    data.isDamaged = reader.isCut();
    readSymbols(reader, data);
    readPrintkFormats(reader, data);
    if (version >= "0.6")
        readCommandLines(reader, data);
    if (end)
        *end = reader.isCut() ? bytes.size() : reader.position();
    return data;
}

std::uint32_t minRecordSize(const Tracepoint& tracepoint)
{
    std::uint64_t size = 0;
    for (const TracepointField& field : tracepoint.fields)
        if (!isCountedStack(tracepoint, field))
            size = std::max(size, std::uint64_t{field.offset} + field.size);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, LargestRecord));
}

FieldTypePtr makeTracepointType(const Tracepoint& tracepoint, const TracingData& data)
{
    std::vector<const TracepointField*> fields;
    for (const TracepointField& field : tracepoint.fields)
        if (isInRecord(field))
            fields.push_back(&field);
    return makeRecordType(tracepoint, std::move(fields), data, false);
}

FieldTypePtr makeOwnFieldsType(const Tracepoint& tracepoint, const TracingData& data)
{
    std::vector<const TracepointField*> fields;
    for (const TracepointField& field : tracepoint.fields)
        if (isInRecord(field) || isTailText(tracepoint, field) || isCountedStack(tracepoint, field))
            fields.push_back(&field);
    return makeRecordType(tracepoint, std::move(fields), data, true);
}

FieldTypePtr makeCommonFieldsType(const Tracepoint& tracepoint, const TracingData& data)
{
    std::vector<TracepointField> renamed;
    for (const TracepointField& field : tracepoint.fields) {
        if (!field.isCommon() || field.name == "common_type" || !isInRecord(field))
            continue;
        renamed.push_back(field);
        renamed.back().name = field.name == "common_pid" ? "tid" : field.name.substr(std::string_view("common_").size());
    }
    std::vector<const TracepointField*> fields;
    for (const TracepointField& field : renamed)
        fields.push_back(&field);
    return makeRecordType(tracepoint, std::move(fields), data, false);
}

} // namespace helio::tracepoint
