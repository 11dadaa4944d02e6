#pragma once

#include "core/trace/fields/field_value.h"
#include "core/trace/merged_events.h"
#include "core/trace/trace.h"
#include "tests/fuzz/fuzz_input.h"

namespace helio {

/// Decodes all events and samples of a trace.
inline void decodeAll(const Trace& trace)
{
    MergedEvents events(trace);
    SampleView sample;
    while (events.next()) {
        decodeContext(events.event());
        decodeSection(events.event(), Section::Payload);
        if (trace.samples())
            (void)trace.samples()->read(events.event(), sample);
    }
    if (trace.hasKernelFunctions())
        (void)trace.kernelFunction(0xffffffff81000000);
}

/// Writes the bytes to a temporary file, opens it in the given format, and decodes it.
inline void openAndDecode(const TraceFormat& format, std::string_view bytes)
{
    static const FuzzFolder folder;
    for (const TraceSource& source : format.find(folder.write("trace", bytes)))
        if (const auto trace = format.open(source))
            decodeAll(**trace);
}

} // namespace helio
