// Fuzzer of the reader of Perfetto traces; decodes all events. No input may cause a crash, a hang, or more memory use than the size of the
// file justifies.

#include "core/formats/perfetto/perfetto_reader.h"
#include "core/formats/perfetto/perfetto_trace.h"
#include "core/trace/fields/field_value.h"

#include <cstdint>
#include <string_view>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    auto read = perfetto::readPerfetto({reinterpret_cast<const char*>(data), size}, "trace", {});
    if (!read)
        return 0;
    const perfetto::PerfettoTrace trace({}, std::move(*read));
    if (trace.streams().empty())
        return 0;
    const auto stream = trace.openStream(0, {});
    EventBatch batch;
    while (stream->next(batch)) {
        for (const EventRecord& record : batch.records) {
            const EventView event{&record, &trace.eventTypes()[record.type], batch.packet, 0};
            decodeContext(event);
            decodeSection(event, Section::Payload);
            SampleView sample;
            if (trace.samples())
                trace.samples()->read(event, sample);
        }
    }
    return 0;
}
