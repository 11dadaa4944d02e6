// heliograph-libarchive reads a tar or zip archive with libarchive. Heliograph starts this program to unpack an archive; users do not start
// it. It reads the archive from the descriptor FirstFile and writes the messages of archive_messages.h to its standard output. It opens no
// files: Heliograph checks the names and writes the files.
//
//   heliograph-libarchive SECONDS VERSION

#include "core/helper/program/helper_main.h"
#include "core/helper/program/sandbox.h"
#include "core/io/libarchive/archive_sender.h"

#include <clocale>
#include <cstdint>

namespace {

using namespace helio;

/// Limit of the address space in bytes. The window of the strongest compression (zstd --ultra --long=31) needs 2 GiB of it.
constexpr std::uint64_t MemoryBytes = std::uint64_t{4} << 30;

} // namespace

int main(int argc, char** argv)
{
    const std::uint64_t seconds = helperArguments(argc, argv).cpuSeconds;
    std::setlocale(LC_CTYPE, "C.UTF-8"); // libarchive converts names to this encoding.
    limitHelper(MemoryBytes);
    allowCpuSeconds(seconds);
    enterSandbox();
    sendArchive(FirstFile, [seconds](std::span<const std::byte> message) {
        writeToHeliograph(message);
        allowCpuSeconds(seconds);
    });
    return 0;
}
