#include "core/plugin/sealed_copy.h"

#include "core/io/mapped_file.h"
#include "core/plugin/sha256.h"

#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <span>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace helio {

namespace fs = std::filesystem;

namespace {

#ifndef MFD_EXEC
constexpr unsigned MFD_EXEC = 0x10; ///< Since Linux 6.3: code may run from the memory, unless the system forbids this entirely.
#endif

int makeMemory(const std::string& name)
{
    const int descriptor = ::memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);
    return descriptor < 0 && errno == EINVAL ? ::memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING) : descriptor;
}

bool isWritten(int descriptor, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return ::fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

} // namespace

Result<fs::path> makeSealedCopy(const fs::path& file, const std::string& hash)
{
    const auto mapped = MappedFile::open(file);
    if (!mapped)
        return mapped.error();
    const std::span<const std::byte> there = (*mapped)->bytes();
    const std::vector<std::byte> bytes(there.begin(), there.end());
    if (sha256Of(bytes) != hash)
        return Error{Error::Kind::Corrupt, file.string() + ": it changed while it was being loaded"};
    const int descriptor = makeMemory(file.filename().string());
    if (descriptor >= 0 && isWritten(descriptor, bytes))
        return fs::path("/proc/self/fd") / std::to_string(descriptor); // never closed: the loader identifies libraries by path
    const std::string why = std::generic_category().message(errno);
    if (descriptor >= 0)
        ::close(descriptor);
    return Error{Error::Kind::Unreadable, file.string() + ": it cannot be copied into memory: " + why};
}

} // namespace helio
