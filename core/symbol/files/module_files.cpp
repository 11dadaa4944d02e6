#include "core/symbol/files/module_files.h"

#include "core/symbol/files/debuginfod.h"
#include "core/symbol/symbol.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

namespace helio {

namespace fs = std::filesystem;

namespace {

// Limits for the search in a folder, so that a folder set by mistake (the root of a disk) does not take minutes.
constexpr int MaxDepth = 8;
constexpr std::size_t MaxIndexed = 200'000;
constexpr std::size_t MaxIdentified = 20'000; ///< Maximum number of files from which build-ids are read.
constexpr std::size_t MaxBeside = 4'000; ///< Maximum number of directory entries beside all recordings that are read.
constexpr std::size_t MaxListedPlaces = 12;

// Texts in explanations. withoutPlaces() searches for them, because they mark the parts to remove.
constexpr std::string_view Searched = " Searched: ";
constexpr std::string_view WithBuildId = " with build-id ";
constexpr std::string_view Option = "with --symbols DIR or File > ";

fs::path homeOf()
{
    const char* home = std::getenv("HOME");
    return home && *home ? fs::path(home) : fs::path();
}

/// Returns the path ".build-id/xx/yyyy" below `folder`.
fs::path buildIdPath(const fs::path& folder, const std::string& id, const char* ending = "")
{
    return folder / ".build-id" / id.substr(0, 2) / (id.substr(2) + ending);
}

/// Returns the spellings of a build-id: the recorded id, and the id without the zeros that perf may have appended. Ids have 20, 16 or 8
/// bytes.
std::vector<std::string> spellingsOf(const std::string& id)
{
    // Reject any other text: an id becomes part of a path.
    if (id.size() <= 2 || id.find_first_not_of("0123456789abcdef") != std::string::npos)
        return {};
    std::vector<std::string> spellings{id};
    for (const std::size_t digits : {40U, 32U, 16U})
        if (id.size() > digits && id.find_first_not_of('0', digits) == std::string::npos)
            spellings.push_back(id.substr(0, digits));
    return spellings;
}

std::string withoutDeleted(std::string path)
{
    constexpr std::string_view mark = " (deleted)";
    if (path.ends_with(mark))
        path.resize(path.size() - mark.size());
    return path;
}

bool isFile(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

} // namespace

std::vector<fs::path> foldersBeside(const std::vector<fs::path>& recordings)
{
    std::vector<fs::path> folders;
    const auto add = [&](const fs::path& root) {
        for (const char* below : {"", "symbols", ".debug", "debug"})
            if (fs::path folder = *below ? root / below : root; std::ranges::find(folders, folder) == folders.end())
                folders.push_back(std::move(folder));
    };
    for (const fs::path& recording : recordings) {
        std::error_code error;
        fs::path path = fs::absolute(recording, error).lexically_normal();
        if (error || recording.empty())
            continue;
        if (!path.has_filename()) // The path ends with a slash.
            path = path.parent_path();
        if (fs::is_directory(path, error))
            add(path);
        fs::path above = path.parent_path();
        while (!fs::is_directory(above, error)
               && above != above.parent_path()) // The path may lead into an archive: "traces.tar.gz/kernel".
            above = above.parent_path();
        add(above);
    }
    return folders;
}

namespace {

/// Returns true if the file begins like an ELF file.
bool isElf(const fs::path& path)
{
    std::array<char, 4> begin{};
    std::ifstream file(path, std::ios::binary);
    return file.read(begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()) == "\177ELF";
}

/// Log of the searched places, as text for the user.
class Search {
public:
    void missed(const fs::path& place) { note("no " + place.string()); }
    void refused(const fs::path& place, const std::string& why)
    {
        note(place.string() + ": " + why);
        m_refused = true;
    }
    void unreadable(const std::string& what)
    {
        note(what);
        m_unreadable = true;
    }
    void note(std::string what)
    {
        if (std::ranges::find(m_notes, what) == m_notes.end())
            m_notes.push_back(std::move(what));
    }

