#include "core/profiling/samples/sample_messages.h"

#include <algorithm>
#include <cstdio>

namespace helio {

namespace {

using Severity = Diagnostic::Severity;

constexpr std::uint64_t NotableShare = 20; ///< One of so many samples is a notable share.
constexpr std::uint64_t LeastShare = 100;

Severity severityOf(std::uint64_t part, std::uint64_t all) { return part >= all / NotableShare ? Severity::Warning : Severity::Info; }

std::string percent(std::uint64_t part, std::uint64_t all)
{
    char text[16];
    std::snprintf(text, sizeof text, "%.1f %%", 100.0 * double(part) / double(all));
    return text;
}

} // namespace

std::vector<Message> sampleMessages(const TruncatedStacks& ends, const MissingSymbols& nameless, std::uint64_t samples)
{
    std::vector<Message> all;
    for (const StackTruncation& end : ends.reasons)
        all.push_back({severityOf(end.samples, ends.all), "early-ends", sentenceOf(end, ends.all) + ".", end.samples, {}, {}});
    if (const std::uint64_t part = nameless.sum.samples; part > 0 && part >= samples / LeastShare) {
        const std::string text = percent(part, samples) + " of the samples are in code without names: " + listOfModules(nameless.modules);
        all.push_back({severityOf(part, samples), "nameless-code", text + ".", part, {}, {}});
    }
    return all;
}

} // namespace helio
