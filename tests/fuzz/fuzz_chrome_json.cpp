// Fuzzer of the reader of Chrome's Trace Event Format (JSON); decodes all track events. No input may cause a crash, a hang, or more memory
// use than the size of the file justifies.

#include "core/event_model/track_event_decoder.h"
#include "core/formats/chrome_json/chrome_json_reader.h"
#include "core/trace/fields/field_value.h"
#include "core/trace/stored/track_events.h"

#include <cstdint>
#include <string_view>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    chromejson::isChromeJson(text);
    TrackEvent marker;
    parseMarker(text, marker);
    auto read = chromejson::readChromeJson(text, "trace", {});
    if (!read)
        return 0;
    const StoredTrace trace({}, std::move(read->recording));
    if (trace.streams().empty())
        return 0;
    const TrackEventDecoder decoder(trace);
    const auto stream = trace.openStream(0, {});
    EventBatch batch;
    while (stream->next(batch)) {
        for (const EventRecord& record : batch.records) {
            const EventView event{&record, &trace.eventTypes()[record.type], batch.packet, 0};
            TrackEvent decoded;
            decoder.decode(event, decoded);
            decodeContext(event);
            decodeSection(event, Section::Payload);
        }
    }
    return 0;
}
