#include "core/sql/model/arguments.h"

#include "core/sql/model/argument_sets.h"

#include <charconv>
#include <utility>

namespace helio::sql {
namespace {

/// Appends a field, or each member of a field with members, as rows.
class ArgumentFlattener {
public:
    ArgumentFlattener(std::int64_t set, std::vector<ArgumentRow>& rows)
        : m_set(set)
        , m_rows(rows)
    {
    }

    void add(const std::string& key, const std::string& flatKey, const FieldValue& field)
    {
        if (const auto* members = std::get_if<std::vector<NamedValue>>(&field.value)) {
            for (const NamedValue& member : *members)
                add(key + '.' + member.name, flatKey + '.' + member.name, member.value);
            return;
        }
        if (const auto* elements = std::get_if<std::vector<FieldValue>>(&field.value)) {
            for (std::size_t i = 0; i < elements->size(); ++i)
                add(key + '[' + std::to_string(i) + ']', flatKey, (*elements)[i]);
            return;
        }
        ArgumentRow row{m_set, key, flatKey, {}, "null", displayText(field)};
        std::visit([&row](const auto& value) { setValue(row, value); }, field.value);
        m_rows.push_back(std::move(row));
    }

private:
    static void setValue(ArgumentRow& row, std::int64_t value) { set(row, value, "int"); }
    static void setValue(ArgumentRow& row, std::uint64_t value) { set(row, static_cast<std::int64_t>(value), "uint"); }
    static void setValue(ArgumentRow& row, double value) { set(row, value, "real"); }
    static void setValue(ArgumentRow& row, bool value) { set(row, std::int64_t{value}, "bool"); }
    static void setValue(ArgumentRow& row, const std::string& value) { set(row, value, "string"); }
    static void setValue(ArgumentRow& row, const EnumValue& value)
    {
        if (value.labels.empty())
            set(row, value.number, value.isSigned ? "int" : "uint");
        else
            set(row, value.labels.front(), "string");
    }
    template <typename Other> static void setValue(ArgumentRow&, const Other&) { }

    static void set(ArgumentRow& row, Value value, std::string_view type)
    {
        row.value = std::move(value);
        row.type = type;
    }

    std::int64_t m_set;
    std::vector<ArgumentRow>& m_rows;
};

/// Returns a text as the integer that it is the decimal form of; the text itself if it is none.
Value integerOrText(const std::string& text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && std::to_string(number) == text ? Value(number) : Value(text);
}

} // namespace

Arguments::Arguments(std::shared_ptr<const Slices> slices)
    : m_slices(std::move(slices))
    , m_events(m_slices->things().sharedTimeline())
{
}

const std::vector<ArgumentRow>& Arguments::of(std::int64_t set, const std::stop_token& stop)
{
    if (set == m_set)
        return m_rows;
    m_rows.clear();
    m_set = set;
    if (set >= 0 && ownerOf(set) == ArgumentOwner::Event)
        readEvent(set, stop);
    else if (set >= 0)
        readSlice(set, stop);
    if (stop.stop_requested())
        m_set = -1; // The rows may be incomplete.
    return m_rows;
}

void Arguments::readEvent(std::int64_t set, const std::stop_token& stop)
{
    ArgumentFlattener flattener(set, m_rows);
    for (const EventRow& event : m_events.rows(static_cast<std::uint64_t>(ownerRowOf(set)), 1, stop)) {
        for (const NamedValue& field : event.fields)
            flattener.add(field.name, field.name, field.value);
        for (const NamedValue& field : event.context)
            flattener.add("context." + field.name, "context." + field.name, field.value);
    }
}

void Arguments::readSlice(std::int64_t set, const std::stop_token& stop)
{
    const auto slice = m_slices->find(ownerRowOf(set));
    if (!slice)
        return;
    if (m_slices->isSystemCall(*slice)) {
        ArgumentFlattener flattener(set, m_rows);
        for (const NamedValue& field : m_slices->systemCallFieldsOf(*slice, stop))
            flattener.add(field.name, field.name, field.value);
        return;
    }
    for (const Slices::Argument& argument : m_slices->argumentsOf(*slice, stop)) {
        const Value value = integerOrText(argument.value);
        const bool isText = std::holds_alternative<std::string>(value);
        m_rows.push_back({set, argument.key, argument.key, value, isText ? "string" : "int", argument.value});
    }
}

} // namespace helio::sql
