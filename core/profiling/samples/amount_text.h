#pragma once

#include "core/profiling/samples/call_tree.h"

#include <string>
#include <string_view>

namespace helio {

/// What the weights of a kind count, in words: "page faults", "cycles" (without "cycles:ppp"'s modifiers), "sched:sched_switch".
std::string weightWord(const SampleKind& kind);

/// A count in full: "12", "0.156" where the kind counts thousandths.
std::string exactCount(std::uint64_t count, std::uint64_t divisor);

/// What the samples of a kind are, several of them: "samples", "calls".
std::string_view samplesWord(const SampleKind& kind);

/// A count with three digits: "1.56 M", "11.9 G", "940".
std::string roundCount(double count);

/// How much an amount is, for headings: "4419 samples" or "2430 calls" where these count, else "1.56 M page faults", "4.42 s".
std::string amountWords(const SampleSum& sum, WeightBy by, const SampleKind& kind);

/// The same, and what else it is, the number of samples or their weight: "1.56 M page faults in 16105 samples". Samples alone where they
/// count.
std::string headingWords(const SampleSum& sum, WeightBy by, const SampleKind& kind);

} // namespace helio
