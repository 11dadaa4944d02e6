#pragma once

#include "core/formats/perfetto/sequence.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace helio::perfetto {

/// Appends the arguments of a track event (TrackEvent) to `out` as a JSON object: its debug annotations, call stack, source location and
/// correlation id. Appends nothing if the event has no arguments. Returns false if the event has arguments of types that this reader does
/// not know.
bool appendArguments(std::string& out, std::string_view trackEvent, const PacketSequence& sequence);

/// Calls `take` for each debug annotation of a track event whose value is a number. The value is in `real` if `isReal` is true, else in
/// `integer`.
void forEachNumericAnnotation(std::string_view trackEvent, const PacketSequence& sequence,
                              const std::function<void(std::string_view name, bool isReal, std::int64_t integer, double real)>& take);

} // namespace helio::perfetto
