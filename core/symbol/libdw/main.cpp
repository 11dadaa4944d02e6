// heliograph-libdw reads the debug information of one file with libdw. Heliograph starts this program to find source lines; users do not
// start it. It reads the file from the descriptor FirstFile, and the shared file of dwz, if there is one, from FirstFile + 1. The messages
// on its standard input and output are those of debug_info_messages.h.
//
//   heliograph-libdw SECONDS VERSION MOST-BYTES HAS-SHARED-FILE SPLIT-FILE...
//
// MOST-BYTES limits the memory of what was read. Besides the open files, only the SPLIT-FILEs can be
// read.

#include "core/helper/program/helper_main.h"
#include "core/helper/program/sandbox.h"
#include "core/symbol/libdw/debug_info_messages.h"
#include "core/symbol/libdw/dwarf_lines.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace {

using namespace helio;

/// Limit of the address space in bytes, besides the mapped file and its decompressed sections.
constexpr std::uint64_t MemoryBytes = std::uint64_t{4} << 30;
/// Memory for the bytes of a file in the file's size: the mapped file and its decompressed sections, which compilers make a third as large.
constexpr std::uint64_t MappedAndDecompressed = 5;

/// Returns the limit of the address space in bytes.
std::uint64_t memoryFor(int sharedFile, const std::vector<std::filesystem::path>& splitFiles)
{
    std::uint64_t bytes = 0;
    struct stat facts = {};
    for (const int file : {FirstFile, sharedFile})
        if (file >= 0 && ::fstat(file, &facts) == 0)
            bytes += static_cast<std::uint64_t>(facts.st_size);
    for (const auto& path : splitFiles)
        if (::stat(path.c_str(), &facts) == 0)
            bytes += static_cast<std::uint64_t>(facts.st_size);
    return MemoryBytes + MappedAndDecompressed * bytes;
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
    const HelperArguments arguments = helperArguments(argc, argv, 2);
    const std::uint64_t seconds = arguments.cpuSeconds;
    const std::uint64_t mostBytes = std::strtoull(arguments.rest[0].c_str(), nullptr, 10);
    const int sharedFile = arguments.rest[1] == "1" ? FirstFile + 1 : -1;
    const std::vector<std::filesystem::path> splitFiles(arguments.rest.begin() + 2, arguments.rest.end());
    limitHelper(memoryFor(sharedFile, splitFiles));
    allowCpuSeconds(seconds);
    enterSandbox(splitFiles);
    DwarfLines lines(FirstFile, sharedFile, mostBytes);
    send(DebugInfoMessage::Opened, OpenedDebugInfo{!lines.isEmpty(), lines.splitFiles()});
    while (const auto request = readFromHeliograph()) {
        allowCpuSeconds(seconds);
        if (!answer(*request, lines))
            return 1;
    }
    return 0;
}
