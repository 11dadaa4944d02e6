#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace helio {

/// What is known of one file from before.
struct PluginDecision {
    enum class Kind {
        Allowed, ///< A person said that it may be loaded, as it was then.
        Forbidden, ///< A person said that it is never to be loaded, whatever it becomes.
        Unusable, ///< It was loaded and turned out to be none that works here.
    };
    Kind kind = Kind::Allowed;
    std::string hash; ///< Of the file as it was.
    std::string reason{}; ///< Unusable: why.
    bool operator==(const PluginDecision&) const = default;
};

/// What was decided of plug-ins, by the paths of their files: kept in one text file.
///
/// A line a file: the kind's word, the hash, the path and the reason, with a tab between each; tabs, line ends and backslashes are
/// written \t, \n and \\. Lines that are not so are left out. What a program with another version of the interface found unusable counts as
/// not decided: this one may know it.
class PluginDecisions {
public:
    using Map = std::map<std::filesystem::path, PluginDecision>;

    explicit PluginDecisions(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }

    /// As the file says now; nothing where there is none.
    Map all() const;

    /// Writes it down at once, and durably, beside what others wrote. Errors: Unreadable, Full: it could not be written.
    Status set(const std::filesystem::path& plugin, const PluginDecision& decision) const;

private:
    std::filesystem::path m_file;
};

} // namespace helio
