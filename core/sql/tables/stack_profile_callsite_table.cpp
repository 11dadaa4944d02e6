#include "core/sql/engine/numbered_table.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum SiteColumn : int { SiteId, SiteDepth, SiteParent, SiteFrame };

constexpr std::array SiteColumns{
    Column{"id", ColumnType::Integer, Search::Ordered, true},
    Column{"depth"},
    Column{"parent_id", ColumnType::Integer, Search::Equal},
    Column{"frame_id"},
};

/// The frames of all call stacks, each with its callers.
class CallSiteTable final : public NumberedTable {
public:
    explicit CallSiteTable(const Recording& recording)
        : m_stacks(recording.stacks)
    {
    }

    std::span<const Column> columns() const override { return SiteColumns; }
    double estimatedRows() const override { return static_cast<double>(m_stacks->estimatedCallSites()); }

private:
    std::uint64_t countRows(const Filter& filter) const override { return m_stacks->prepare(filter.stop()) ? m_stacks->callSites() : 0; }

    std::optional<std::vector<std::uint64_t>> listRows(const Filter& filter) const override
    {
        const auto parent = filter.equal(SiteParent);
        return parent ? std::optional(m_stacks->calledFrom(*parent)) : std::nullopt;
    }

    void write(std::uint64_t row, int column, ValueSink sink) const override
    {
        const CallSite site = m_stacks->callSite(row);
        switch (column) {
        case SiteId: return sink.integer(static_cast<std::int64_t>(row));
        case SiteDepth: return sink.integer(site.depth);
        case SiteParent: return sink.id(site.parent.value_or(-1));
        case SiteFrame: return sink.integer(RecordedStacks::frameId(site.frame));
        default: return;
        }
    }

    std::shared_ptr<const RecordedStacks> m_stacks;
};

} // namespace

extern const TableFactory stackProfileCallsiteTable;
const TableFactory stackProfileCallsiteTable{"stack_profile_callsite", [](const Recording& recording) -> std::unique_ptr<Table> {
                                                 return std::make_unique<CallSiteTable>(recording);
                                             }};

} // namespace helio::sql
