// heliograph-traceevent prints tracepoint events as text with the library libtraceevent. Heliograph starts this program to show the text of
// events; users do not start it. The program reads messages from standard input and writes messages to standard output; the kinds of
// messages are defined in core/trace/tracepoint/tracepoint_texts.h.

#include "core/formats/trace_dat/traceevent/trace_event_library.h"
#include "core/helper/program/helper_main.h"
#include "core/helper/program/sandbox.h"
#include "core/trace/fields/binary_reader.h"
#include "core/trace/tracepoint/tracepoint_texts.h"

#include <bit>
#include <cstring>
#include <map>

namespace {

using namespace helio;
using tracepoint::TextMessage;

/// Limit of the address space of this process in bytes. The symbols of a kernel need about 100 MB of it.
constexpr std::uint64_t MemoryBytes = std::uint64_t{2} << 30;

struct Format {
    std::string system;
    std::string text;
};

void answer(TextMessage kind, std::string_view text)
{
    static std::vector<std::byte> message;
    const MessageHeader head{text.size(), std::uint8_t(kind)};
    message.resize(sizeof head + text.size());
    std::memcpy(message.data(), &head, sizeof head);
    std::memcpy(message.data() + sizeof head, text.data(), text.size());
    writeToHeliograph(message);
}

void takeKernel(BinaryReader& reader, TraceEventLibrary& library)
{
    const bool isBigEndian = reader.u8() != 0;
    const int longSize = reader.u8();
    library.setKernel(isBigEndian, longSize, static_cast<int>(reader.u32()));
    const std::string symbols(reader.text(reader.u64()));
    library.setSymbols(symbols);
    library.setPrintkFormats(reader.restAsText());
}

} // namespace

int main(int argc, char** argv)
{
    const std::uint64_t seconds = helperArguments(argc, argv).cpuSeconds;
    limitHelper(MemoryBytes);
    TraceEventLibrary library; // It loads its plug-ins now; later it needs no files.
    enterSandbox();
    std::map<std::uint64_t, Format> formats; // Formats that the library has not parsed yet, by the ids of their tracepoints.
    std::string text;
    for (;;) {
        allowCpuSeconds(seconds);
        auto request = readFromHeliograph();
        if (!request)
            return 0;
        BinaryReader reader(request->bytes, std::endian::native == std::endian::little ? ByteOrder::Little : ByteOrder::Big);
        switch (TextMessage(request->kind)) {
        case TextMessage::Kernel: takeKernel(reader, library); break;
        case TextMessage::Format: {
            const std::uint64_t id = reader.u64();
            Format& format = formats[id];
            format.system = reader.line();
            format.text = reader.restAsText();
            break;
        }
        case TextMessage::Record: {
            // The library may die of a format: it is parsed only now, when the answers about the records before are sent.
            if (const auto format = formats.extract(reader.u64()); !format.empty())
                library.addFormat(format.mapped().system, format.mapped().text);
            const std::int32_t cpu = reader.i32();
            const bool hasText = library.print(cpu, std::span(request->bytes).subspan(reader.position()), text);
            answer(hasText ? TextMessage::Text : TextMessage::NoText, hasText ? std::string_view(text) : std::string_view());
            break;
        }
        default: return 1;
        }
    }
}
