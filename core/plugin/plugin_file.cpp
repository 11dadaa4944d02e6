#include "core/plugin/plugin_file.h"

#include "core/io/mapped_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <nettle/sha2.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace helio {

namespace fs = std::filesystem;

namespace fs = std::filesystem;
namespace fs = std::filesystem;

namespace {

/// Returns the reason why another user may have written the file or folder, as a sentence that begins with `what`; empty if only the
/// current user and the system can have written it.
std::string findUnsafeReason(const fs::path& path, const std::string& what)
{
    struct stat facts = {};
    if (::stat(path.c_str(), &facts) != 0)
        return what + " cannot be accessed";
    if (facts.st_uid != 0 && facts.st_uid != ::geteuid())
        return what + " belongs to another user (UID " + std::to_string(facts.st_uid) + ")";
    if (facts.st_mode & S_IWOTH)
        return what + " is writable by everyone";
    return {};
}

/// Returns an XDG base directory: the value of `variable`, else `otherwise`. Relative paths are ignored, as the specification demands.
fs::path userFolder(const char* variable, std::string_view otherwise)
{
    if (const char* set = std::getenv(variable); set && set[0] == '/')
        return set;
    const char* home = std::getenv("HOME");
    return fs::path(home && *home ? home : "/nonexistent") / otherwise;
}

#ifndef MFD_EXEC
/// Flag of memfd_create() since Linux 6.3: the memory may contain executable code, unless the system forbids this for all memory files.
constexpr unsigned MFD_EXEC = 0x10;
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

Result<PluginFile> readPluginFile(const fs::path& path)
{
    std::error_code error;
    PluginFile file;
    file.path = fs::canonical(path, error);
    if (error)
        return Error{error == std::errc::no_such_file_or_directory ? Error::Kind::NotFound : Error::Kind::Unreadable,
                     path.string() + ": " + error.message()};
    const auto bytes = MappedFile::open(file.path);
    if (!bytes)
        return Error{bytes.error().kind, path.string() + ": " + bytes.error().what};
    file.size = (*bytes)->bytes().size();
    file.hash = sha256Of((*bytes)->bytes());
    file.unsafeReason = findUnsafeReason(file.path, "it");
    if (file.unsafeReason.empty()) // The folder must be safe too: a user who can write the folder can replace the file.
        file.unsafeReason = findUnsafeReason(file.path.parent_path(), "its folder");
    return file;
}

std::vector<fs::path> sharedLibrariesIn(const fs::path& folder)
{
    std::vector<fs::path> found;
    std::error_code error;
    fs::directory_iterator it(folder, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error))
        if (it->path().extension() == ".so")
            found.push_back(it->path());
    std::ranges::sort(found);
    return found;
}

PluginFolders findPluginFolders()
{
    PluginFolders places;
    places.folders.push_back(userFolder("XDG_DATA_HOME", ".local/share") / "heliograph" / "plugins");
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (!error)
        places.folders.push_back((program.parent_path() / "../lib/heliograph/plugins").lexically_normal());
    places.notes = userFolder("XDG_CONFIG_HOME", ".config") / "heliograph" / "plugins";
    return places;
}

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
        // Keep the descriptor open, so that its number is not used again: for a known path, the loader returns the library that it
        // loaded before.
        return fs::path("/proc/self/fd") / std::to_string(descriptor);
    const std::string why = std::generic_category().message(errno);
    if (descriptor >= 0)
        ::close(descriptor);
    return Error{Error::Kind::Unreadable, file.string() + ": it cannot be copied into memory: " + why};
}

std::string sha256Of(std::span<const std::byte> bytes)
{
    sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
    sha256_digest(&context, digest.size(), digest.data());
    constexpr char Digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : digest) {
        text += Digits[byte / 16];
        text += Digits[byte % 16];
    }
    return text;
}

} // namespace helio
