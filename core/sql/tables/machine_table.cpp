#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <string>

namespace helio::sql {
namespace {

struct MachineRow {
    HostId host = 0;
    std::string sysname;
    std::string release;
    std::string version;
    std::string arch;
    std::int64_t cpus = 0;
};

/// Returns the first of the texts that any trace of the host has under one of the keys; empty if none has.
template <std::size_t N> std::string findText(const Timeline& timeline, HostId host, const std::array<const char*, N>& keys)
{
    for (const TimelineTrace& trace : timeline.traces)
        for (const char* key : keys)
            if (std::string text = trace.host == host ? trace.trace->info().text(key) : std::string(); !text.empty())
                return text;
    return {};
}

std::vector<MachineRow> machinesOf(const Recording& recording)
{
    const Timeline& timeline = recording.timeline();
    std::vector<MachineRow> rows;
    for (HostId host = 0; host < timeline.hosts.size(); ++host) {
        MachineRow row;
        row.host = host;
        row.sysname = findText(timeline, host, std::array{"sysname"});
        row.release = findText(timeline, host, std::array{"kernel_release", "release"});
        row.version = findText(timeline, host, std::array{"kernel_version", "version"});
        row.arch = findText(timeline, host, std::array{"machine", "architecture", "arch"});
        for (const CpuEntry& cpu : recording.things->cpus())
            row.cpus += cpu.host == host;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::unique_ptr<Table> makeMachines(const Recording& recording)
{
    const auto writeId = [](const MachineRow& row, ValueSink sink) { sink.integer(row.host); };
    const auto textWriter = [](std::string MachineRow::*text) {
        return [text](const MachineRow& row, ValueSink sink) { sink.textOrNull(row.*text); };
    };
    std::vector<ListColumn<MachineRow>> columns;
    columns.push_back({{"id"}, writeId});
    columns.push_back({{"raw_id"}, writeId});
    columns.push_back({{"sysname", ColumnType::Text}, textWriter(&MachineRow::sysname)});
    columns.push_back({{"release", ColumnType::Text}, textWriter(&MachineRow::release)});
    columns.push_back({{"version", ColumnType::Text}, textWriter(&MachineRow::version)});
    columns.push_back({{"arch", ColumnType::Text}, textWriter(&MachineRow::arch)});
    columns.push_back({{"num_cpus"}, [](const MachineRow& row, ValueSink sink) { sink.integer(row.cpus); }});
    return std::make_unique<ListTable<MachineRow>>(std::move(columns), static_cast<double>(recording.timeline().hosts.size()),
                                                   [recording](const std::stop_token&) { return machinesOf(recording); });
}

} // namespace

extern const TableFactory machineTable;
const TableFactory machineTable{"machine", makeMachines};

} // namespace helio::sql
