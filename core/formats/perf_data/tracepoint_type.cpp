// Makes the structure type of a tracepoint's record.
#include "core/formats/perf_data/tracing_data.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace helio::perf {
namespace {

constexpr std::uint32_t LargestRecord = 1 << 16;

bool isNumberSize(std::uint32_t size) { return size == 1 || size == 2 || size == 4 || size == 8; }

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
            return located(type);
        if (field.isArray || !isNumberSize(field.size))
            return array(field);
        return integer(field.size, field.isSigned, type.ends_with('*') ? DisplayBase::Hexadecimal : DisplayBase::Decimal);
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

    /// Returns the type of a field like "__data_loc char[]" or "__rel_loc unsigned long[]".
    FieldTypePtr located(std::string_view type) const
    {
        DataLocType shape;
        shape.isRelative = type.starts_with("__rel_loc");
        shape.order = m_data.order;
        type.remove_prefix(std::min(type.find(' ') + 1, type.size()));
        type = type.substr(0, type.find('['));
        while (type.ends_with(' '))
            type.remove_suffix(1);
        shape.element = element(type, false, elementSize(type));
        return makeType(std::move(shape));
    }

    const TracingData& m_data;
};

/// Returns hidden bytes between two fields.
Member padding(std::uint32_t bytes) { return {{}, makeType(ArrayType{makeType(IntegerType{}), bytes}), true}; }

} // namespace

FieldTypePtr makeTracepointType(const Tracepoint& tracepoint, const TracingData& data)
{
    std::vector<const TracepointField*> fields;
    for (const TracepointField& field : tracepoint.fields)
        if (field.size > 0 && field.size <= LargestRecord && field.offset <= LargestRecord)
            fields.push_back(&field);
    std::stable_sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) { return a->offset < b->offset; });
    const TypeMaker types(data);
    StructType record;
    std::uint32_t at = 0;
    for (const TracepointField* field : fields) {
        if (field->offset < at)
            continue;
        if (field->offset > at)
            record.members.push_back(padding(field->offset - at));
        record.members.push_back({field->name, types.typeOf(*field)});
        at = field->offset + field->size;
    }
    return makeType(std::move(record));
}

} // namespace helio::perf
