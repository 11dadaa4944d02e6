#include "core/plugin/plugins.h"

#include "core/plugin/plugin_analysis.h"
#include "core/plugin/plugin_load_lock.h"

#include <algorithm>
#include <array>
#include <optional>

namespace helio {

namespace fs = std::filesystem;

namespace {

using Decided = PluginDecision::Kind;

/// Returns the state of a plug-in file with this decision; `decision` is nullptr if the user has not decided.
PluginState stateFromDecision(const PluginFile& file, const PluginDecision* decision)
{
    if (!decision)
        return PluginState::Undecided;
    if (decision->kind == Decided::Forbidden)
        return PluginState::Forbidden;
    if (decision->hash != file.hash)
        return PluginState::Changed;
    return decision->kind == Decided::Allowed ? PluginState::Allowed : PluginState::Unusable;
}

std::string reasonOf(PluginState state)
{
    switch (state) {
    case PluginState::Undecided: return "awaiting your permission";
    case PluginState::Changed: return "it has changed since you decided about it";
    case PluginState::Forbidden: return "it was forbidden";
    case PluginState::Crashed: return "heliograph crashed while loading or running it; it is not loaded again automatically";
    default: return {};
    }
}

/// Returns the text of an error without the file's name at its beginning.
std::string reasonIn(const Error& error, const fs::path& path)
{
    const std::string prefix = path.string() + ": ";
    return error.what.starts_with(prefix) ? error.what.substr(prefix.size()) : error.what;
}

/// Returns the text with all occurrences of `what` replaced by `by`. Used because the loader's messages name the sealed copy instead of the
/// file.
std::string replaced(std::string text, const std::string& what, const std::string& by)
{
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
    return text;
}

} // namespace

std::string_view wordOf(PluginState state)
{
    constexpr std::array<std::string_view, 8> Words{"not-asked", "changed",  "allowed", "loaded",
                                                    "forbidden", "unusable", "crashed", "unsafe"};
    return Words[static_cast<std::size_t>(state)];
}

Plugins& Plugins::ofUser()
{
    static Plugins plugins(findPluginFolders());
    return plugins;
}

std::vector<PluginInfo> listPlugins() { return Plugins::ofUser().found(); }

const Plugins::Loaded* Plugins::loadedFrom(const fs::path& path) const
{
    const auto found = std::ranges::find(m_loaded, path, &Loaded::path);
    return found != m_loaded.end() ? &*found : nullptr;
}

void Plugins::setForbidden(const fs::path& path, bool isForbidden)
{
    for (Loaded& loaded : m_loaded)
        if (loaded.path == path)
            loaded.isForbidden = isForbidden;
}

fs::path Plugins::fileOf(const AnalysisKind& kind) const
{
    const auto has = [&](const Loaded& loaded) {
        return std::ranges::any_of(loaded.kinds, [&](const auto& its) { return its.get() == &kind; });
    };
    const auto found = std::ranges::find_if(m_loaded, has);
    return found != m_loaded.end() ? found->path : fs::path();
}

PluginInfo Plugins::stateOf(const PluginFile& file, const PluginDecisions::Map& decided) const
{
    PluginInfo found{file.path, file.size, file.hash, PluginState::Unsafe, file.unsafeReason, {}};
    const Loaded* const loaded = loadedFrom(file.path);
    if (loaded)
        found.analyses = loaded->names;
    if (!file.unsafeReason.empty())
        return found;
    const auto decision = decided.find(file.path);
    found.state = stateFromDecision(file, decision != decided.end() ? &decision->second : nullptr);
    if (found.state == PluginState::Allowed && loaded && loaded->hash == file.hash)
        found.state = PluginState::Loaded;
    else if (found.state == PluginState::Allowed && PluginLoadLock::hasCrashed(m_places.notes, file.hash))
        found.state = PluginState::Crashed;
    found.reason = found.state == PluginState::Unusable ? decision->second.reason : reasonOf(found.state);
    if (loaded && found.state == PluginState::Allowed)
        found.reason = "it has changed since it was loaded; the next start loads the new version";
    if (loaded && found.state == PluginState::Forbidden)
        found.reason += "; it stays loaded until heliograph exits";
    return found;
}

std::vector<PluginInfo> Plugins::found() const
{
    std::vector<PluginInfo> all;
    const PluginDecisions::Map decided = decisions().all();
    for (const fs::path& folder : m_places.folders)
        for (const fs::path& path : sharedLibrariesIn(folder)) {
            const auto file = readPluginFile(path);
            if (!file) {
                all.push_back({path, 0, {}, PluginState::Unusable, reasonIn(file.error(), path), {}});
                continue;
            }
            const bool isKnown = std::ranges::find(all, file->path, &PluginInfo::file) != all.end();
            if (!isKnown)
                all.push_back(stateOf(*file, decided));
        }
    return all;
}

void Plugins::loadAllowed()
{
    for (const PluginInfo& plugin : found())
        if (plugin.state == PluginState::Allowed && !loadedFrom(plugin.file))
            (void)load(plugin.file, plugin.hash); // The result is ignored, because found() returns the recorded error.
}

Result<PluginFile> Plugins::fileInFolders(const fs::path& given) const
{
    std::vector<fs::path> candidates;
    if (!given.has_parent_path()) // A file name without a folder is looked up in all plug-in folders.
        for (const fs::path& folder : m_places.folders)
            candidates.push_back(folder / given);
    candidates.push_back(given);
    std::error_code error;
    const auto there = std::ranges::find_if(candidates, [&](const fs::path& path) { return fs::exists(path, error); });
    auto file = readPluginFile(there != candidates.end() ? *there : given);
    if (!file)
        return file;
    for (const fs::path& folder : m_places.folders)
        for (const fs::path& path : sharedLibrariesIn(folder))
            if (fs::equivalent(path, file->path, error))
                return file;
    return Error{Error::Kind::Usage,
                 given.string() + " is not in a plug-in folder; yours is " + m_places.folders.front().string()
                     + ", and plug-in names end in .so"};
}

Status Plugins::allow(const fs::path& given)
{
    const auto file = fileInFolders(given);
    if (!file)
        return file.error();
    if (!file->unsafeReason.empty())
        return Error{Error::Kind::Unsupported, file->path.string() + ": " + file->unsafeReason};
    if (const auto done = decisions().set(file->path, {Decided::Allowed, file->hash}); !done)
        return done;
    PluginLoadLock::forgetCrash(m_places.notes, file->hash);
    setForbidden(file->path, false);
    // Do not load the new content now: a process can neither unload a library nor load another one from the same path.
    if (loadedFrom(file->path))
        return Done{};
    return load(file->path, file->hash);
}

Status Plugins::forbid(const fs::path& given)
{
    const auto file = fileInFolders(given);
    if (!file)
        return file.error();
    const auto done = decisions().set(file->path, {Decided::Forbidden, file->hash});
    if (done)
        setForbidden(file->path, true);
    return done;
}

/// Loads a plug-in. Requires: the current content of the file is allowed, and no plug-in is loaded from this path.
Status Plugins::load(const fs::path& path, const std::string& hash)
{
    const auto fails = [&](const std::string& reason) {
        const auto noted = decisions().set(path, {Decided::Unusable, hash, reason});
        return noted ? Status(Error{Error::Kind::Unsupported, path.string() + ": " + reason}) : noted;
    };
    const auto mark = PluginLoadLock::make(m_places.notes, hash);
    if (!mark) // Do not load the plug-in without a lock file: if loading crashed the program, it would crash again at every start.
        return mark.error();
    const auto copy = makeSealedCopy(path, hash);
    if (!copy)
        return copy.error();
    auto kinds = loadPlugin(*copy, PluginLoadLock::crashNotePath(m_places.notes, hash).string());
    if (!kinds)
        return fails(replaced(reasonIn(kinds.error(), *copy), copy->string(), path.filename().string()));
    Loaded loaded{path, hash, std::move(*kinds), {}};
    if (const auto taken = take(std::move(loaded)); !taken)
        return fails(taken.error().what);
    return Done{};
}

/// Adds a loaded plug-in.
/// Errors: an analysis of the plug-in has an id that another analysis already has.
Status Plugins::take(Loaded loaded)
{
    Analyses trial = *Analyses::builtin();
    addTo(trial);
    for (const auto& kind : loaded.kinds) {
        if (const auto added = trial.add(kind); !added)
            return added;
        // Valid cast, because loadPlugin() creates objects of this type only.
        const auto& own = static_cast<const PluginAnalysisKind&>(*kind);
        loaded.names.push_back({std::string(own.id()), own.title()});
    }
    m_loaded.push_back(std::move(loaded));
    return Done{};
}

void Plugins::addTo(Analyses& analyses) const
{
    for (const Loaded& loaded : m_loaded)
        for (const auto& kind : loaded.kinds)
            if (!loaded.isForbidden)
                // Ignore the result: add() rejects an analysis if the user named another one with the same id by --plugin, which takes
                // precedence.
                (void)analyses.add(kind);
}

} // namespace helio
