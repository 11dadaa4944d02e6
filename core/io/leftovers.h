#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace helio {

// Temporary files and folders get their final name by rename(). They are locked while they are written, and the system drops the locks of a
// process that dies. An unlocked one is therefore a leftover of a dead process, which the next process that writes beside it removes.

/// Locks a temporary file or folder that was just created and opened as `descriptor`. Returns false if another process took it for a
/// leftover in the moment before; the caller then tries another name. On a file system without locks, returns true: leftovers stay there.
bool lockTemporary(int descriptor);

/// Removes the leftovers among the files and folders in `folder` whose names satisfy `isTemporaryName`.
/// Threads: any; several threads and processes may do this in one folder at once.
void removeLeftovers(const std::filesystem::path& folder, const std::function<bool(const std::string& name)>& isTemporaryName);

/// Temporary folder, in which a folder or file with a final name is prepared. The destructor removes it with its content, unless it was
/// renamed.
/// Threads: to be used by one thread.
class TemporaryFolder {
public:
    /// Creates the folder in `parent`; its name is `prefix` and six characters. Removes leftovers with this prefix. If isMade() is false
    /// then, errno has the cause.
    TemporaryFolder(const std::filesystem::path& parent, std::string_view prefix);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    bool isMade() const { return m_descriptor >= 0; }
    const std::filesystem::path& path() const { return m_path; }
    int descriptor() const { return m_descriptor; } ///< Descriptor of the folder, which holds the lock; -1 if it could not be made.

    /// Renames the folder. Returns false, with errno set, on failure.
    bool renameTo(const std::filesystem::path& target);

private:
    std::filesystem::path m_path; ///< Empty after the folder was renamed.
    int m_descriptor = -1;
};

} // namespace helio
