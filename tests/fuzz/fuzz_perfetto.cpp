// Fuzzer of the reader of Perfetto traces; decodes all events. The input is a trace, or chooses the fields of valid protobuf packets. No
// input may cause a crash, a hang, or more memory use than the size of the file justifies.

#include "core/formats/perfetto/packets.h"
#include "core/formats/perfetto/perfetto_reader.h"
#include "core/formats/perfetto/perfetto_trace.h"
#include "tests/fuzz/fuzz_formats.h"

#include <iterator>

using namespace helio;

namespace {

void addNumber(std::string& bytes, std::uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>(value | 0x80);
    bytes += static_cast<char>(value);
}

void addBytes(std::string& bytes, std::uint32_t field, std::string_view content)
{
    addNumber(bytes, field << 3 | 2);
    addNumber(bytes, content.size());
    bytes += content;
}

/// Makes a message of random fields. The types of most fields are likely to fit, because field numbers are mostly low.
std::string makeMessage(FuzzInput& input, unsigned depth = 0)
{
    std::string bytes;
    for (std::size_t left = input.below(8); left > 0 && !input.isEmpty(); --left) {
        const std::uint8_t choice = input.byte();
        const std::uint32_t field = choice < 200 ? 1 + choice % 24 : choice < 240 ? input.byte() : input.take<std::uint16_t>() % 512 + 1;
        switch (input.byte() % 8) {
        case 0:
        case 1:
        case 2:
            addNumber(bytes, field << 3);
            addNumber(bytes, input.number());
            break;
        case 3:
            addNumber(bytes, field << 3 | 1);
            bytes.append(8, static_cast<char>(input.byte()));
            break;
        case 4: addBytes(bytes, field, input.text().substr(0, 32)); break;
        default: addBytes(bytes, field, depth < 5 ? makeMessage(input, depth + 1) : "");
        }
    }
    return bytes;
}

struct Shape;

/// A field that the reader knows.
struct KnownField {
    enum class Kind : std::uint8_t { Small, Number, Text, Fixed, Packed, Message };
    std::uint32_t number = 0;
    Kind kind = Kind::Small;
    const Shape* shape = nullptr; ///< Fields of a message; nullptr for any fields.
};

struct Shape {
    std::span<const KnownField> fields;
};

using enum KnownField::Kind;
// Interned data: an entry has a small number, by which other messages refer to it.
constexpr KnownField EntryFields[] = {{1, Small}, {2, Text}, {2, Small}, {3, Small}, {4, Number}, {5, Number}, {6, Small}, {7, Small}};
constexpr Shape Entry{EntryFields};
constexpr KnownField InternedFields[] = {{1, Message, &Entry},  {2, Message, &Entry},  {3, Message, &Entry},  {4, Message, &Entry},
                                         {5, Message, &Entry},  {6, Message, &Entry},  {7, Message, &Entry},  {16, Message, &Entry},
                                         {17, Message, &Entry}, {18, Message, &Entry}, {19, Message, &Entry}, {20, Message, &Entry},
                                         {26, Message, &Entry}, {29, Message, &Entry}, {43, Message, &Entry}};
constexpr Shape Interned{InternedFields};
constexpr KnownField NestedFields[] = {{1, Small}, {2, Text}, {3, Message}, {4, Message}, {5, Number}, {6, Fixed}, {7, Small}, {8, Text}};
constexpr Shape Nested{NestedFields};
extern const Shape annotation;
constexpr KnownField AnnotationFields[] = {{1, Small},
                                           {10, Text},
                                           {2, Small},
                                           {3, Number},
                                           {4, Number},
                                           {5, Fixed},
                                           {6, Text},
                                           {7, Number},
                                           {9, Text},
                                           {8, Message, &Nested},
                                           {11, Message, &annotation},
                                           {12, Message, &annotation},
                                           {14, Text},
                                           {17, Small}};
const Shape annotation{AnnotationFields};
constexpr KnownField LegacyFields[] = {{1, Small},  {2, Number}, {3, Number}, {6, Small},  {7, Text},   {8, Small}, {10, Small},
                                       {11, Small}, {12, Small}, {13, Small}, {14, Small}, {18, Small}, {19, Small}};
constexpr Shape Legacy{LegacyFields};
constexpr KnownField EventFields[] = {{9, Small},
                                      {9, Small},
                                      {9, Small},
                                      {11, Small},
                                      {11, Small},
                                      {10, Small},
                                      {23, Text},
                                      {3, Packed},
                                      {22, Text},
                                      {1, Number},
                                      {16, Number},
                                      {30, Number},
                                      {44, Fixed},
                                      {12, Packed},
                                      {31, Packed},
                                      {45, Packed},
                                      {36, Packed},
                                      {42, Packed},
                                      {46, Fixed},
                                      {47, Fixed},
                                      {48, Fixed},
                                      {4, Message, &annotation},
                                      {4, Message, &annotation},
                                      {6, Message, &Legacy},
                                      {21, Message},
                                      {33, Message, &Entry},
                                      {34, Small},
                                      {52, Small},
                                      {53, Text},
                                      {54, Small},
                                      {55, Message, &Entry},
                                      {56, Small}};
constexpr Shape Event{EventFields};
constexpr KnownField ProcessFields[] = {{1, Small}, {2, Text}, {3, Small}, {5, Small}, {6, Text}, {8, Text}};
constexpr Shape Process{ProcessFields};
constexpr KnownField ThreadFields[] = {{1, Small}, {2, Small}, {3, Small}, {5, Text}};
constexpr Shape Thread{ThreadFields};
constexpr KnownField CounterFields[] = {{1, Small}, {3, Small}, {4, Number}, {5, Small}, {6, Text}};
constexpr Shape Counter{CounterFields};
constexpr KnownField DescriptorFields[] = {{1, Small},
                                           {2, Text},
                                           {3, Message, &Process},
                                           {4, Message, &Thread},
                                           {5, Small},
                                           {8, Message, &Counter},
                                           {11, Small},
                                           {12, Small},
                                           {13, Text},
                                           {15, Small},
                                           {16, Text},
                                           {17, Small}};
constexpr Shape Descriptor{DescriptorFields};
constexpr KnownField SwitchFields[] = {{1, Text}, {2, Small}, {3, Small}, {4, Small}, {5, Text}, {6, Small}, {7, Small}};
constexpr Shape Switch{SwitchFields};
constexpr KnownField FtraceEventFields[] = {{1, Number},
                                            {1, Number},
                                            {2, Small},
                                            {4, Message, &Switch},
                                            {4, Message, &Switch},
                                            {20, Message, &Switch},
                                            {327, Message, &annotation}};
constexpr Shape FtraceEvent{FtraceEventFields};
constexpr KnownField CompactFields[] = {{1, Packed}, {2, Packed}, {3, Packed}, {4, Packed},  {5, Text},   {6, Packed},
                                        {7, Packed}, {8, Packed}, {9, Packed}, {10, Packed}, {11, Packed}};
constexpr Shape Compact{CompactFields};
constexpr KnownField BundleFields[] = {{1, Small},
                                       {2, Message, &FtraceEvent},
                                       {2, Message, &FtraceEvent},
                                       {2, Message, &FtraceEvent},
                                       {3, Small},
                                       {4, Message, &Compact},
                                       {5, Small},
                                       {6, Number},
                                       {7, Number},
                                       {11, Message}};
constexpr Shape Bundle{BundleFields};
constexpr KnownField SampleFields[] = {{1, Small},  {2, Small},  {3, Small},   {4, Small},  {5, Small},
                                       {6, Number}, {16, Small}, {17, Number}, {18, Small}, {19, Message}};
constexpr Shape Sample{SampleFields};
constexpr KnownField ReadingFields[] = {{1, Small}, {1, Small}, {2, Number}, {3, Small}, {4, Small}};
constexpr Shape Reading{ReadingFields};
constexpr KnownField ClockFields[] = {{1, Message, &Reading}, {1, Message, &Reading}, {1, Message, &Reading}, {2, Small}};
constexpr Shape Clocks{ClockFields};
constexpr KnownField DefaultsFields[] = {{11, Message, &Event}, {12, Message}, {58, Small}};
constexpr Shape Defaults{DefaultsFields};
constexpr KnownField TreeFields[] = {{1, Message, &Process}, {2, Message, &Thread}, {3, Number}};
constexpr Shape Tree{TreeFields};

/// Makes a message of fields that the reader knows.
std::string makeKnownMessage(FuzzInput& input, const Shape& shape, unsigned depth = 0)
{
    std::string bytes;
    for (std::size_t left = 1 + input.below(8); left > 0 && !input.isEmpty(); --left) {
        const KnownField& field = shape.fields[input.below(shape.fields.size())];
        switch (field.kind) {
        case Small:
        case Number:
            addNumber(bytes, field.number << 3);
            addNumber(bytes, field.kind == Small ? input.byte() % 8 : input.number());
            break;
        case Fixed:
            addNumber(bytes, field.number << 3 | 1);
            bytes += FuzzBytes().u64(input.flag() ? input.byte() % 8 : input.number()).all;
            break;
        case Text: addBytes(bytes, field.number, input.text().substr(0, 32)); break;
        case Packed: {
            std::string numbers;
            for (std::size_t count = input.below(6); count > 0; --count)
                addNumber(numbers, input.byte() % 8 == 0 ? input.number() : input.byte() % 8);
            addBytes(bytes, field.number, numbers);
            break;
        }
        case Message:
            addBytes(bytes, field.number,
                     depth > 5         ? ""
                         : field.shape ? makeKnownMessage(input, *field.shape, depth + 1)
                                       : makeMessage(input, depth + 1));
        }
    }
    return bytes;
}

std::string makeTrace(FuzzInput& input)
{
    // Fields of a packet that have a reader: ftrace, processes, statistics, clocks, track events, descriptors, interned data, samples.
    constexpr KnownField Payloads[] = {{1, Message, &Bundle},
                                       {1, Message, &Bundle},
                                       {2, Message, &Tree},
                                       {6, Message, &Clocks},
                                       {7, Message},
                                       {9, Message},
                                       {11, Message, &Event},
                                       {11, Message, &Event},
                                       {11, Message, &Event},
                                       {11, Message, &Event},
                                       {12, Message, &Interned},
                                       {12, Message, &Interned},
                                       {43, Message, &Process},
                                       {44, Message, &Thread},
                                       {45, Message},
                                       {54, Message},
                                       {59, Message, &Defaults},
                                       {60, Message, &Descriptor},
                                       {60, Message, &Descriptor},
                                       {66, Message, &Sample},
                                       {107, Message, &Clocks},
                                       {117, Message},
                                       {122, Message, &Tree}};
    std::string trace;
    std::uint64_t time = 1'000'000;
    while (!input.isEmpty()) {
        std::string packet;
        addNumber(packet, 8 << 3);
        addNumber(packet, time += input.byte());
        addNumber(packet, 10 << 3); // The sequence.
        addNumber(packet, 1 + input.byte() % 2);
        addNumber(packet, 13 << 3); // The sequence's state is cleared by the first packet, and needed by others.
        addNumber(packet, trace.empty() ? 1 : input.byte() % 16 == 0 ? input.byte() : 2);
        for (std::size_t left = 1 + input.below(2); left > 0; --left) {
            const KnownField& field = Payloads[input.below(std::size(Payloads))];
            const std::uint32_t number = input.byte() % 16 == 0 ? input.byte() + 1U : field.number;
            addBytes(packet, number, field.shape ? makeKnownMessage(input, *field.shape) : makeMessage(input));
        }
        addBytes(trace, 1, packet);
    }
    return trace;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    FuzzInput input(data, size);
    const bool isMade = size > 0 && data[0] != '\n'; // A trace begins with the tag of a packet, which is the byte of a line feed.
    const std::string bytes = isMade ? makeTrace(input) : std::string(fuzzText(data, size));
    (void)perfetto::isPerfettoTrace(bytes);
    auto read = perfetto::readPerfetto(bytes, "trace", {});
    if (!read)
        return 0;
    const perfetto::PerfettoTrace trace({}, std::move(*read));
    if (!trace.streams().empty())
        decodeAll(trace);
    return 0;
}
