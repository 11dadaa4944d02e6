#include "core/sql/engine/numbered_table.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum FrameColumn : int { FrameId, FrameName, FrameMapping, FrameRelPc, FrameSymbols, FrameDeobfuscatedName, FrameType, FrameProblem };

constexpr std::array FrameColumns{
    Column{"id", ColumnType::Integer, Search::Ordered, true},
    Column{"name", ColumnType::Text},
    Column{"mapping"},
    Column{"rel_pc"},
    Column{"symbol_set_id"},
    Column{"deobfuscated_name", ColumnType::Text},
    Column{"type", ColumnType::Text},
    Column{"problem", ColumnType::Text, Search::None, false, ColumnRole::Hidden},
};

/// Returns the kind of code of a function as the tables of the field name it; empty if it is unknown. `hasAddresses` is false if the
/// recording has only names, which may be those of interpreted code.
std::string_view typeOf(CodeKind code, bool hasAddresses)
{
    switch (code) {
    case CodeKind::User:
    case CodeKind::Library:
    case CodeKind::Vdso: return hasAddresses ? "native" : "";
    case CodeKind::Jit: return "jit";
    case CodeKind::Kernel:
    case CodeKind::KernelModule: return "kernel";
    case CodeKind::Unknown:
    case CodeKind::Thread:
    case CodeKind::Guest: return {};
    }
    return {};
}

/// The places in code at which the frames of call stacks are.
class FrameTable final : public NumberedTable {
public:
    explicit FrameTable(const Recording& recording)
        : m_stacks(recording.stacks)
    {
    }

    std::span<const Column> columns() const override { return FrameColumns; }
    double estimatedRows() const override { return static_cast<double>(m_stacks->estimatedCallSites()) / 4; }

private:
    std::uint64_t countRows(const Filter& filter) const override
    {
        const bool wantsNames =
            filter.reads(FrameName) || filter.reads(FrameSymbols) || filter.reads(FrameType) || filter.reads(FrameProblem);
        if (!m_stacks->prepare(filter.stop()) || (wantsNames && !m_stacks->names(filter.stop())))
            return 0;
        return m_stacks->frames().size() - 1;
    }

    void write(std::uint64_t row, int column, ValueSink sink) const override
    {
        const auto frame = static_cast<std::uint32_t>(row + 1);
        switch (column) {
        case FrameId: return sink.integer(RecordedStacks::frameId(frame));
        case FrameName:
            if (const SampledFunction* const function = m_stacks->functionOf(frame))
                sink.textOrNull(RecordedStacks::nameOf(*function));
            return;
        case FrameMapping: return sink.integer(m_stacks->mappingOf(m_stacks->frames()[frame]));
        case FrameRelPc:
            if (const CollectedNode& node = m_stacks->frames()[frame]; hasAddress(node))
                sink.integer(static_cast<std::int64_t>(node.frame.address));
            return;
        case FrameSymbols: return sink.id(m_stacks->symbolSetOf(frame).value_or(-1));
        case FrameType:
            if (const SampledFunction* const function = m_stacks->functionOf(frame))
                sink.textOrNull(typeOf(function->code, hasAddress(m_stacks->frames()[frame])));
            return;
        case FrameProblem:
            if (const SampledFunction* const function = m_stacks->functionOf(frame); function && function->name.empty())
                sink.textOrNull(function->modulePath.empty() ? function->problem : function->modulePath + ": " + function->problem);
            return;
        default: return;
        }
    }

    /// False if the recording has only the name of the code.
    bool hasAddress(const CollectedNode& node) const
    {
        const Module* const module = m_stacks->moduleOf(node.store, node.frame.module);
        return !module || !module->names;
    }

    std::shared_ptr<const RecordedStacks> m_stacks;
};

} // namespace

extern const TableFactory stackProfileFrameTable;
const TableFactory stackProfileFrameTable{
    "stack_profile_frame", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<FrameTable>(recording); }};

} // namespace helio::sql
