#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/lanes/lane_sum.h"
#include "widgets/timeline/graph/lanes/lane_tile.h"
#include "widgets/timeline/graph/lanes/value_colors.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace helio {

/// Text of a bar.
struct LaneText {
    std::uint32_t span = 0;
    QString text;
};

/// Mode of the CPU when a sample was taken; it determines the colour of the sample's tick. Event: the tick is a recorded event, not a
/// sample.
enum class SampleMode : std::uint8_t { User, Kernel, Other, Event };
constexpr std::size_t SampleModes = 4;

/// Samples of a row with the same mode: one sample, or all samples within one pixel.
struct SampleTicks {
    Timestamp at;
    std::uint32_t count = 1;
    SampleMode mode = SampleMode::User;
};

/// Result of the query of one row. Immutable once fetched.
struct Lane {
    TimeRange window;
    Duration resolution{};
    std::uint64_t version = 0; ///< Version of the timeline, counted by the view.
    Spans spans;
    std::vector<LaneEnd> ends; ///< In the order of the spans.
    std::vector<LaneText> texts; ///< Texts of bars that are at least `LabelLeast` pixels long, in the order of the spans.
    std::vector<SampleTicks> samples; ///< Sorted by mode, then by time.
    bool isOfEvents = false; ///< True if only events are known of the row; the ticks then show their number.
    /// Time that each sample stands for; 0 if states are known in the window. If not 0, the density of the samples shows how busy the row
    /// is.
    Duration samplePeriod{};
    LaneTile tile; ///< Empty if the question has no look.
    std::shared_ptr<const LaneSources> sources; ///< LaneQuery::sources of the question.

    /// True if the lane covers the range `wanted` at exactly the resolution `at` and has version `of`.
    bool serves(TimeRange wanted, Duration at, std::uint64_t of) const
    {
        return version == of && resolution == at && window.begin <= wanted.begin && wanted.end <= window.end;
    }
};

/// Lanes by their track: a row's own track, or its GraphRow::lanes, line, overlay or cover.
using Lanes = std::unordered_map<TrackRef, std::shared_ptr<const Lane>, TrackRefHash>;

constexpr int LabelLeast = 26; ///< Minimum width in device-independent pixels of a bar with text.

/// Query of one row.
struct LaneQuery {
    TrackRef track;
    TimeRange window;
    Duration resolution{};
    double pixelsPerPoint = 1; ///< Device pixels per device-independent pixel.
    std::uint64_t version = 0;
    bool withTexts = true; ///< True if texts and samples are wanted too.
    TileShape tile; ///< Shape of the tile to make; no tile is made if it has no look.
    std::shared_ptr<const LaneAppearance> sampledLook = {}; ///< Look of the tile if the row has samples but no known states.
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows whose sum the bars show; nullptr if the bars are those of `track` alone.
};

/// True if both name the same rows.
inline bool areSame(const std::shared_ptr<const LaneSources>& a, const std::shared_ptr<const LaneSources>& b)
{
    return a == b || (a && b && *a == *b);
}

/// Queries one row.
/// Threads: a query thread, as it is slow.
std::shared_ptr<const Lane> fetchLane(const Timeline& timeline, const LaneQuery& question, std::stop_token stop = {});

/// Returns the part of a value that fits a bar: "zstd" for "zstd (4107)".
QString shortValue(const std::string& value);

/// Returns the begin or end of a state nearest to `at`, at most `reach` away; nullopt if there is none. States in folded columns are
/// skipped.
std::optional<Timestamp> nearestBoundary(const Lane& lane, Timestamp at, Duration reach);

/// Returns the event nearest to `at`, at most `reach` away; the last one if several are equally near. nullopt if there is none, or if the
/// lane's ticks are samples.
std::optional<Timestamp> nearestEvent(const Lane& lane, Timestamp at, Duration reach);

/// Returns the range around `at` in which several states are drawn as one column because they are too short; empty if one state is drawn
/// alone.
TimeRange foldedRangeAt(const Lane& lane, Timestamp at);

} // namespace helio
