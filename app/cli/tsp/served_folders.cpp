#include "app/cli/tsp/served_folders.h"

#include <algorithm>
#include <system_error>

namespace helio {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t MostFiles = 100'000; ///< Maximum number of files of a trace whose links are checked.

bool isBelow(const fs::path& path, const fs::path& folder)
{
    const auto [atFolder, atPath] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return atFolder == folder.end();
}

} // namespace

Result<ServedFolders> ServedFolders::make(const std::vector<fs::path>& folders)
{
    ServedFolders served;
    for (const fs::path& folder : folders) {
        std::error_code error;
        const fs::path resolved = fs::canonical(folder, error);
        if (error || !fs::is_directory(resolved, error))
            return Error{Error::Kind::NotFound, folder.string() + ": " + (error ? error.message() : "not a folder")};
        served.m_folders.push_back(resolved);
    }
    return served;
}

bool ServedFolders::contain(const fs::path& resolved) const
{
    return std::ranges::any_of(m_folders, [&](const fs::path& folder) { return isBelow(resolved, folder); });
}

Result<fs::path> ServedFolders::resolve(const std::string& given) const
{
    const Error outside{Error::Kind::Usage, "the server opens only traces below its folders (--root)"};
    if (given.empty() || given.find('\0') != std::string::npos)
        return Error{Error::Kind::NotFound, "the path of the trace is empty or not valid"};
    std::error_code error;
    const fs::path path = fs::weakly_canonical(m_folders.front() / given, error); // An absolute path replaces the folder.
    if (error || !contain(path))
        return outside;
    const fs::path resolved = fs::canonical(path, error);
    if (error)
        return Error{Error::Kind::NotFound, given + ": " + error.message()};
    if (!contain(resolved))
        return outside;
    if (fs::is_directory(resolved, error))
        if (const Status checked = checkLinks(resolved); !checked)
            return checked.error();
    return resolved;
}

/// Checks that no symbolic link below a folder leads out of the served folders, because readers follow links to files.
Status ServedFolders::checkLinks(const fs::path& folder) const
{
    std::error_code error;
    std::size_t files = 0;
    for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end; !error && at != end;
         at.increment(error)) {
        if (++files > MostFiles)
            return Error{Error::Kind::Full,
                         folder.string() + ": more than " + std::to_string(MostFiles) + " files; name a folder below it"};
        std::error_code linkError;
        if (!at->is_symlink(linkError))
            continue;
        const fs::path target = fs::weakly_canonical(at->path(), linkError);
        if (linkError || !contain(target))
            return Error{Error::Kind::Usage, at->path().string() + ": the link leads out of the folders of the server (--root)"};
    }
    return Done{};
}

} // namespace helio
