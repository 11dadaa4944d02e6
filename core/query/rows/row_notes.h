#pragma once

#include "core/correlation/row_note.h"
#include "core/query/rows/rows.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace helio {

// What is known of a relation's rows beside their states. Cost of each: that of a look at a row, but where it says otherwise.

/// Nothing: the row is of a trace, or nothing more is known of it.
std::optional<RowNote> noteOf(const Timeline& timeline, TrackRef row);

/// What a row is called where it stands without those above it: its title, else its label.
std::string titleOf(const Timeline& timeline, const Row& row);
/// Its title alone. Empty: it has none.
std::string givenTitle(const Timeline& timeline, TrackRef row);

/// The host that a row is inside of, as a machine's is its guest, where that is another one than its own. Nothing: none that is known.
std::optional<std::uint32_t> innerHostOf(const Timeline& timeline, TrackRef row);

/// Whether a row is of all traces together, and of no host.
bool isOfNoHost(const Timeline& timeline, TrackRef row);

/// Rows that stand below another one, each with that.
std::map<TrackRef, TrackRef> rowsBelow(const Timeline& timeline);

/// The row that shows another one again, as a vCPU's shows its thread. Not valid: none does. Cost: of a look at each row of relations.
TrackRef rowShowing(const Timeline& timeline, TrackRef source);

/// The row of all traces together that has the id in that view; where there is none, the one there that shows `source` again. Not valid:
/// neither. Cost: of a look at each row of relations.
TrackRef rowOfAllTraces(const Timeline& timeline, std::string_view view, std::string_view id, TrackRef source);

/// Rows that a guest recorded, and those that show them with what it does not know.
std::vector<std::pair<TrackRef, TrackRef>> rowsOfInside(const Timeline& timeline);

/// All rows that show others again, each behind the one that it shows.
std::vector<std::pair<TrackRef, TrackRef>> rowsShowingOthers(const Timeline& timeline);

/// A value as people read it: where it names rows by their ids, by their titles. "vCPU 0 of web: hog (177)".
std::string shownValue(const Timeline& timeline, TrackRef row, std::uint32_t value);

/// The same for many values, as of a table: what rows are called is looked up once. Immutable; the timeline outlives it.
class ShownValues {
public:
    explicit ShownValues(const Timeline& timeline);
    std::string of(TrackRef row, std::uint32_t value) const;

private:
    const Timeline& m_timeline;
    std::map<StoreIndex, std::vector<std::pair<std::string, std::string>>> m_titles; ///< Of rows, with their ids.
};

} // namespace helio
