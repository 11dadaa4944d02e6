#pragma once

#include "app/cli/tsp/query_parameters.h"
#include "app/cli/tsp/served_traces.h"
#include "core/base/json.h"
#include "core/experiment/timeline.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>

namespace helio {

/// Number of times that are assumed if a client requests values in a range without a number of times.
constexpr std::size_t DefaultTimes = 1'024;

/// A request for the contents of an output.
/// Ownership: the experiment outlives the request.
struct OutputRequest {
    ServedExperiment& experiment;
    std::shared_ptr<const Timeline> timeline;
    std::string output; ///< ID of the output.
    std::string view; ///< ID of the view that the output shows; empty if it shows none.
    QueryParameters parameters;
    std::stop_token stop;
};

/// Text of the member "model" of a response, whose length is bounded.
class ModelText {
public:
    static constexpr std::size_t MostBytes = 64 << 20;

    ModelText() = default;
    ModelText(const ModelText&) = delete;
    ModelText& operator=(const ModelText&) = delete;

    JsonWriter& json() { return m_json; }
    const std::string& text() const { return m_text; }
    /// True if the text is too long. Writers check this after each row, and then return tooLong().
    bool isFull() const { return m_text.size() > MostBytes; }
    static Error tooLong()
    {
        return {Error::Kind::Full,
                "the response would have more than " + std::to_string(MostBytes >> 20) + " MiB; request fewer rows, times or lines"};
    }

private:
    std::string m_text;
    JsonWriter m_json{m_text};
};

/// Returns the requested range clipped to the recorded time; the whole recorded time if the client requested none. The range of the result
/// contains the requested last time.
inline TimeRange requestedRange(const OutputRequest& request)
{
    // Times far outside of the recorded time would overflow when a clock's offset is added.
    const TimeRange recorded{request.timeline->range.begin, request.timeline->range.end + Duration(1)};
    if (!request.parameters.times)
        return recorded;
    const Timestamp last = request.parameters.times->last;
    return TimeRange{request.parameters.times->first, last < Timestamp::max() ? last + Duration(1) : last}.clippedTo(recorded);
}

/// Returns the distance of the requested times, at most the length of the recorded time.
inline Duration requestedResolution(const OutputRequest& request)
{
    const Duration recorded = std::max(request.timeline->range.duration() + Duration(1), Duration(1));
    if (!request.parameters.times)
        return std::max(recorded / static_cast<std::int64_t>(DefaultTimes), Duration(1));
    return std::min(resolutionOf(*request.parameters.times, DefaultTimes), recorded);
}

} // namespace helio
