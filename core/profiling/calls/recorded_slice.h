#pragma once

#include "core/profiling/calls/call_facts.h"
#include "core/query/events/nearby_events.h"

#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// A field that the event at the begin or at the end of a slice recorded.
struct SliceField {
    std::string name; ///< Name of the field, e.g. "cat".
    std::string value; ///< Value of the field as text; never empty.
    bool isAtEnd = false; ///< True if the event at the end of the slice has the field; false if the event at the begin has it.
    bool operator==(const SliceField&) const = default;
};

/// Name of the field with the CPU time of the thread during the slice, in ns; it is recorded at the begin or at the end.
constexpr std::string_view CpuTimeField = "cpu_ns";

/// Reads the fields that the events at the begins and ends of slices recorded, e.g. categories and arguments.
/// Threads: to be used by one thread, any but the UI thread.
/// Memory: up to 8,192 decoded events.
class RecordedSliceReader {
public:
    explicit RecordedSliceReader(std::shared_ptr<const Timeline> timeline);

    /// Returns the fields of a slice, without its name and track. Empty if `slice` is a function call and not a slice that an application
    /// recorded, or if several slices with the same name begin at the same time on the same thread or track.
    /// Cost: decodes up to 128 events of the trace; one event for each of many slices in time order.
    std::vector<SliceField> fieldsOf(const CallFacts& slice, const std::stop_token& stop = {});

private:
    std::shared_ptr<const Timeline> m_timeline;
    NearbyEvents m_begins; ///< Events near the last begin.
    NearbyEvents m_ends; ///< Events near the last end.
};

/// Returns the fields of a single slice, like RecordedSliceReader::fieldsOf().
std::vector<SliceField> recordedSliceFields(const std::shared_ptr<const Timeline>& timeline, const CallFacts& slice,
                                            std::stop_token stop = {});

} // namespace helio
