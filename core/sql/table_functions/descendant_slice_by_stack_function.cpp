#include "core/sql/table_functions/slice_function.h"
#include "core/sql/tables/table_factory.h"

#include <map>
#include <memory>

namespace helio::sql {
namespace {

/// descendant_slice_by_stack(start_stack_id): the calls made by the slices with a stack id.
class DescendantSlicesByStack final : public SliceFunction {
public:
    explicit DescendantSlicesByStack(const Recording& recording)
        : SliceFunction(recording, "start_stack_id")
    {
    }

private:
    Rows rows(const Filter& filter) const override
    {
        // Slices with one stack id have the same depth, so that at most one of them is open on a track at a time.
        const auto callers = std::make_shared<std::map<std::int64_t, SliceRow>>(); // Last matching slice of each track.
        const auto collect = [this, callers, stack = argumentIn(filter),
                              read = slices().reader({}, readsNumber(filter, FirstColumn), filter.stop())](TimeRange part,
                                                                                                           std::vector<SliceRow>& out) {
            std::vector<SliceRow> all;
            read(part, all);
            std::ranges::stable_sort(all, {}, &SliceRow::ts);
            for (const SliceRow& slice : all) {
                const std::int64_t track = slices().trackIdOf(slice);
                if (const auto caller = callers->find(track); caller != callers->end() && slices().isDescendant(slice, caller->second))
                    out.push_back(slice);
                else if (slices().stackIdOf(slice) == stack)
                    callers->insert_or_assign(track, slice);
            }
        };
        // All slices are read, because the caller of a slice in the wanted range may begin before the range.
        const TimeRange all = rangeOfSlices(recording());
        return {all, all, slices().total(), collect, filter.stop()};
    }
};

} // namespace

extern const TableFactory descendantSliceByStackFunction;
const TableFactory descendantSliceByStackFunction{"descendant_slice_by_stack", [](const Recording& recording) -> std::unique_ptr<Table> {
                                                      return std::make_unique<DescendantSlicesByStack>(recording);
                                                  }};

} // namespace helio::sql
