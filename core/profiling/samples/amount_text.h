#pragma once

#include "core/profiling/samples/call_tree.h"

#include <string>
#include <string_view>

namespace helio {

/// Returns the name of what a kind's weights count: "page faults", "cycles" (without modifiers as in "cycles:ppp"), "sched:sched_switch".
std::string weightWord(const SampleKind& kind);

/// Returns a count in full: "12", or "0.156" if the kind counts thousandths.
std::string exactCount(std::uint64_t count, std::uint64_t divisor);

/// Returns the plural noun for the samples of a kind: "samples" or "calls".
std::string_view samplesWord(const SampleKind& kind);

/// Returns a count with three digits: "1.56 M", "11.9 G", "940".
std::string roundCount(double count);

/// Returns an amount for headings: "4419 samples" or "2430 calls" if samples are counted, else "1.56 M page faults", "4.42 s".
std::string amountWords(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// Returns an amount with the number of samples: "1.56 M page faults in 16105 samples". If samples are counted, only their number.
std::string headingWords(const SampleSum& sum, WeightBy by, const SampleKind& kind);

} // namespace helio
