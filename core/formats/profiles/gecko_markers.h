#pragma once

#include "core/base/result.h"
#include "core/formats/profiles/json_profile.h"
#include "core/trace/stored/sample_recording.h"
#include "core/trace/stored/track_events.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>

namespace helio::profiles {

/// A thread of a profile of Firefox, whose markers are to be written.
/// Ownership: all members are views of the caller's data.
struct GeckoThread {
    TrackContext context;
    std::int64_t start = 0; ///< Start of the thread's process in ns since the Unix epoch; times of markers count from it.
    std::span<const std::string_view> strings; ///< String table of the thread.
    std::span<const std::string_view> categories; ///< Names of the categories of the process.
};

/// Writes the markers of threads as track events (core/trace/stored/track_events.h): intervals as slices, other markers as instants, their
/// data as arguments. Intervals that do not nest are slices on a track of the thread.
class GeckoMarkers {
public:
    /// Ownership: `recording` must outlive the object.
    explicit GeckoMarkers(SampleRecording& recording)
        : m_recording(recording)
        , m_writer(recording.events)
    {
    }

    /// Writes the markers of a thread. `markers`: its table of markers. Returns the time of the first marker in ns; nullopt if none.
    /// Errors: Cancelled soon after `stop` is requested.
    Result<std::optional<std::int64_t>> write(const Element& markers, const GeckoThread& thread, const std::stop_token& stop);

private:
    SampleRecording& m_recording;
    TrackEventWriter m_writer;
    std::int64_t m_tracks = 0; ///< Number of tracks so far.
};

} // namespace helio::profiles
