#pragma once

#include "core/profiling/calls/call_facts.h"

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

/// Returns the fields of the events that begin and end a slice, e.g. categories and arguments, without the slice's name and track. Empty if
/// `slice` is a function call and not a slice that an application recorded, or if several slices with the same name begin at the same time
/// on the same thread or track.
/// Threads: any but the UI thread.
/// Cost: decodes up to 128 events of the trace.
std::vector<SliceField> recordedSliceFields(const std::shared_ptr<const Timeline>& timeline, const CallFacts& slice,
                                            std::stop_token stop = {});

} // namespace helio
