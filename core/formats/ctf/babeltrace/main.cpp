// heliograph-babeltrace2 reads a CTF trace with libbabeltrace2. The program heliograph starts it for traces that its own reader does not
// support. It is not meant for users: it writes the messages of core/formats/ctf/foreign/foreign_wire.h to its standard output.
//
//   heliograph-babeltrace2 SECONDS describe FOLDER...
//   heliograph-babeltrace2 SECONDS stream PORT STREAM FIRST-EVENT FOLDER...
//
// SECONDS limits the CPU time from one message to the next.

#include "core/formats/ctf/babeltrace/bt2_description.h"
#include "core/formats/ctf/babeltrace/bt2_stream.h"
#include "core/formats/ctf/foreign/foreign_wire.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace helio;
using foreign::WireMessageKind;
using foreign::WireWriter;

/// Limit of the address space in bytes. It suffices because the library maps only parts of stream files at a time.
constexpr rlim_t MemoryBytes = rlim_t{4} << 30;

void setLimit(decltype(RLIMIT_CPU) what, rlim_t limit)
{
    rlimit now{};
    getrlimit(what, &now);
    now.rlim_cur = std::min(limit, now.rlim_max);
    setrlimit(what, &now);
}

/// Limits the CPU time from now on to `seconds`; SIGXCPU ends the process at the limit.
void allow(rlim_t seconds)
{
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    setLimit(RLIMIT_CPU, static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds + 1);
}

/// Writes the message that `writer` contains to standard output. Ends the process if the reading program has ended.
void send(WireWriter& writer)
{
    auto left = writer.message();
    while (!left.empty()) {
        const ssize_t written = write(STDOUT_FILENO, left.data(), left.size());
        if (written < 0 && errno != EINTR)
            std::exit(1);
        left = left.subspan(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
}

int sendDescription(const std::vector<std::filesystem::path>& folders)
{
    const auto described = bt2::describe(folders);
    WireWriter writer(described ? WireMessageKind::Described : WireMessageKind::Failure);
    described ? writer(*described) : writer(described.error());
    send(writer);
    return 0;
}

void sendBatch(const EventBatch& batch)
{
    WireWriter writer(WireMessageKind::Batch);
    writer(batch.packet.contentBits, batch.packet.contextBit, batch.packetIndex, batch.isOrdered, batch.begin, batch.losses);
    writer.putBytes({batch.packet.data, batch.packet.contentBits / 8});
    writer.putBytes(std::as_bytes(std::span(batch.records.data(), batch.records.size())));
    send(writer);
}

int sendStream(bt2::StreamSelection choice, rlim_t seconds)
{
    bt2::Stream stream(std::move(choice));
    EventBatch batch;
    while (stream.next(batch)) {
        sendBatch(batch);
        allow(seconds);
    }
    WireWriter writer(WireMessageKind::End);
    writer(stream.diagnostics());
    send(writer);
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
    const rlim_t seconds = numberOf(argv[1]);
// Limits the memory of this process, except in builds with sanitizers, whose shadow memory alone exceeds the limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    setLimit(RLIMIT_AS, MemoryBytes);
#endif
    setLimit(RLIMIT_CORE, 0);
    setLimit(RLIMIT_FSIZE, 0);
    allow(seconds);
    if (!isStream)
        return sendDescription({arguments.begin() + 3, arguments.end()});
    return sendStream(
        {{arguments.begin() + 6, arguments.end()}, numberOf(argv[3]), static_cast<std::uint32_t>(numberOf(argv[4])), numberOf(argv[5])},
        seconds);
}
