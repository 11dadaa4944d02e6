#pragma once

#include "core/profiling/samples/call_tree.h"

#include <string>
#include <string_view>

namespace helio {

/// Returns the name of the events that a kind's weights count: "page faults", "cycles" (without a modifier as in "cycles:ppp"),
/// "sched:sched_switch".
std::string weightWord(const SampleKind& kind);

/// Returns a count with all digits, for example "12"; "0.156" if the kind counts thousandths.
std::string exactCount(std::uint64_t count, std::uint64_t divisor);

/// Returns the plural noun for samples of a kind: "calls" for recorded calls, "records" for SampleKind::Origin::Summed, else "samples".
std::string_view samplesWord(const SampleKind& kind);

/// Returns a count rounded to three digits, for example "1.56 M", "11.9 G" or "940".
std::string roundCount(double count);

/// Returns an amount for headings: "4419 samples" or "2430 calls" by number of samples; "1.56 M page faults" or "4.42 s" by weight.
std::string amountWords(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// Returns the amount followed by the number of samples, for example "1.56 M page faults in 16105 samples". Returns only the number of
/// samples, for example "16105 samples", if `by` is WeightBy::Samples.
std::string headingWords(const SampleSum& sum, WeightBy by, const SampleKind& kind);

} // namespace helio
