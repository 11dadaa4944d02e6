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
    Undecided, ///< The user has not decided yet whether the plug-in may be loaded.
    Changed, ///< The file's content has changed since it was allowed or found unusable: the user must be asked again.
    Allowed, ///< The plug-in may be loaded, but is not loaded yet.
    Loaded,
    Forbidden, ///< The user forbade loading the plug-in.
    Unusable, ///< The file cannot be read, or was loaded once and does not work with this program.
    Crashed, ///< The program crashed while the plug-in was loaded or ran.
    Unsafe, ///< A user other than the current one and the system may have written the file.
};

/// Returns a word for output, for example "not-asked".
std::string_view wordOf(PluginState state);
/// True if the plug-in is not loaded only because the user has not decided about its current content.
constexpr bool needsUserDecision(PluginState state) { return state == PluginState::Undecided || state == PluginState::Changed; }

/// Id and title of an analysis of a loaded plug-in.
struct PluginAnalysisName {
    std::string id;
    std::string title; ///< Title of the analysis in menus.
};

/// A file in a plug-in folder, with its state.
struct PluginInfo {
    std::filesystem::path file; ///< Canonical path of the plug-in file, without symbolic links.
    std::uint64_t size = 0; ///< Size of the file in bytes.
    std::string hash; ///< SHA-256 as hex digits.
    PluginState state = PluginState::Undecided;
    std::string reason; ///< Reason why the plug-in is not loaded, as a clause; empty if it is loaded.
    std::vector<PluginAnalysisName> analyses; ///< Analyses of the plug-in; empty if it is not loaded.
};

/// Plug-ins in the plug-in folders. A file that the user has allowed may be loaded as long as its content stays the same.
///
/// A plug-in that does not work, has another interface version or crashed the program is recorded as such, and not loaded again until
/// the user allows it anew. A file that may be written by a user other than the current one and the system is never loaded. A loaded
/// plug-in stays loaded until the process ends.
/// Threads: to be used by one thread.
class Plugins {
public:
    explicit Plugins(PluginFolders places)
        : m_places(std::move(places))
    {
    }

    /// The instance of this process, with the user's plug-in folders.
    /// Threads: the main thread.
    static Plugins& ofUser();

    const PluginFolders& places() const { return m_places; }

    /// Returns all plug-ins that exist now, in the order of folders and names, without loading any.
    /// Cost: reads each file, a few ms per megabyte.
    std::vector<PluginInfo> found() const;

    /// Loads all plug-ins that are allowed and not loaded yet. Errors are recorded and returned by found().
    void loadAllowed();

    /// Records that the user allows the current content of the file, and loads it. A file that was unusable or crashed is tried again.
    /// Errors: NotFound, Unreadable; Usage if the file is in no plug-in folder; Unsupported, with the reason, if the file is unsafe or
    /// unusable.
    Status allow(const std::filesystem::path& file);
    /// Records that the user forbids loading the file, even if its content changes. A loaded plug-in stays loaded until the program ends,
    /// but addTo() skips its analyses.
    /// Errors: NotFound, Unreadable; Usage if the file is in no plug-in folder.
    Status forbid(const std::filesystem::path& file);

    /// Adds the analyses of all loaded plug-ins, except plug-ins that were forbidden later and analyses with an id that `analyses` already
    /// has.
    void addTo(Analyses& analyses) const;
    /// Returns the file in a plug-in folder that contains the analysis; empty if the analysis is not from such a file.
    std::filesystem::path fileOf(const AnalysisKind& kind) const;
    bool isAnyLoaded() const { return !m_loaded.empty(); }

private:
    struct Loaded {
        std::filesystem::path path;
        std::string hash;
        std::vector<std::shared_ptr<const AnalysisKind>> kinds;
        std::vector<PluginAnalysisName> names;
        bool isForbidden = false; ///< True if the user forbade the plug-in after it was loaded.
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

/// Returns the files in the user's plug-in folders, for menus and lists.
/// Threads: the main thread.
std::vector<PluginInfo> listPlugins();

} // namespace helio
