// Fuzzer of the readers of logs by strace, ltrace and perf trace. No input may cause a crash, a hang, or more memory use than the size of
// the text justifies.

#include "core/formats/call_log/call_log_reader.h"
#include "core/trace/merged_events.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace helio;
using namespace helio::calllog;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Tool found = findTool(text, true);
    (void)isSummary(text);
    for (const Tool tool : {Tool::Strace, Tool::Ltrace}) {
        (void)hasTimes(text, tool);
        // For the detected tool, the text and its first half are read together, like two files of `strace -ff`; for the other tool, only
        // the text is read.
        const std::array files{LogText{text, -1, "a"}, LogText{text.substr(0, size / 2), 7, "b.7"}};
        auto log = readCallLog(std::span(files).first(tool == found ? 2 : 1), tool, {});
        if (!log)
            continue;
        const StoredTrace trace({}, std::move(log->recording));
        MergedEvents events(trace);
        SampleView sample;
        while (events.next())
            if (trace.samples())
                (void)trace.samples()->read(events.event(), sample);
    }
    return 0;
}
