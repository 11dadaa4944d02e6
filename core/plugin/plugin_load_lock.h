#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace helio {

/// A file that exists while a plug-in is being loaded. If the program crashes meanwhile, the file stays behind, and the next start finds
/// it. The process keeps its file locked. If several processes load the same plug-in at once, a locked file therefore does not count as a
/// sign of a crash.
class PluginLoadLock {
public:
    /// Makes the file, synced to disk before the function returns, and `folder` if necessary. Errors: Unreadable if the file cannot be
    /// written.
    static Result<PluginLoadLock> make(const std::filesystem::path& folder, const std::string& hash);
    /// Removes the file: the plug-in was loaded or refused.
    ~PluginLoadLock();
    PluginLoadLock(PluginLoadLock&& other) noexcept;
    PluginLoadLock(const PluginLoadLock&) = delete;
    PluginLoadLock& operator=(const PluginLoadLock&) = delete;

    /// Returns the path of the file that is made if the program crashes in the plug-in's own code (PluginCrashGuard).
    static std::filesystem::path crashNotePath(const std::filesystem::path& folder, const std::string& hash);
    /// True if a program crashed while it loaded or ran the plug-in with that hash.
    static bool hasCrashed(const std::filesystem::path& folder, const std::string& hash);
    /// Removes the files left by crashes, so that the plug-in may be loaded again.
    static void forgetCrash(const std::filesystem::path& folder, const std::string& hash);

private:
    PluginLoadLock(std::filesystem::path file, int descriptor)
        : m_file(std::move(file))
        , m_descriptor(descriptor)
    {
    }

    std::filesystem::path m_file;
    int m_descriptor; ///< Negative if the mark was moved from.
};

} // namespace helio