    FileSearchResult failed(const std::string& wanted, const std::string& advice) const
    {
        std::string text = wanted + " was not found" + (m_refused ? ", only files of other builds" : "") + ". " + advice;
        for (std::size_t i = 0; i < std::min(m_notes.size(), MaxListedPlaces); ++i)
            text += (i == 0 ? std::string(Searched) : "; ") + m_notes[i];
        if (m_notes.size() > MaxListedPlaces)
            text += "; and " + std::to_string(m_notes.size() - MaxListedPlaces) + " other places";
        text += m_notes.empty() ? "" : ".";
        return {nullptr, m_refused ? SymbolProblem::WrongFile : m_unreadable ? SymbolProblem::Unreadable : SymbolProblem::NoFile, text};
    }

private:
    std::vector<std::string> m_notes;
    bool m_refused = false;
    bool m_unreadable = false;
};

std::string mismatch(const ElfFile& file, const std::string& wanted)
{
    return "from another build (has build-id " + (file.buildId().empty() ? std::string("none") : file.buildId()) + ", not " + wanted + ")";
}

/// Returns the first file with the wanted build-id, or the first ELF file if `buildId` is empty; nullptr if there is no such file.
std::shared_ptr<const ElfFile> firstMatch(const std::vector<fs::path>& places, const std::string& buildId, Search& search)
{
    for (const fs::path& place : places) {
        if (!isFile(place)) {
            search.missed(place);
            continue;
        }
        auto file = ElfFile::open(place);
        if (!file)
            search.unreadable(file.error().what);
        else if (!buildId.empty() && !isSameBuildId(buildId, (*file)->buildId()))
            search.refused(place, mismatch(**file, buildId));
        else
            return *file;
    }
    return nullptr;
}

} // namespace

std::string withoutPlaces(std::string explanation)
{
    explanation.resize(std::min(explanation.size(), explanation.find(Searched)));
    if (const auto at = explanation.find(WithBuildId); at != std::string::npos) {
        const auto end = explanation.find_first_not_of("0123456789abcdef", at + WithBuildId.size());
        explanation.erase(at, std::min(end, explanation.size()) - at);
    }
    if (const auto at = explanation.find(Option); at != std::string::npos)
        explanation.replace(at, Option.size(), "in File > ");
    return explanation;
}

bool isSameBuildId(std::string_view recorded, std::string_view found)
{
    return !found.empty() && recorded.starts_with(found) && recorded.find_first_not_of('0', found.size()) == std::string_view::npos;
}

ModuleFiles::ModuleFiles(SymbolOptions options)
    : m_options(std::move(options))
    , m_besideFolders(foldersBeside(m_options.recordings))
{
}

std::vector<fs::path> ModuleFiles::usedBesideRecordings()
{
    const std::lock_guard lock(m_usedMutex);
    std::vector<fs::path> paths;
    for (const auto& [path, isUsed] : m_used)
        if (isUsed)
            paths.push_back(path);
    return paths;
}

/// Returns the file as the result of a search, and notes it if besideRecordings() found it.
FileSearchResult ModuleFiles::found(std::shared_ptr<const ElfFile> file)
{
    {
        const std::lock_guard lock(m_usedMutex);
        if (const auto offered = m_used.find(file->path()); offered != m_used.end())
            offered->second = true;
    }
    return {std::move(file), SymbolProblem::None, {}};
}

void ModuleFiles::indexFolder(const fs::path& folder)
{
    std::error_code error;
    std::vector<fs::path> found;
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && it != end && found.size() < MaxIndexed; it.increment(error)) {
        if (it.depth() >= MaxDepth)
            it.disable_recursion_pending();
        std::error_code ignored;
        if (it->is_regular_file(ignored))
            found.push_back(it->path());
    }
    std::ranges::sort(found); // Sort the paths, because the order of directory entries differs between disks.
    for (fs::path& path : found) {
        m_byName[path.filename().string()].push_back(path);
        m_files.push_back(std::move(path));
    }
}

void ModuleFiles::indexNames()
{
    if (!m_isIndexed)
        for (const fs::path& folder : m_options.directories)
            indexFolder(folder);
    m_isIndexed = true;
}

std::vector<fs::path> ModuleFiles::named(const std::string& name)
{
    const std::lock_guard lock(m_mutex);
    indexNames();
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? std::vector<fs::path>{} : found->second;
}

ModuleFiles::Identified ModuleFiles::identified(const std::string& buildId)
{
    const std::vector<std::string> ids = spellingsOf(buildId);
    if (ids.empty()) // Do not read the files if the module has no valid build-id.
        return {};
    const std::lock_guard lock(m_mutex);
    indexNames();
    if (!std::exchange(m_isIdentified, true))
        for (const fs::path& path : std::span(m_files).first(std::min(m_files.size(), MaxIdentified)))
            identify(path, m_byBuildId);
    return withAnyId(m_byBuildId, ids);
}

void ModuleFiles::identify(const fs::path& path, std::map<std::string, Identified>& byBuildId)
{
    if (!isElf(path))
        return;
    if (const auto file = ElfFile::open(path); file && !(*file)->buildId().empty()) {
        Identified& same = byBuildId[(*file)->buildId()];
        const bool hasNames = (*file)->section(".symtab") != nullptr;
        (!(*file)->hasCode() ? same.debugOnly : hasNames ? same.complete : same.stripped).push_back(path);
    }
}

ModuleFiles::Identified ModuleFiles::withAnyId(const std::map<std::string, Identified>& byBuildId, const std::vector<std::string>& ids)
{
    for (const std::string& id : ids)
        if (const auto found = byBuildId.find(id); found != byBuildId.end())
            return found->second;
    return {};
}

/// Reads the build-ids of the files in m_besideFolders, without the folders below them.
void ModuleFiles::indexRecordings()
{
    std::size_t entries = 0;
    for (const fs::path& folder : m_besideFolders) {
        std::error_code error;
        std::vector<fs::path> files;
        fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
        for (; !error && it != end && entries < MaxBeside; it.increment(error), ++entries) {
            std::error_code ignored;
            if (it->is_regular_file(ignored))
                files.push_back(it->path());
        }
        std::ranges::sort(files); // The order of directory entries differs between disks.
        for (const fs::path& file : files)
            identify(file, m_beside);
    }
}

ModuleFiles::Identified ModuleFiles::besideRecordings(const std::string& buildId)
{
    const std::vector<std::string> ids = spellingsOf(buildId);
    if (ids.empty() || m_besideFolders.empty())
        return {};
    Identified same;
    {
        const std::lock_guard lock(m_mutex);
        if (!std::exchange(m_isBesideIndexed, true))
            indexRecordings();
        same = withAnyId(m_beside, ids);
    }
    // Folders as `perf archive` and debug packages lay them out.
    for (const fs::path& folder : m_besideFolders)
        for (const std::string& id : ids) {
            for (fs::path path : {buildIdPath(folder, id), buildIdPath(folder, id) / "elf"})
                if (isFile(path))
                    same.complete.push_back(std::move(path));
            for (fs::path path : {buildIdPath(folder, id, ".debug"), buildIdPath(folder, id) / "debug"})
                if (isFile(path))
                    same.debugOnly.push_back(std::move(path));
        }
    const std::lock_guard lock(m_usedMutex);
    for (const auto* files : {&same.complete, &same.stripped, &same.debugOnly})
        for (const fs::path& file : *files)
            m_used.try_emplace(file, false);
    return same;
}

std::vector<fs::path> ModuleFiles::candidatePaths(const Module& module)
{
    const fs::path recorded = withoutDeleted(module.path);
    const std::vector<std::string> ids = spellingsOf(module.buildId);
    const Identified same = identified(module.buildId);
    const Identified beside = besideRecordings(module.buildId);
    std::vector<fs::path> places;
    for (const fs::path& folder : m_options.directories)
        for (const std::string& id : ids)
            places.push_back(buildIdPath(folder, id));
    std::ranges::copy(same.complete, std::back_inserter(places));
    std::ranges::copy(same.stripped, std::back_inserter(places));
    if (recorded.is_absolute())
        for (const fs::path& folder : m_options.directories)
            places.push_back(folder / recorded.relative_path());
    std::ranges::copy(named(recorded.filename().string()), std::back_inserter(places));
    if (!m_options.sysroot.empty() && recorded.is_absolute())
        places.push_back(m_options.sysroot / recorded.relative_path());
    std::ranges::copy(beside.complete, std::back_inserter(places));
    for (const std::string& id : ids)
        if (!homeOf().empty())
            places.push_back(buildIdPath(homeOf() / ".debug", id) / (module.kind == Module::Kind::Vdso ? "vdso" : "elf"));
    if (recorded.is_absolute())
        places.push_back(recorded);
    std::ranges::copy(beside.stripped, std::back_inserter(places));
    for (const std::string& id : ids) { // Search separate debug files last: they contain no code, but still names and lines.
        for (const fs::path& folder : m_options.directories)
            places.push_back(buildIdPath(folder, id, ".debug"));
        for (const fs::path& root : {m_options.sysroot, fs::path("/")})
            if (!root.empty())
                places.push_back(buildIdPath(root / "usr/lib/debug", id, ".debug"));
    }
    std::ranges::copy(same.debugOnly, std::back_inserter(places));
    std::ranges::copy(beside.debugOnly, std::back_inserter(places));
    return places;
}

FileSearchResult ModuleFiles::fileOf(const Module& module)
{
    Search search;
    if (auto file = firstMatch(candidatePaths(module), module.buildId, search))
        return found(std::move(file));
    if (m_options.usesDebuginfod && !module.buildId.empty()) {
        const DebuginfodResult answer = fetchFromDebuginfod(module.buildId, DebuginfodKind::Executable);
        if (!answer.path.empty())
            if (auto file = firstMatch({answer.path}, module.buildId, search))
                return {std::move(file), SymbolProblem::None, {}};
        search.note("debuginfod: " + answer.problem);
    }
    const std::string wanted = module.path + (module.buildId.empty() ? "" : std::string(WithBuildId) + module.buildId);
    return search.failed(wanted, "Add a folder that contains it with --symbols DIR or File > Symbol paths.");
}

std::vector<fs::path> ModuleFiles::candidateDebugPaths(const ElfFile& main, const std::string& linkName, const std::string& recordedPath)
{
    const std::string& id = main.buildId();
    std::vector<fs::path> places;
    std::vector<fs::path> roots;
    for (const fs::path& root : {m_options.sysroot, fs::path("/")})
        if (!root.empty())
            roots.push_back(root / "usr/lib/debug");
    if (id.size() > 2) {
        for (const fs::path& folder : m_options.directories)
            places.push_back(buildIdPath(folder, id, ".debug"));
        std::ranges::copy(identified(id).debugOnly, std::back_inserter(places));
        std::ranges::copy(besideRecordings(id).debugOnly, std::back_inserter(places));
        if (!homeOf().empty())
            places.push_back(buildIdPath(homeOf() / ".debug", id) / "debug");
        for (const fs::path& root : roots)
            places.push_back(buildIdPath(root, id, ".debug"));
    }
    if (!linkName.empty()) {
        std::ranges::copy(named(linkName), std::back_inserter(places));
        for (const fs::path& folder : {main.path().parent_path(), fs::path(recordedPath).parent_path()}) {
            places.push_back(folder / linkName);
            places.push_back(folder / ".debug" / linkName);
            for (const fs::path& root : roots)
                places.push_back(root / folder.relative_path() / linkName);
        }
    }
    std::ranges::copy(named(fs::path(recordedPath).filename().string() + ".debug"), std::back_inserter(places));
    return places;
}

FileSearchResult ModuleFiles::debugFileOf(const ElfFile& main, const std::string& recordedPath)
{
    const auto link = main.debugLink();
    Search search;
    for (const fs::path& place : candidateDebugPaths(main, link ? link->name : "", recordedPath)) {
        std::error_code ignored;
        if (!isFile(place) || fs::equivalent(place, main.path(), ignored)) {
            search.missed(place);
            continue;
        }
        const auto file = ElfFile::open(place);
        if (!file)
            search.unreadable(file.error().what);
        else if (!main.buildId().empty() && !(*file)->buildId().empty() && !isSameBuildId(main.buildId(), (*file)->buildId()))
            search.refused(place, mismatch(**file, main.buildId()));
        else if ((main.buildId().empty() || (*file)->buildId().empty()) && (!link || debugLinkCrc((*file)->bytes()) != link->crc))
            search.refused(place, "not the file that .gnu_debuglink names (its checksum differs)");
        else
            return found(*file);
    }
    if (m_options.usesDebuginfod && !main.buildId().empty()) {
        const DebuginfodResult answer = fetchFromDebuginfod(main.buildId(), DebuginfodKind::DebugInfo);
        if (!answer.path.empty())
            if (auto file = firstMatch({answer.path}, main.buildId(), search))
                return {std::move(file), SymbolProblem::None, {}};
        search.note("debuginfod: " + answer.problem);
    }
    return search.failed("Debug information of " + recordedPath,
                         "Install its debug package (dbgsym, debuginfo), or add a folder that contains it with --symbols DIR "
                         "or File > Symbol paths.");
}

FileSearchResult ModuleFiles::sharedDebugFileOf(const ElfFile& debugFile, const std::string& name, const std::string& buildId)
{
    std::vector<fs::path> places;
    const fs::path given(name);
    places.push_back(given.is_absolute() ? given : debugFile.path().parent_path() / given);
    if (buildId.size() > 2) {
        for (const fs::path& folder : m_options.directories)
            places.push_back(buildIdPath(folder, buildId, ".debug"));
        std::ranges::copy(besideRecordings(buildId).debugOnly, std::back_inserter(places));
        places.push_back(buildIdPath("/usr/lib/debug", buildId, ".debug"));
    }
    if (given.is_absolute() && !m_options.sysroot.empty())
        places.push_back(m_options.sysroot / given.relative_path());
    std::ranges::copy(named(given.filename().string()), std::back_inserter(places));
    Search search;
    if (auto file = firstMatch(places, buildId, search))
        return found(std::move(file));
    return search.failed("The shared debug information " + name, "Install the debug package that contains it.");
}

} // namespace helio
