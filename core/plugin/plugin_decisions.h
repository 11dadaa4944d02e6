#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace helio {

/// A decision about loading a plug-in file, as it is stored.
struct PluginDecision {
    enum class Kind {
        Allowed, ///< The user allowed loading the file as long as it has this hash.
        Forbidden, ///< The user forbade loading the file, even if it changes.
        Unusable, ///< The file was loaded, but does not work with this version of the program.
    };
    Kind kind = Kind::Allowed;
    std::string hash; ///< SHA-256 that the file had at the time of the decision.
    std::string reason{}; ///< Reason why the file is unusable; empty for other decisions.
    bool operator==(const PluginDecision&) const = default;
};

/// Stored decisions about plug-ins, in a text file, keyed by the paths of the plug-ins' files.
///
/// Each line of the text file contains the kind of the decision as a word, the hash, the path and the reason, separated by tabs. Tabs, line
/// feeds and backslashes are escaped: \t, \n and \\. Lines of any other form are ignored. If a decision "unusable" was stored by a program
/// with another version of the interface, the plug-in counts as undecided, because this program may support it.
class PluginDecisions {
public:
    using Map = std::map<std::filesystem::path, PluginDecision>;

    explicit PluginDecisions(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }

    /// Reads all decisions from the text file; empty if the file does not exist.
    Map all() const;

    /// Writes the decision to the text file, synced to disk. Decisions that other processes have written are kept.
    /// Errors: Unreadable or Full if the file cannot be written.
    Status set(const std::filesystem::path& plugin, const PluginDecision& decision) const;

private:
    std::filesystem::path m_file;
};

} // namespace helio
