#pragma once

#include "core/query/rows/rows.h"
#include "widgets/timeline/graph/lanes/lane_sum.h"
#include "widgets/timeline/graph/lanes/lane_tile.h"
#include "widgets/timeline/graph/lanes/value_colors.h"

#include <QString>

#include <memory>
#include <stop_token>
#include <unordered_map>
#include <vector>

namespace helio {

/// What a bar says, by its index in the spans.
struct LaneText {
    std::uint32_t span = 0;
    QString text;
};

/// What ran when samples were taken, as their ticks are coloured.
enum class SampleMode : std::uint8_t { User, Kernel, Other, Event };
constexpr std::size_t SampleModes = 4;

/// Samples of a row: at a moment, or in a stretch no wider than a pixel.
struct SampleTicks {
    Timestamp at;
    std::uint32_t count = 1;
    SampleMode mode = SampleMode::User;
};

/// The answer to one row's query. Immutable once fetched.
struct Lane {
    TimeRange window;
    Duration resolution{};
    std::uint64_t version = 0; ///< Of the timeline asked: counted by the view.
    Spans spans;
    std::vector<LaneEnd> ends; ///< In the order of the spans.
    std::vector<LaneText> texts; ///< Of bars at least `LabelLeast` pixels long, in order.
    std::vector<SampleTicks> samples; ///< Of a row by mode, then time.
    bool isOfEvents = false; ///< Events are all that is known of it: the ticks say how many.
    Duration samplePeriod{}; ///< The time each stands for, where no states are known in the window: they show how busy the row is. 0: no.
    LaneTile tile; ///< Empty where none was asked for.
    std::shared_ptr<const LaneSources> sources; ///< As the question has it.

    /// Whether it shows this window at this resolution, exactly.
    bool serves(TimeRange wanted, Duration at, std::uint64_t of) const
    {
        return version == of && resolution == at && window.begin <= wanted.begin && wanted.end <= window.end;
    }
};

/// By what they are asked by: a row's track, or its line's.
using Lanes = std::unordered_map<TrackRef, std::shared_ptr<const Lane>, TrackRefHash>;

constexpr int LabelLeast = 26; ///< No text in bars narrower than that, in device-independent pixels.

/// What is asked of a row.
struct LaneQuestion {
    TrackRef track;
    TimeRange window;
    Duration resolution{};
    double pixelsPerPoint = 1; ///< Device pixels a device-independent one.
    std::uint64_t version = 0;
    bool withTexts = true; ///< And with samples.
    TileShape tile; ///< Without a look: no tile.
    std::shared_ptr<const LaneLook> sampledLook = {}; ///< The tile's where samples are all that is known.
    std::shared_ptr<const LaneSources> sources = {}; ///< Rows that the bars are the sum of. Null: `track` alone.
};

/// Whether both name the same rows.
inline bool areSame(const std::shared_ptr<const LaneSources>& a, const std::shared_ptr<const LaneSources>& b)
{
    return a == b || (a && b && *a == *b);
}

/// Asks for a row. Slow: from a query thread.
std::shared_ptr<const Lane> fetchLane(const Timeline& timeline, const LaneQuestion& question, std::stop_token stop = {});

/// "zstd" of "zstd (4107)": what fits a bar.
QString shortValue(const std::string& value);

} // namespace helio
