#pragma once

#include "core/analysis/track_view.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// What several states of a row are together: system calls, interrupts, page faults (CompositeState). Found in the states: nothing is
/// stored. One that ends with the last event of its trace is not found: nothing comes behind it that would say so.
namespace helio {

/// Those that any row of the timeline may have, in the order of the views that describe them. Cost: of a look at the tracks.
std::vector<CompositeState> compositeStates(const Timeline& timeline);
/// Nothing: no row of the timeline can have it.
std::optional<CompositeState> findCompositeState(const Timeline& timeline, std::string_view id);

/// The rows that may have them, in display order, without parents.
std::vector<Row> rowsWithComposite(const Timeline& timeline, const CompositeState& run);

/// What names them: their values' texts, or their rows' labels. One thread; the timeline and the run outlive it.
class CompositeStateNames {
public:
    CompositeStateNames(const Timeline& timeline, const CompositeState& run)
        : m_timeline(timeline)
        , m_isOfValues(run.hasSingleValue)
    {
    }

    /// Valid as long as this and the row are.
    std::string_view of(const Row& row, std::uint32_t value);

private:
    const Timeline& m_timeline;
    bool m_isOfValues;
    std::unordered_map<std::uint64_t, std::string> m_texts; ///< By store and value.
};

enum class RunOrder {
    ByBegin, ///< Those of one moment in the order of the rows.
    ByRow, ///< One row after the other, each by begin: takes less.
};

/// Hands over those of the rows that lie in the window as a whole, each with the element of `rows` that it is of; `value` is that of the
/// first state. Ends early once `stop` is requested. Cost: as reading every interval of the rows in the window, and, by begin, 40 bytes
/// for each of some million (more where very many begin at once).
void forEachCompositeState(const Timeline& timeline, const CompositeState& run, std::span<const Row> rows, TimeRange window,
             const std::function<void(const Row&, TimeRange, std::uint32_t value)>& take, std::stop_token stop = {},
             RunOrder order = RunOrder::ByBegin);

} // namespace helio
