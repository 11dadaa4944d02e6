#include "core/sql/tables/slices_of_kind.h"
#include "core/sql/tables/table_factory.h"
#include "core/waits/locks/lock_contention.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum LockWaitColumn : int {
    LockName,
    LockUtid,
    LockHost,
    LockType,
    LockForWork,
    LockGot,
    LockHolder,
    LockEndedBy,
    LockWaker,
    LockArguments
};

constexpr std::array LockWaitColumns{
    Column{"lock", ColumnType::Text},
    Column{"utid"},
    Column{"host_id"},
    Column{"type", ColumnType::Text},
    Column{"is_for_work"},
    Column{"is_acquired"},
    Column{"held_by", ColumnType::Text},
    Column{"ended_by", ColumnType::Text},
    Column{"woken_by", ColumnType::Text},
    Column{"arg_set_id"},
};

/// Waits of threads for locks, and for work at conditions.
class LockWaitTable final : public SlicesOfKind {
public:
    explicit LockWaitTable(const Recording& recording)
        : SlicesOfKind(recording, LockWaitSegments, LockWaitColumns)
    {
    }

private:
    void writeOwn(const SliceRow& row, std::string_view fields, int column, ValueSink sink) const override
    {
        const Slices& slices = *recording().slices;
        switch (column) {
        case LockName: return sink.textOrNull(slices.nameOf(row));
        case LockUtid:
            if (const auto thread = recording().things->threadOf(slices.rowOf(row), row.ts))
                sink.integer(*thread);
            return;
        case LockHost: return sink.integer(slices.hostOf(row));
        case LockType: return writeText(fields, "type", sink);
        case LockForWork: return sink.integer(fieldOf(fields, "for") == "work" ? 1 : 0);
        case LockGot: return sink.integer(fieldOf(fields, "got") == "no" ? 0 : 1);
        case LockHolder: return writeText(fields, "held_by", sink);
        case LockEndedBy: return writeText(fields, "ended_by", sink);
        case LockWaker: return writeText(fields, "woken_by", sink);
        case LockArguments: return writeSlice(recording(), row, SliceArguments, sink);
        default: return;
        }
    }
};

} // namespace

extern const TableFactory lockWaitTable;
const TableFactory lockWaitTable{
    "lock_wait", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<LockWaitTable>(recording); }};

} // namespace helio::sql
