#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>

namespace helio {

/// A file that is there while a plug-in is being loaded: where the program ends in the middle of that, it stays behind, and the next start
/// knows. It is locked as long as the process lives, so that of several programs that load the same at once none believes that another
/// has crashed.
class LoadingMark {
public:
    /// Durable before it is answered. `folder` is made where it is not there. Errors: Unreadable: it cannot be written.
    static Result<LoadingMark> make(const std::filesystem::path& folder, const std::string& hash);
    ~LoadingMark(); ///< The plug-in is loaded, or was refused.
    LoadingMark(LoadingMark&& other) noexcept;
    LoadingMark(const LoadingMark&) = delete;
    LoadingMark& operator=(const LoadingMark&) = delete;

    /// The file that is made where a program ends in the plug-in's own code (PluginAtWork).
    static std::filesystem::path noteOf(const std::filesystem::path& folder, const std::string& hash);
    /// A program ended while it loaded the plug-in with that hash, or ran it.
    static bool hasCrashed(const std::filesystem::path& folder, const std::string& hash);
    /// It may be tried again.
    static void forgetCrash(const std::filesystem::path& folder, const std::string& hash);

private:
    LoadingMark(std::filesystem::path file, int descriptor)
        : m_file(std::move(file))
        , m_descriptor(descriptor)
    {
    }

    std::filesystem::path m_file;
    int m_descriptor; ///< Negative: it was moved away.
};

} // namespace helio
