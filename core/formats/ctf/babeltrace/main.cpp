// heliograph-babeltrace2 reads a CTF trace with libbabeltrace2. The program heliograph starts it for traces that its own reader does not
// support. It is not meant for users: it writes the messages of core/formats/ctf/foreign/foreign_messages.h to its standard output.
//
//   heliograph-babeltrace2 SECONDS VERSION describe FOLDER...
//   heliograph-babeltrace2 SECONDS VERSION stream PORT STREAM FIRST-EVENT FOLDER...

#include "core/formats/ctf/babeltrace/bt2_description.h"
#include "core/formats/ctf/babeltrace/bt2_stream.h"
#include "core/formats/ctf/foreign/foreign_messages.h"
#include "core/helper/program/helper_main.h"
#include "core/helper/program/sandbox.h"

#include <cstdlib>
#include <ranges>
#include <string_view>

namespace {

using namespace helio;
using foreign::WireMessageKind;

/// Limit of the address space in bytes. It suffices because the library maps only parts of stream files at a time.
constexpr std::uint64_t MemoryBytes = std::uint64_t{4} << 30;

int sendDescription(const std::vector<std::filesystem::path>& folders)
{
    const auto described = bt2::describe(folders);
    WireWriter writer(described ? WireMessageKind::Described : WireMessageKind::Failure);
    described ? writer(*described) : writer(described.error());
    writeToHeliograph(writer.message());
    return 0;
}

void sendBatch(const EventBatch& batch)
{
    WireWriter writer(WireMessageKind::Batch);
    writer(batch.packet.contentBits, batch.packet.contextBit, batch.packetIndex, batch.isOrdered, batch.begin, batch.losses);
    writer.putBytes({batch.packet.data, batch.packet.contentBits / 8});
    writer.putBytes(std::as_bytes(std::span(batch.records.data(), batch.records.size())));
    writeToHeliograph(writer.message());
}

int sendStream(bt2::StreamSelection choice, std::uint64_t seconds)
{
    bt2::Stream stream(std::move(choice));
    EventBatch batch;
    while (stream.next(batch)) {
        sendBatch(batch);
        allowCpuSeconds(seconds);
    }
    WireWriter writer(WireMessageKind::End);
    writer(stream.diagnostics());
    writeToHeliograph(writer.message());
    return 0;
}

std::uint64_t numberOf(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10); }

} // namespace

int main(int argc, char** argv)
{
    const auto [seconds, arguments] = helperArguments(argc, argv, 2);
    const bool isStream = arguments[0] == "stream" && arguments.size() > 4;
    if (!isStream && arguments[0] != "describe")
        return 2;
    limitHelper(MemoryBytes);
    allowCpuSeconds(seconds);
    const std::vector<std::filesystem::path> folders(arguments.begin() + (isStream ? 4 : 1), arguments.end());
    auto readable = libraryPaths(); // The library loads its reader of CTF from there.
    if (const char* plugins = std::getenv("BABELTRACE_PLUGIN_PATH"))
        for (const auto folder : std::views::split(std::string_view(plugins), ':'))
            readable.emplace_back(folder.begin(), folder.end());
    readable.insert(readable.end(), folders.begin(), folders.end());
    enterSandbox(readable);
    if (!isStream)
        return sendDescription(folders);
    return sendStream({folders, numberOf(arguments[1]), static_cast<std::uint32_t>(numberOf(arguments[2])), numberOf(arguments[3])},
                      seconds);
}
