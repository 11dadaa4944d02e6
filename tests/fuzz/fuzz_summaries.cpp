// Fuzzer of lines with summaries of traces, of the digests in them, and of responses to queries. What is read is written and read again
// without a change. No input may cause a crash or a hang.

#include "core/fleet/query_response.h"
#include "core/fleet/summary_line.h"
#include "tests/fuzz/fuzz_input.h"

#include <cstdlib>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(fuzzText(data, size));
    (void)fleet::readQueryEnd(text);
    const auto ignore = [](auto&&) { return Status(Done{}); };
    (void)fleet::readQueryRows(text, {ignore, ignore});
    fleet::DurationDigest digest;
    if (digest.addText(text))
        (void)digest.percentile(99);
    const auto summary = fleet::readLine(text);
    if (!summary)
        return 0;
    std::string line = fleet::writeLine(*summary);
    line.pop_back();
    const auto again = fleet::readLine(line);
    if (!again || again->path != summary->path || again->latencies != summary->latencies)
        std::abort();
    return 0;
}
