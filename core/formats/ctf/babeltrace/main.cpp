// heliograph-babeltrace2 reads a CTF trace with libbabeltrace2. The program heliograph starts it for traces that its own reader does not
// support. It is not meant for users: it writes the messages of core/formats/ctf/foreign/foreign_messages.h to its standard output.
//
//   heliograph-babeltrace2 SECONDS describe FOLDER...
//   heliograph-babeltrace2 SECONDS stream PORT STREAM FIRST-EVENT FOLDER...
//
// SECONDS limits the CPU time from one message to the next.

#include "core/formats/ctf/babeltrace/bt2_description.h"
#include "core/formats/ctf/babeltrace/bt2_stream.h"
#include "core/formats/ctf/foreign/foreign_messages.h"
#include "core/helper/program/helper_main.h"
#include "core/helper/program/sandbox.h"

#include <cstdio>
#include <cstdlib>

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

std::uint64_t numberOf(const char* text) { return std::strtoull(text, nullptr, 10); }

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv, argv + argc);
    const bool isStream = argc > 6 && arguments[2] == "stream";
    if (!isStream && !(argc > 3 && arguments[2] == "describe")) {
        std::fputs("heliograph-babeltrace2 is part of heliograph, which starts it as needed.\n", stderr);
        return 2;
    }
    const std::uint64_t seconds = numberOf(argv[1]);
    limitHelper(MemoryBytes);
    allowCpuSeconds(seconds);
    const std::vector<std::filesystem::path> folders(arguments.begin() + (isStream ? 6 : 3), arguments.end());
    auto readable = libraryFolders(); // The library loads its reader of CTF from there.
    readable.insert(readable.end(), folders.begin(), folders.end());
    enterSandbox(readable);
    if (!isStream)
        return sendDescription(folders);
    return sendStream(
        {{arguments.begin() + 6, arguments.end()}, numberOf(argv[3]), static_cast<std::uint32_t>(numberOf(argv[4])), numberOf(argv[5])},
        seconds);
}
