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

/// Writes asynchronous operations (b, n, e and the older S, T, p, F) and objects (N, O, D) as events on tracks. Each process has a track
/// for the operations of one name, and one for the objects of one class.
class ChromeOperations {
public:
    /// Ownership: both arguments must outlive the object.
    ChromeOperations(TrackEventWriter& writer, ChromeThreads& threads)
        : m_writer(writer)
        , m_threads(threads)
    {
    }

    /// Takes an event in order of time. `step`: name of the step that an event T or p begins or ends; may be empty.
    void take(std::int64_t time, std::uint32_t thread, const ChromeEvent& event, std::string_view step);

private:
    /// Operation or object that has begun.
    struct Open {
        std::int64_t track = 0;
        std::int64_t nest = 0;
        std::uint32_t depth = 0; ///< Number of its open slices.
    };

    std::int64_t trackOf(std::int64_t time, std::uint32_t thread, std::string_view name, bool isOfObjects);
    const std::string& keyOf(std::uint32_t thread, const ChromeEvent& event);

    static constexpr std::size_t MostTracks = 100'000; ///< Further names share one track in each process.

    TrackEventWriter& m_writer;
    ChromeThreads& m_threads;
    std::unordered_map<std::string, Open> m_open; ///< Keyed by keyOf().
    std::map<std::pair<std::int32_t, std::string>, std::int64_t> m_tracks; ///< Numbers of tracks, by process and name.
    std::int64_t m_nests = 0; ///< Number of operations so far.
    std::string m_key; ///< A member to reuse its memory.
    std::string m_name;
};

} // namespace helio::chromejson
