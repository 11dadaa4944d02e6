#pragma once

#include "core/analysis/analyses.h"
#include "core/plugin/plugin_decisions.h"
#include "core/plugin/plugin_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// State of a file in a plug-in folder.
enum class PluginState : std::uint8_t {
    Undecided, ///< The user has not decided yet whether it may be loaded.
    Changed, ///< Its content has changed since it was allowed or found unusable: the user must be asked again.
    Allowed, ///< It may be loaded, but is not loaded yet.
    Loaded,
    Forbidden, ///< The user forbade loading it.
    Unusable, ///< It cannot be read, or was loaded once and does not work with this program.
    Crashed, ///< The program crashed while the plug-in was loaded or ran.
    Unsafe, ///< Another user may have written it.
};

/// Returns the name in output, e.g. "not-asked".
std::string_view wordOf(PluginState state);
/// True if only the user's decision is missing.
constexpr bool needsUserDecision(PluginState state) { return state == PluginState::Undecided || state == PluginState::Changed; }

/// Id and title of an analysis of a loaded plug-in.
struct PluginAnalysisName {
    std::string id;
    std::string title; ///< Title for menus.
};

/// A file in a plug-in folder, with its state.
struct PluginInfo {
    std::filesystem::path file; ///< Canonical path, without symbolic links.
    std::uint64_t size = 0; ///< Bytes.
    std::string hash; ///< SHA-256 as hex digits.
    PluginState state = PluginState::Undecided;
    std::string reason; ///< Reason why it is not loaded, as a clause; empty if it is loaded.
    std::vector<PluginAnalysisName> analyses; ///< Its analyses; empty if it is not loaded.
};

/// The plug-ins in the plug-in folders. Files that the user has allowed may be loaded, as long as their content stays the same.
///
/// A plug-in that turns out to be unusable or of another interface version is recorded as such, and not loaded again until the user allows
/// it anew. The same holds for a plug-in that crashed the program. A file that a user other than the current one and the system may write
/// is never loaded. A loaded plug-in stays loaded until the process ends.
/// Threads: to be used by one thread.
class Plugins {
public:
    explicit Plugins(PluginFolders places)
        : m_places(std::move(places))
    {
    }

    /// The instance of this process, with the user's places. Threads: the main thread.
    static Plugins& ofUser();

    const PluginFolders& places() const { return m_places; }

    /// Returns all plug-ins that exist now, in the order of folders and names. Loads nothing. Cost: reads each file, a few ms per megabyte.
    std::vector<PluginInfo> found() const;

    /// Loads all plug-ins that are allowed and not loaded yet.
    void loadAllowed();

    /// Records that the user allows the current content of the file, and loads it. A file that was unusable or crashed is tried again.
    /// Errors: NotFound, Unreadable; Usage if it is in no plug-in folder; Unsupported, with the reason, if it is unsafe or unusable.
    Status allow(const std::filesystem::path& file);
    /// Records that the user forbids loading the file, even if it changes. If it is loaded, it stays so until the program ends, but addTo()
    /// leaves out its analyses.
    /// Errors: NotFound, Unreadable; Usage if it is in no plug-in folder.
    Status forbid(const std::filesystem::path& file);

    /// Adds the analyses of all loaded plug-ins that were not forbidden since. Leaves out analyses with an id that `analyses` already has.
    void addTo(Analyses& analyses) const;
    /// Returns the plug-in file that the analysis was loaded from; empty if it is not from a plug-in folder.
    std::filesystem::path fileOf(const AnalysisKind& kind) const;
    bool isAnyLoaded() const { return !m_loaded.empty(); }

private:
    struct Loaded {
        std::filesystem::path path;
        std::string hash;
        std::vector<std::shared_ptr<const AnalysisKind>> kinds;
        std::vector<PluginAnalysisName> names;
        bool isForbidden = false; ///< True if the user forbade it after it was loaded.
    };

    PluginInfo stateOf(const PluginFile& file, const PluginDecisions::Map& decisions) const;
    const Loaded* loadedFrom(const std::filesystem::path& path) const;
    void setForbidden(const std::filesystem::path& path, bool isForbidden);
    Result<PluginFile> fileInFolders(const std::filesystem::path& given) const;
    Status load(const std::filesystem::path& path, const std::string& hash);
    Status take(Loaded loaded);
    PluginDecisions decisions() const { return PluginDecisions(m_places.notes / "decisions"); }

    const PluginFolders m_places;
    std::vector<Loaded> m_loaded;
};

/// Returns the files in the user's plug-in folders, for menus and lists. Threads: the main thread.
std::vector<PluginInfo> listPlugins();

} // namespace helio
