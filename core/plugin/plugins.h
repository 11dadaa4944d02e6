#pragma once

#include "core/analysis/analyses.h"
#include "core/plugin/plugin_decisions.h"
#include "core/plugin/plugin_file.h"
#include "core/plugin/plugin_places.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

/// How it stands with a file in a plug-in folder.
enum class PluginState : std::uint8_t {
    NotAsked, ///< Nobody has said yet whether it may be loaded.
    Changed, ///< It was allowed, and is another one now: it has to be asked again.
    Allowed, ///< It may be loaded, and is not yet.
    Loaded,
    Forbidden, ///< A person said so.
    Unusable, ///< It was loaded once, and does not work here.
    Crashed, ///< The program ended while it was loaded or at work.
    Unsafe, ///< Others than the user may have written it.
};

/// "not-asked": in answers.
std::string_view wordOf(PluginState state);
/// Only a person's word is missing.
constexpr bool isToBeAsked(PluginState state) { return state == PluginState::NotAsked || state == PluginState::Changed; }

/// An analysis of a plug-in that is loaded.
struct PluginAnalysisName {
    std::string id;
    std::string title; ///< For menus.
};

/// A file in a plug-in folder.
struct FoundPlugin {
    std::filesystem::path file; ///< Without symbolic links.
    std::uint64_t size = 0; ///< Bytes.
    std::string hash; ///< SHA-256 in hex digits.
    PluginState state = PluginState::NotAsked;
    std::string reason; ///< Why it is not loaded, in words, as a clause; empty where it is.
    std::vector<PluginAnalysisName> analyses; ///< Where it is loaded.
};

/// The plug-ins in the folders for them, and which of them may be loaded: those that a person allowed, as long as their bytes stay the
/// same.
///
/// What was allowed and then turned out to be none, or to be for another version of the interface, is written down and not loaded again
/// before a person allows it anew; so is one that the program ended with while it was loaded. One that is not only its user's, or the
/// system's, to write is never loaded. What is loaded stays so until the process ends.
/// One thread.
class Plugins {
public:
    explicit Plugins(PluginPlaces places)
        : m_places(std::move(places))
    {
    }

    /// The one of this process, in the user's places. The thread of main().
    static Plugins& ofUser();

    const PluginPlaces& places() const { return m_places; }

    /// All there are now, in the order of folders and names. Loads nothing. Cost: reads each file, some ms a megabyte.
    std::vector<FoundPlugin> found() const;

    /// Loads those that are allowed and not loaded yet.
    void loadAllowed();

    /// A person says that the file may be loaded as it is now, and it is loaded. An unusable or crashed one is tried again. Errors:
    /// NotFound, Unreadable; Usage: it lies in no plug-in folder; Unsupported: it is unsafe, or turned out unusable, with the reason.
    Status allow(const std::filesystem::path& file);
    /// A person says that it is never to be loaded, whatever it becomes. One that is loaded stays so until the program ends, but addTo()
    /// has no analysis of it any more. Errors: as above.
    Status forbid(const std::filesystem::path& file);

    /// Adds the analyses of what is loaded and was not forbidden since, but for those whose ids are there already.
    void addTo(Analyses& analyses) const;
    /// The file in the folders that the analysis was loaded from; empty: from none of them.
    std::filesystem::path fileOf(const AnalysisKind& kind) const;
    bool isAnyLoaded() const { return !m_loaded.empty(); }

private:
    struct Loaded {
        std::filesystem::path path;
        std::string hash;
        std::vector<std::shared_ptr<const AnalysisKind>> kinds;
        std::vector<PluginAnalysisName> names;
        bool isForbidden = false; ///< Since it was loaded.
    };

    FoundPlugin stateOf(const PluginFile& file, const PluginDecisions::Map& decisions) const;
    const Loaded* loadedFrom(const std::filesystem::path& path) const;
    void forbidLoaded(const std::filesystem::path& path, bool isForbidden);
    Result<PluginFile> fileInFolders(const std::filesystem::path& given) const;
    Status load(const std::filesystem::path& path, const std::string& hash);
    Status take(Loaded loaded);
    PluginDecisions decisions() const { return PluginDecisions(m_places.notes / "decisions"); }

    const PluginPlaces m_places;
    std::vector<Loaded> m_loaded;
};

/// The files in the user's plug-in folders: for menus and lists. The thread of main().
std::vector<FoundPlugin> foundPlugins();

} // namespace helio
