#include "core/plugin/plugin_file.h"

#include "core/io/mapped_file.h"
#include "core/plugin/sha256.h"

#include <algorithm>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace helio {

namespace fs = std::filesystem;

namespace {

/// Returns the reason why another user may have written the file or folder, as a sentence that begins with `what`; empty if only the
/// current user and the system may have.
std::string findUnsafeReason(const fs::path& path, const std::string& what)
{
    struct stat facts = {};
    if (::stat(path.c_str(), &facts) != 0)
        return what + " cannot be looked at";
    if (facts.st_uid != 0 && facts.st_uid != ::geteuid())
        return what + " belongs to another user (number " + std::to_string(facts.st_uid) + ")";
    if (facts.st_mode & S_IWOTH)
        return what + " may be written by everybody";
    return {};
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
    if (file.unsafeReason.empty()) // a user who can write the folder can replace the file
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

} // namespace helio
