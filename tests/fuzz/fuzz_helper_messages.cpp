// Fuzzer of the messages of the helper program that reads CTF with libbabeltrace2, as a trace that took over the program could send them.
// No message may cause a crash, a hang, or more memory use than its size justifies.

#include "core/formats/ctf/foreign/foreign_messages.h"
#include "core/trace/fields/field_value.h"
#include "tests/fuzz/fuzz_input.h"

using namespace helio;
using namespace helio::foreign;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    WireReader wire(fuzzBytes(fuzzText(data, size)));
    TraceDescription description;
    wire(description);
    if (!wire.isGood())
        return 0;
    EventTypes types;
    const EventRecord record{};
    for (EventType& type : description.types) {
        const EventTypeId id = types.add(std::move(type));
        const EventView event{&record, &types[id], {reinterpret_cast<const std::byte*>(data), size * 8, 0}, 0};
        decodeContext(event);
        decodeSection(event, Section::Payload);
    }
    return 0;
}
