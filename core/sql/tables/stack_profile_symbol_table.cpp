#include "core/sql/engine/numbered_table.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum SymbolColumn : int { SymbolId, SymbolSet, SymbolName, SymbolFile, SymbolLine, SymbolInlined };

constexpr std::array SymbolColumns{
    Column{"id", ColumnType::Integer, Search::Ordered, true},
    Column{"symbol_set_id", ColumnType::Integer, Search::Equal},
    Column{"name", ColumnType::Text},
    Column{"source_file", ColumnType::Text},
    Column{"line_number"},
    Column{"inlined"},
};

/// The functions at each frame: the function that was compiled, and those that were inlined into it, innermost first. Frames without a
/// name have no rows.
class SymbolTable final : public NumberedTable {
public:
    explicit SymbolTable(const Recording& recording)
        : m_stacks(recording.stacks)
    {
    }

    std::span<const Column> columns() const override { return SymbolColumns; }
    double estimatedRows() const override { return static_cast<double>(m_stacks->estimatedCallSites()) / 4; }

private:
    std::uint64_t countRows(const Filter& filter) const override
    {
        const StackNames* const names = m_stacks->names(filter.stop());
        return names ? names->frames.size() : 0;
    }

    IntegerRange wantedRows(const Filter& filter) const override
    {
        IntegerRange rows = filter.range(SymbolId);
        const auto set = filter.equal(SymbolSet);
        if (!set)
            return rows;
        const auto frame = *set >= 0 ? m_stacks->frameOfSymbol(static_cast<std::uint64_t>(*set)) : std::nullopt;
        if (!frame || m_stacks->symbolSetOf(*frame) != *set)
            return {1, 0};
        rows.lowest = std::max(rows.lowest, *set);
        rows.highest = std::min(rows.highest, *set + static_cast<std::int64_t>(m_stacks->names()->framesOf(*frame).size()) - 1);
        return rows;
    }

    bool exists(std::uint64_t row) const override
    {
        const auto frame = m_stacks->frameOfSymbol(row);
        return frame && m_stacks->symbolSetOf(*frame);
    }

    void write(std::uint64_t row, int column, ValueSink sink) const override
    {
        const StackNames& names = *m_stacks->names();
        const auto frame = m_stacks->frameOfSymbol(row);
        if (!frame)
            return;
        const NamedFrame& named = names.frames[row];
        switch (column) {
        case SymbolId: return sink.integer(static_cast<std::int64_t>(row));
        case SymbolSet: return sink.id(m_stacks->symbolSetOf(*frame).value_or(-1));
        case SymbolName: return sink.textOrNull(RecordedStacks::nameOf(names.functions[static_cast<std::size_t>(named.function)]));
        case SymbolFile: return sink.textOrNull(m_stacks->sourceOf(*frame, row - names.firstFrame[*frame]).file);
        case SymbolLine:
            if (const std::uint32_t line = m_stacks->sourceOf(*frame, row - names.firstFrame[*frame]).line; line > 0)
                sink.integer(line);
            return;
        case SymbolInlined: return sink.integer(named.isInlined ? 1 : 0);
        default: return;
        }
    }

    std::shared_ptr<const RecordedStacks> m_stacks;
};

} // namespace

extern const TableFactory stackProfileSymbolTable;
const TableFactory stackProfileSymbolTable{
    "stack_profile_symbol", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<SymbolTable>(recording); }};

} // namespace helio::sql
