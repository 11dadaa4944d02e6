#include "core/sql/table_functions/slice_function.h"
#include "core/sql/tables/table_factory.h"

#include <memory>

namespace helio::sql {
namespace {

/// ancestor_slice(start_id): the calls that a call is part of, outermost first.
class AncestorSlices final : public SliceFunction {
public:
    explicit AncestorSlices(const Recording& recording)
        : SliceFunction(recording, "start_id")
    {
    }

private:
    Rows rows(const Filter& filter) const override
    {
        const auto slice = slices().find(argumentIn(filter));
        return slice ? makeRows(slices().ancestorsOf(*slice), filter) : Rows();
    }
};

} // namespace

extern const TableFactory ancestorSliceFunction;
const TableFactory ancestorSliceFunction{
    "ancestor_slice", [](const Recording& recording) -> std::unique_ptr<Table> { return std::make_unique<AncestorSlices>(recording); }};

} // namespace helio::sql
