#include "core/experiment/timeline.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace helio::sql {
namespace {

struct MetadataRow {
    std::string name;
    std::variant<std::int64_t, std::string> value;
    std::int64_t trace = 0;
    std::int64_t host = 0;
    std::int64_t id = 0;
};

/// Keys under which traces have facts that the tables of the field give another name.
struct NamedFact {
    const char* name;
    std::array<const char*, 3> keys; ///< Keys of TraceInfo::environment, the best first; nullptr fills the rest.
};
constexpr std::array NamedFacts{
    NamedFact{"system_name", {"sysname", nullptr, nullptr}},
    NamedFact{"system_release", {"kernel_release", "release", nullptr}},
    NamedFact{"system_version", {"kernel_version", "version", nullptr}},
    NamedFact{"system_machine", {"machine", "architecture", "arch"}},
};

std::string findFact(const TraceInfo& info, const NamedFact& fact)
{
    for (const char* key : fact.keys)
        if (std::string text = key ? info.text(key) : std::string(); !text.empty())
            return text;
    return {};
}

std::vector<MetadataRow> metadataOf(const Timeline& timeline)
{
    std::vector<MetadataRow> rows;
    for (std::size_t i = 0; i < timeline.traces.size(); ++i) {
        const TraceInfo& info = timeline.traces[i].trace->info();
        const auto add = [&](const std::string& name, std::variant<std::int64_t, std::string> value) {
            rows.push_back(
                {name, std::move(value), static_cast<std::int64_t>(i), timeline.traces[i].host, static_cast<std::int64_t>(rows.size())});
        };
        add("trace_name", info.name);
        add("trace_type", info.format);
        add("trace_size_bytes", static_cast<std::int64_t>(info.bytes));
        add("clock_name", info.clock.name);
        if (!info.uuid.empty())
            add("trace_uuid", info.uuid);
        for (const NamedFact& fact : NamedFacts)
            if (std::string text = findFact(info, fact); !text.empty())
                add(fact.name, std::move(text));
        for (const auto& [key, value] : info.environment)
            add(key, value);
        if (!info.hostname.empty() && !info.find("hostname"))
            add("hostname", info.hostname);
    }
    return rows;
}

std::unique_ptr<Table> makeMetadata(const Recording& recording)
{
    std::vector<ListColumn<MetadataRow>> columns;
    columns.push_back({{"id", ColumnType::Integer, Search::Equal, true},
                       [](const MetadataRow& row, ValueSink sink) { sink.integer(row.id); },
                       [](const MetadataRow& row) { return row.id; }});
    columns.push_back({{"name", ColumnType::Text}, [](const MetadataRow& row, ValueSink sink) { sink.text(row.name); }});
    columns.push_back({{"key_type", ColumnType::Text}, [](const MetadataRow&, ValueSink sink) { sink.text("single"); }});
    columns.push_back({{"int_value"}, [](const MetadataRow& row, ValueSink sink) {
                           if (const auto* number = std::get_if<std::int64_t>(&row.value))
                               sink.integer(*number);
                       }});
    columns.push_back({{"str_value", ColumnType::Text}, [](const MetadataRow& row, ValueSink sink) {
                           if (const auto* text = std::get_if<std::string>(&row.value))
                               sink.text(*text);
                       }});
    columns.push_back({{"machine_id"}, [](const MetadataRow& row, ValueSink sink) { sink.integer(row.host); }});
    columns.push_back({{"trace_id"}, [](const MetadataRow& row, ValueSink sink) { sink.integer(row.trace); }});
    return std::make_unique<ListTable<MetadataRow>>(std::move(columns), 20,
                                                    [recording](const std::stop_token&) { return metadataOf(recording.timeline()); });
}

} // namespace

extern const TableFactory metadataTable;
const TableFactory metadataTable{"metadata", makeMetadata};

} // namespace helio::sql
