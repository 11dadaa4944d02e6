// heliograph-libdw reads the debug information of one file with libdw. Heliograph starts this program to find source lines; users do not
// start it. It reads the file from the descriptor FirstFile, and the shared file of dwz, if there is one, from FirstFile + 1. The messages
// on its standard input and output are those of debug_info_messages.h.
//
//   heliograph-libdw SECONDS MOST-BYTES HAS-SHARED-FILE SPLIT-FILE...
//
// SECONDS limits the CPU time of each answer, MOST-BYTES the memory of what was read. Besides the open files, only the SPLIT-FILEs can be
// read.

#include "core/helper/program/helper_main.h"
#include "core/helper/program/sandbox.h"
#include "core/symbol/libdw/debug_info_messages.h"
#include "core/symbol/libdw/dwarf_lines.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace {

using namespace helio;

/// Limit of the address space in bytes, besides the mapped file and its decompressed sections.
constexpr std::uint64_t MemoryBytes = std::uint64_t{4} << 30;
constexpr std::uint64_t Decompression = 4; ///< Sections are compressed to a quarter at least.

std::uint64_t memoryFor(int file)
{
    struct stat facts = {};
    return MemoryBytes + (::fstat(file, &facts) == 0 ? (1 + Decompression) * static_cast<std::uint64_t>(facts.st_size) : 0);
}

void send(DebugInfoMessage kind, const auto& content)
{
    WireWriter message(kind);
    message(content);
    writeToHeliograph(message.message());
}

/// Answers one request. Returns false if it is invalid.
bool answer(const HelperRequest& request, DwarfLines& lines)
{
    WireReader wire(request.bytes);
    std::uint64_t begin = 0, end = 0;
    switch (const auto kind = static_cast<DebugInfoMessage>(request.kind)) {
    case DebugInfoMessage::FramesAt:
        wire(begin);
        send(kind, lines.framesAt(begin));
        return wire.isGood();
    case DebugInfoMessage::LinesOf:
        wire(begin, end);
        send(kind, lines.linesOf(begin, end));
        return wire.isGood();
    default: return false;
    }
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fputs("heliograph-libdw is part of heliograph, which starts it as needed.\n", stderr);
        return 2;
    }
    const std::uint64_t seconds = std::strtoull(argv[1], nullptr, 10);
    const std::vector<std::filesystem::path> splitFiles(argv + 4, argv + argc);
    limitHelper(memoryFor(FirstFile));
    allowCpuSeconds(seconds);
    enterSandbox(splitFiles);
    const bool hasSharedFile = std::string(argv[3]) == "1";
    DwarfLines lines(FirstFile, hasSharedFile ? FirstFile + 1 : -1, std::strtoull(argv[2], nullptr, 10));
    send(DebugInfoMessage::Opened, OpenedDebugInfo{!lines.isEmpty(), lines.splitFiles()});
    while (const auto request = readFromHeliograph()) {
        allowCpuSeconds(seconds);
        if (!answer(*request, lines))
            return 1;
    }
    return 0;
}
