#include "core/sql/engine/numbered_table.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum MappingColumn : int {
    MappingId,
    MappingBuildId,
    MappingExactOffset,
    MappingStartOffset,
    MappingStart,
    MappingEnd,
    MappingLoadBias,
    MappingName
};

constexpr std::array MappingColumns{
    Column{"id", ColumnType::Integer, Search::Ordered, true},
    Column{"build_id", ColumnType::Text},
    Column{"exact_offset"},
    Column{"start_offset"},
    Column{"start"},
    Column{"end"},
    Column{"load_bias"},
    Column{"name", ColumnType::Text},
};

/// The modules in which the frames of call stacks are. A module has one row for all processes, so addresses in memory are known only for
/// the kernel's.
class MappingTable final : public NumberedTable {
public:
    explicit MappingTable(const Recording& recording)
        : m_stacks(recording.stacks)
    {
    }

    std::span<const Column> columns() const override { return MappingColumns; }
    double estimatedRows() const override { return 100; }

private:
    std::uint64_t countRows(const Filter& filter) const override
    {
        return m_stacks->prepare(filter.stop()) ? m_stacks->mappings().size() : 0;
    }

    void write(std::uint64_t row, int column, ValueSink sink) const override
    {
        if (column == MappingId)
            return sink.integer(static_cast<std::int64_t>(row));
        const MappedModule& mapped = m_stacks->mappings()[row];
        const Module* const module = m_stacks->moduleOf(mapped.store, mapped.module);
        if (!module)
            return;
        const bool isInMemory = module->isKernel() && module->begin > 0;
        switch (column) {
        case MappingBuildId: return sink.textOrNull(module->buildId);
        case MappingStart:
            if (isInMemory)
                sink.integer(static_cast<std::int64_t>(module->begin));
            return;
        case MappingEnd:
            if (isInMemory && module->size > 0)
                sink.integer(static_cast<std::int64_t>(module->begin + module->size));
            return;
        case MappingName: return sink.textOrNull(module->path);
        default: return;
        }
    }

    std::shared_ptr<const RecordedStacks> m_stacks;
};

} // namespace

extern const TableFactory stackProfileMappingTable;
const TableFactory stackProfileMappingTable{"stack_profile_mapping", [](const Recording& recording) -> std::unique_ptr<Table> {
                                                return std::make_unique<MappingTable>(recording);
                                            }};

} // namespace helio::sql
