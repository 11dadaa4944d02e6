#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace helio {

/// Lock file that exists while a plug-in is being loaded. If the program crashes meanwhile, the file stays, and the next start recognizes
/// the crash. The process holds a file lock on its file: several processes may load the same plug-in at once, so a locked file is no
/// sign of a crash.
class PluginLoadLock {
public:
    /// Creates the lock file, and `folder` if necessary. The file is synced to disk before the function returns.
    /// Errors: Unreadable if the file cannot be written.
    static Result<PluginLoadLock> make(const std::filesystem::path& folder, const std::string& hash);
    /// Removes the lock file: the plug-in was loaded or refused.
    ~PluginLoadLock();
    PluginLoadLock(PluginLoadLock&& other) noexcept;
    PluginLoadLock(const PluginLoadLock&) = delete;
    PluginLoadLock& operator=(const PluginLoadLock&) = delete;

    /// Returns the path of the note that PluginCrashGuard creates if the program crashes in the plug-in's own code.
    static std::filesystem::path crashNotePath(const std::filesystem::path& folder, const std::string& hash);
    /// True if a program crashed while it loaded or ran the plug-in with this hash.
    static bool hasCrashed(const std::filesystem::path& folder, const std::string& hash);
    /// Removes the files that crashes left, so that the plug-in may be loaded again.
    static void forgetCrash(const std::filesystem::path& folder, const std::string& hash);

private:
    PluginLoadLock(std::filesystem::path file, int descriptor)
        : m_file(std::move(file))
        , m_descriptor(descriptor)
    {
    }

    std::filesystem::path m_file;
    int m_descriptor; ///< File descriptor with the file lock; negative if this object was moved from.
};

} // namespace helio
