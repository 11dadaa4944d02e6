#pragma once

#include "core/formats/chrome_json/chrome_event.h"
#include "core/formats/chrome_json/chrome_threads.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace helio::chromejson {

/// Writes asynchronous operations (phases b, n, e and the older S, T, p, F) and objects (phases N, O, D) as events on tracks. Each process
/// has one track for each name of operations, and one track for each class of objects.
class ChromeOperations {
public:
    /// Ownership: `writer` and `threads` must outlive the object.
    ChromeOperations(TrackEventWriter& writer, ChromeThreads& threads)
        : m_writer(writer)
        , m_threads(threads)
    {
    }

    /// Writes an event at `time` in ns. `thread`: index in ChromeThreads. `step`: name of the step that an event with the phase T or p
    /// begins or ends; may be empty. Requires: the events are passed in order of time.
    void take(std::int64_t time, std::uint32_t thread, const ChromeEvent& event, std::string_view step);

private:
    /// Asynchronous operation or object that has begun and not yet ended.
    struct Open {
        std::int64_t track = 0;
        std::int64_t nest = 0;
        std::uint32_t depth = 0; ///< Number of open slices of the operation or object.
    };

    std::int64_t trackOf(std::int64_t time, std::uint32_t thread, std::string_view name, bool isOfObjects);
    const std::string& keyOf(std::uint32_t thread, const ChromeEvent& event);

    /// Maximum number of tracks. Further operation names and classes share one track in each process.
    static constexpr std::size_t MostTracks = 100'000;

    TrackEventWriter& m_writer;
    ChromeThreads& m_threads;
    std::unordered_map<std::string, Open> m_open; ///< Operations and objects that have begun, keyed by keyOf().
    std::map<std::pair<std::int32_t, std::string>, std::int64_t> m_tracks; ///< Track numbers, keyed by PID and track name.
    std::int64_t m_nests = 0; ///< Number of operations and objects so far; the last value of TrackPlace::nest that was given to one.
    std::string m_key; ///< Result of keyOf(); a member only to reuse its memory.
    std::string m_name;
};

} // namespace helio::chromejson
