#include "core/sql/engine/list_table.h"
#include "core/sql/tables/table_factory.h"

namespace helio::sql {
namespace {

std::unique_ptr<Table> makeCpus(const Recording& recording)
{
    const auto ucpu = [](const CpuEntry& cpu) { return cpuId(cpu.host, cpu.cpu); };
    const auto writeUcpu = [ucpu](const CpuEntry& cpu, ValueSink sink) { sink.integer(ucpu(cpu)); };
    const auto writeNull = [](const CpuEntry&, ValueSink) {}; // Not recorded by any format that is read.
    std::vector<ListColumn<CpuEntry>> columns;
    columns.push_back({{"id", ColumnType::Integer, Search::Equal, true}, writeUcpu, ucpu});
    columns.push_back({{"ucpu", ColumnType::Integer, Search::Equal, true}, writeUcpu, ucpu});
    columns.push_back({{"cpu"}, [](const CpuEntry& cpu, ValueSink sink) { sink.integer(cpu.cpu); }});
    columns.push_back({{"cluster_id"}, writeNull});
    columns.push_back({{"processor", ColumnType::Text}, writeNull});
    columns.push_back({{"machine_id"}, [](const CpuEntry& cpu, ValueSink sink) { sink.integer(cpu.host); }});
    columns.push_back({{"capacity"}, writeNull});
    columns.push_back({{"arg_set_id"}, writeNull});
    return std::make_unique<ListTable<CpuEntry>>(std::move(columns), static_cast<double>(recording.things->cpus().size()),
                                                 [recording](const std::stop_token&) { return recording.things->cpus(); });
}

} // namespace

extern const TableFactory cpuTable;
const TableFactory cpuTable{"cpu", makeCpus};

} // namespace helio::sql
