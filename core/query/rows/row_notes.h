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

// Notes of correlators about their rows, in addition to states. Unless stated otherwise, each function costs a look-up of one row.

/// Returns the note about a row; nullopt if the row belongs to a trace, or if it has no note.
std::optional<RowNote> noteOf(const Timeline& timeline, TrackRef row);

/// Returns the name of a row for places that do not show its parents: its title, else its label.
std::string titleOf(const Timeline& timeline, const Row& row);
/// Returns the title of a row; empty if it has none.
std::string rowTitle(const Timeline& timeline, TrackRef row);

/// Returns the host that runs inside of a row, if it differs from the row's own host: for a virtual machine's row, the guest. nullopt if
/// none is known.
std::optional<std::uint32_t> findGuestHost(const Timeline& timeline, TrackRef row);

/// True if a row belongs to all traces together, and to no host.
bool hasNoHost(const Timeline& timeline, TrackRef row);

/// Returns the rows that stand below another row, each with that row.
std::map<TrackRef, TrackRef> rowsBelow(const Timeline& timeline);

/// Returns the correlator's row that shows `source` again: for example the row of a vCPU shows its thread. Not valid: none does.
/// Cost: a look at each row of correlators.
TrackRef findMirrorRow(const Timeline& timeline, TrackRef source);

/// Returns the row of all traces together that has the id in the view; if there is none, the row of that view that shows `source` again.
/// Not valid: neither exists.
/// Cost: a look at each row of correlators.
TrackRef rowOfAllTraces(const Timeline& timeline, std::string_view view, std::string_view id, TrackRef source);

/// Returns pairs of a guest's recorded row and the row that shows it completed with what the guest does not know (steal time).
std::vector<std::pair<TrackRef, TrackRef>> guestRowPairs(const Timeline& timeline);

/// Returns pairs of a row and the correlator's row that shows it again.
std::vector<std::pair<TrackRef, TrackRef>> rowsShowingOthers(const Timeline& timeline);

/// Returns a value as text for the user. Ids of rows in it are replaced by titles: "vCPU 0 of web: hog (177)".
std::string formatValue(const Timeline& timeline, TrackRef row, std::uint32_t value);

/// Makes the texts of formatValue() for many values, e.g. of a table: looks up titles once. Immutable; the timeline outlives it.
class ValueFormatter {
public:
    explicit ValueFormatter(const Timeline& timeline);
    std::string of(TrackRef row, std::uint32_t value) const;

private:
    const Timeline& m_timeline;
    std::map<StoreIndex, std::vector<std::pair<std::string, std::string>>> m_titles; ///< Ids of rows and their titles, by store.
};

} // namespace helio
