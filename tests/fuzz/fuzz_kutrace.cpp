// Fuzzer of the reader of KUtrace's JSON files; reads all events. No input may cause a crash, a hang, or more memory use than the size of
// the file justifies.

#include "core/formats/kutrace/kutrace_reader.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace helio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    kutrace::isTimeline(text);
    auto read = kutrace::readTimeline(text, "file", {});
    if (!read)
        return 0;
    const StoredTrace trace({}, std::move(read->recording));
    HostTimestamp last = HostTimestamp::min();
    for (std::uint32_t i = 0; i < trace.streams().size(); ++i) {
        const auto stream = trace.openStream(i, {});
        EventBatch batch;
        while (stream->next(batch))
            for (const EventRecord& record : batch.records) {
                if (record.time < last || record.headerBit >= batch.packet.contentBits)
                    std::abort();
                last = record.time;
            }
    }
    return 0;
}
