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

// Access to RowNote, with which correlators describe their rows: the title, and the row or host that a row shows.
// Cost: one lookup of a row, unless stated otherwise.

/// Returns the note about a row; nullopt if the row has no note or comes from a trace instead of a correlator.
std::optional<RowNote> noteOf(const Timeline& timeline, TrackRef row);

/// Returns the full name of a row, for places that do not show its parent rows: the title, else the label.
std::string titleOf(const Timeline& timeline, const Row& row);
/// Returns the title that a correlator gave the row; empty if there is none.
std::string rowTitle(const Timeline& timeline, TrackRef row);

/// Returns the guest that a virtual machine's row contains, as an index into Timeline::hosts; nullopt for other rows, or if the guest is
/// unknown.
std::optional<std::uint32_t> findGuestHost(const Timeline& timeline, TrackRef row);

/// True if a row belongs to the whole experiment and not to a host.
bool hasNoHost(const Timeline& timeline, TrackRef row);

/// Returns the correlators' rows that views place below a row of a trace, mapped to that row.
std::map<TrackRef, TrackRef> rowsBelow(const Timeline& timeline);

/// Returns the correlator's row that repeats the row `source`; for example, the row of a vCPU repeats the vCPU's thread. Not valid if there
/// is none.
/// Cost: visits each row of the correlators.
TrackRef findMirrorRow(const Timeline& timeline, TrackRef source);

/// Finds a correlator's row in the view. Returns the row that has the given id and shows the contents of the row `source`; else a row that
/// has the id; else a row that shows the contents of `source`. Not valid if no row is found.
/// Cost: visits each row of the correlators.
TrackRef findCorrelatorRow(const Timeline& timeline, std::string_view view, std::string_view id, TrackRef source);

/// Returns pairs of a row recorded in a guest and the correlator's row that shows its contents with steal time, which the guest
/// cannot record.
std::vector<std::pair<TrackRef, TrackRef>> guestRowPairs(const Timeline& timeline);

/// Returns all pairs of a recorded row and a correlator's row that shows the contents of the recorded row again, for example the row of a
/// vCPU that shows the vCPU's thread.
std::vector<std::pair<TrackRef, TrackRef>> repeatedRowPairs(const Timeline& timeline);

/// Returns an interval's value as text for the user. Replaces ids of rows in the text by their titles: "vCPU 0 of web: hog (177)".
std::string formatValue(const Timeline& timeline, TrackRef row, std::uint32_t value);

/// Computes formatValue() for many values, e.g. of a table, and looks up the titles only once. Immutable.
/// Ownership: the timeline outlives the object.
class ValueFormatter {
public:
    explicit ValueFormatter(const Timeline& timeline);
    std::string of(TrackRef row, std::uint32_t value) const;

private:
    const Timeline& m_timeline;
    std::map<StoreIndex, std::vector<std::pair<std::string, std::string>>> m_titles; ///< Pairs of row id and title, by store.
};

} // namespace helio
