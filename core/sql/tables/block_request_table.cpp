#include "core/event_model/segment_kinds.h"
#include "core/query/rows/timeline_access.h"
#include "core/sql/tables/slices_of_kind.h"
#include "core/sql/tables/table_factory.h"

#include <array>
#include <memory>

namespace helio::sql {
namespace {

enum BlockColumn : int {
    BlockOperation,
    BlockDisk,
    BlockSector,
    BlockSectors,
    BlockBytes,
    BlockQueued,
    BlockUtid,
    BlockCpu,
    BlockError,
    BlockHost,
    BlockArguments
};

constexpr std::array BlockColumns{
    Column{"operation", ColumnType::Text},
    Column{"disk", ColumnType::Text},
    Column{"sector"},
    Column{"nr_sector"},
    Column{"bytes"},
    Column{"queued_ns"},
    Column{"utid"},
    Column{"cpu"},
    Column{"error"},
    Column{"host_id"},
    Column{"arg_set_id"},
};

/// Requests to disks, from their issue to the driver to their completion.
class BlockRequestTable final : public SlicesOfKind {
public:
    explicit BlockRequestTable(const Recording& recording)
        : SlicesOfKind(recording, DiskRequests, BlockColumns)
    {
    }

private:
    void writeOwn(const SliceRow& row, std::string_view fields, int column, ValueSink sink) const override
    {
        const Slices& slices = *recording().slices;
        const HostId host = slices.hostOf(row);
        switch (column) {
        case BlockOperation: return sink.textOrNull(slices.nameOf(row));
        case BlockDisk: return writeText(fields, "disk", sink);
        case BlockSector: return writeNumber(fields, "sector", sink);
        case BlockSectors: return writeNumber(fields, "nr_sector", sink);
        case BlockBytes: return writeNumber(fields, "bytes", sink);
        case BlockQueued: return writeNumber(fields, "queued_ns", sink);
        case BlockUtid:
            if (const auto tid = numberOf(fields, "tid"))
                if (const auto thread = recording().things->threadWithTid(host, *tid, row.ts))
                    sink.integer(*thread);
            return;
        case BlockCpu:
            if (const auto cpu = numberOf(fields, "cpu"))
                sink.id(cpuId(host, static_cast<std::int32_t>(*cpu)));
            return;
        case BlockError: return sink.integer(numberOf(fields, "error").value_or(0));
        case BlockHost: return sink.integer(host);
        case BlockArguments: return writeSlice(recording(), row, SliceArguments, sink);
        default: return;
        }
    }
};

} // namespace

extern const TableFactory blockRequestTable;
const TableFactory blockRequestTable{
    "block_request", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<BlockRequestTable>(recording); }};

} // namespace helio::sql
