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

/// CPU mode of a sample, which determines the colour of the sample's tick. SampleMode::Event stands for a recorded event instead of a
/// sample.
enum class SampleMode : std::uint8_t { User, Kernel, Other, Event };
constexpr std::size_t SampleModes = 4;

/// One sample, or all samples of the same mode within one pixel.
struct SampleTicks {
    Timestamp at;
    std::uint32_t count = 1;
    SampleMode mode = SampleMode::User;
};

/// Result of a LaneQuery: what a row shows in a time range. Immutable after it was fetched.
struct Lane {
    TimeRange window;
    Duration resolution{};
    std::uint64_t version = 0; ///< Version of the timeline that the lane was read from, counted by the view.
    Spans spans;
    std::vector<LaneEnd> ends; ///< Ends of bars with a special drawing style, in the order of the spans.
    std::vector<LaneText> texts; ///< Texts of bars that are at least `LabelLeast` pixels wide, in the order of the spans.
    std::vector<SampleTicks> samples; ///< Ticks of samples or events, sorted by mode, then by time.
    bool isOfEvents = false; ///< True if the row has only events, no states or samples; its ticks then show the number of events.
    /// Time in ns that each sample represents; the density of the samples then shows how busy the row is. 0 if the range has recorded
    /// states.
    Duration samplePeriod{};
    LaneTile tile; ///< Rendered bars; empty if no look was given in LaneQuery::tile.
    std::shared_ptr<const LaneSources> sources; ///< LaneQuery::sources of the query.

    /// True if the lane can be painted as it is: covers `wanted` at exactly the resolution `at`, and has version `of`.
    bool serves(TimeRange wanted, Duration at, std::uint64_t of) const
    {
        return version == of && resolution == at && window.begin <= wanted.begin && wanted.end <= window.end;
    }
};

/// Cached lanes by track. A track is a row's own track, or a track in the row's GraphRow::lanes, line, overlay or cover.
using Lanes = std::unordered_map<TrackRef, std::shared_ptr<const Lane>, TrackRefHash>;

constexpr int LabelLeast = 26; ///< Minimum width in device-independent pixels of a bar with text.

/// Request for the contents of one row in a time range; the result is a Lane.
struct LaneQuery {
    TrackRef track;
    TimeRange window;
    Duration resolution{};
    double pixelsPerPoint = 1; ///< Device pixels per device-independent pixel.
    std::uint64_t version = 0;
    bool withTexts = true; ///< True to fetch the texts of bars and the samples too.
    TileShape tile; ///< Size, scale and look of the tile to render. If TileShape::look is nullptr, no tile is rendered.
    std::shared_ptr<const LaneAppearance> sampledLook = {}; ///< Look of the tile if it turns out that the row has only samples, no states.
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows whose sum the bars show; nullptr if the bars show `track` alone.
};

/// True if both lists contain the same rows, or both are null.
inline bool areSame(const std::shared_ptr<const LaneSources>& a, const std::shared_ptr<const LaneSources>& b)
{
    return a == b || (a && b && *a == *b);
}

/// Queries the lane of one row.
/// Threads: a query thread, because it is slow.
std::shared_ptr<const Lane> fetchLane(const Timeline& timeline, const LaneQuery& question, std::stop_token stop = {});

/// Returns a value without the number in parentheses, to fit a bar: "zstd" for "zstd (4107)".
QString shortValue(const std::string& value);

/// Returns the state boundary nearest to `at`, at most `reach` away; nullopt if there is none. Skips states that are folded into one
/// column.
std::optional<Timestamp> nearestBoundary(const Lane& lane, Timestamp at, Duration reach);

/// Returns the time of the event nearest to `at`, at most `reach` away; the last one if several are equally near. nullopt if there is none,
/// or if the lane's ticks are samples.
std::optional<Timestamp> nearestEvent(const Lane& lane, Timestamp at, Duration reach);

/// Returns the time range of the column at `at`, if several states too short to be drawn alone are folded into it; empty if a single state
/// is drawn at `at`.
TimeRange foldedRangeAt(const Lane& lane, Timestamp at);

} // namespace helio
