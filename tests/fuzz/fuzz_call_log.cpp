// Reads any bytes as logs of strace, ltrace and perf trace: no input may cause a crash, a hang, or memory use that the text's size does not
// bound.

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
        // One text serves as a log, and as the two files of strace -ff.
        const std::array files{LogText{text, -1, "a"}, LogText{text.substr(0, size / 2), 7, "b.7"}};
        auto log = readCallLog(std::span(files).first(tool == found ? 2 : 1), tool, {});
        if (!log)
            continue;
        const StoredTrace trace({}, std::move(log->recording), ContextSize);
        MergedEvents events(trace);
        SampleView sample;
        while (events.next())
            if (trace.samples())
                (void)trace.samples()->read(events.event(), sample);
    }
    return 0;
}
