#include "core/sql/table_functions/slice_function.h"
#include "core/sql/tables/table_factory.h"

#include <memory>

namespace helio::sql {
namespace {

/// descendant_slice(start_id): the calls that a call made, directly or through other calls.
class DescendantSlices final : public SliceFunction {
public:
    explicit DescendantSlices(const Recording& recording)
        : SliceFunction(recording, "start_id")
    {
    }

private:
    Rows rows(const Filter& filter) const override
    {
        const auto slice = slices().find(argumentIn(filter));
        if (!slice)
            return {};
        const TimeRange all = rangeOfSlices(recording());
        const TimeRange range =
            timesAllowed(filter, FirstColumn + SliceBegin, {slice->ts, slice->end ? *slice->end + Duration(1) : all.end});
        const std::int64_t track = slices().trackIdOf(*slice);
        const auto collect = [this, caller = *slice,
                              read = slices().reader({track, track}, readsNumber(filter, FirstColumn), filter.stop())](
                                 TimeRange part, std::vector<SliceRow>& out) {
            read(part, out);
            std::erase_if(out, [&](const SliceRow& call) { return !slices().isDescendant(call, caller); });
        };
        return {range, all, slices().total(), collect, filter.stop()};
    }
};

} // namespace

extern const TableFactory descendantSliceFunction;
const TableFactory descendantSliceFunction{
    "descendant_slice", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<DescendantSlices>(recording); }};

} // namespace helio::sql
