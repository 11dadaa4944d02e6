#pragma once

#include "core/profiling/calls/call_facts.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace helio {

/// A field of an event that begins or ends a slice.
struct SliceField {
    std::string name; ///< Name of the field, e.g. "cat".
    std::string value; ///< Value as text, never empty.
    bool isAtEnd = false; ///< True for a field of the event that ends the slice.
    bool operator==(const SliceField&) const = default;
};

/// Returns what the events that begin and end a slice recorded besides its name, e.g. categories and arguments. Empty for calls that are no
/// slices of applications, and if several slices of the thread or track with the same name begin at the same time.
/// Threads: any but the UI thread.
/// Cost: reads up to 128 events again.
std::vector<SliceField> recordedSliceFields(const std::shared_ptr<const Timeline>& timeline, const CallFacts& slice,
                                            std::stop_token stop = {});

} // namespace helio
