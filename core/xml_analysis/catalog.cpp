#include "core/xml_analysis/catalog.h"

#include "core/io/mapped_file.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <system_error>

namespace helio::xml {

namespace fs = std::filesystem;

std::string_view wordOf(AnalysisOrigin origin)
{
    constexpr std::string_view Words[] = {"given", "trace", "user", "system", "built-in"};
    return Words[static_cast<std::size_t>(origin)];
}

AnalysisFile readAnalysisFile(const fs::path& path, AnalysisOrigin origin)
{
    AnalysisFile file{path, origin, {}, {}};
    const auto mapped = MappedFile::open(path);
    if (!mapped) {
        const std::string why = mapped.error().what.substr(path.string().size() + 2); // Strip the file's name and ": " from the message.
        file.content.problems.push_back({{}, {}, "cannot be read: " + why, false});
        return file;
    }
    const auto bytes = (*mapped)->bytes();
    // The file may grow while it is being read, so the size is limited again.
    file.text.assign(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), MostBytes + 1));
    file.content = readFile(file.text);
    return file;
}

namespace {

std::string environment(const char* name)
{
    const char* const text = std::getenv(name);
    return text ? text : "";
}

} // namespace

fs::path userAnalysisFolder()
{
    const std::string data = environment("XDG_DATA_HOME");
    const fs::path home = environment("HOME");
    return (data.empty() ? home / ".local/share" : fs::path(data)) / "heliograph/analyses";
}

std::vector<AnalysisFolder> analysisFolders(const std::vector<fs::path>& traces)
{
    std::vector<AnalysisFolder> folders;
    for (const fs::path& trace : traces) {
        const fs::path whole = fs::absolute(trace).lexically_normal();
        const fs::path clean = whole.has_filename() ? whole : whole.parent_path();
        for (const fs::path& folder : {clean / "analyses", clean.parent_path() / "analyses"})
            if (std::ranges::find(folders, folder, &AnalysisFolder::path) == folders.end())
                folders.push_back({folder, AnalysisOrigin::Trace});
    }
    // A relative path would depend on the current directory and is ignored.
    if (const fs::path user = userAnalysisFolder(); user.is_absolute())
        folders.push_back({user, AnalysisOrigin::User});
    std::string systems = environment("XDG_DATA_DIRS");
    if (systems.empty())
        systems = "/usr/local/share:/usr/share";
    for (std::size_t at = 0; at <= systems.size();) {
        const std::size_t end = std::min(systems.find(':', at), systems.size());
        if (end > at && fs::path(systems.substr(at, end - at)).is_absolute())
            folders.push_back({fs::path(systems.substr(at, end - at)) / "heliograph/analyses", AnalysisOrigin::System});
        at = end + 1;
    }
    return folders;
}

namespace {

/// Returns the built-in files. They are parsed once, because a process may open many traces, and parsing takes milliseconds.
const std::vector<AnalysisFile>& parsedBuiltinFiles()
{
    static const std::vector<AnalysisFile> parsed = [] {
        std::vector<AnalysisFile> files;
        for (const EmbeddedFile& file : builtinFiles())
            files.push_back({file.name, AnalysisOrigin::Builtin, std::string(file.text), readFile(file.text)});
        return files;
    }();
    return parsed;
}

} // namespace

std::vector<AnalysisFile> findAnalysisFiles(const std::vector<AnalysisFolder>& folders)
{
    std::vector<AnalysisFile> files = parsedBuiltinFiles();
    for (const AnalysisFolder& folder : folders) {
        std::error_code error;
        std::vector<fs::path> paths;
        for (fs::directory_iterator it(folder.path, error); !error && it != fs::directory_iterator(); it.increment(error))
            if (it->path().extension() == ".xml")
                paths.push_back(it->path());
        std::ranges::sort(paths);
        for (const fs::path& path : paths)
            files.push_back(readAnalysisFile(path, folder.origin));
    }
    return files;
}

std::vector<AnalysisFile> readAnalysisFiles(const std::vector<fs::path>& given, const std::vector<AnalysisFolder>& folders)
{
    std::vector<AnalysisFile> files;
    std::set<fs::path> named;
    const auto isNew = [&](const fs::path& path) {
        std::error_code error;
        const fs::path real = fs::canonical(path, error);
        return named.insert(error ? path : real).second;
    };
    for (const fs::path& path : given)
        if (isNew(path))
            files.push_back(readAnalysisFile(path, AnalysisOrigin::Given));
    for (AnalysisFile& file : findAnalysisFiles(folders))
        if (file.origin == AnalysisOrigin::Builtin || isNew(file.path))
            files.push_back(std::move(file));
    return files;
}

namespace {

/// Maximum number of views. Each view needs one or two state sets, and a store has at most 255 sets.
constexpr std::size_t MostViews = 100;

/// Ids of the built-in kinds that `latency --of` accepts.
constexpr std::string_view SegmentKinds[] = {"call",       "wakeup",     "packet",  "syscall", "irq",         "softirq",     "block",
                                             "page-fault", "allocation", "unfreed", "free",    "double-free", "unknown-free"};

/// Combines the analyses, views and call stacks of all files.
class Composer {
public:
    Composer(const std::vector<AnalysisFile>& files, const Analyses& builtin)
        : m_files(files)
        , m_builtin(builtin)
    {
        for (std::size_t i = 0; i < files.size(); ++i)
            m_order.push_back(i);
        std::ranges::stable_sort(m_order, {}, [&](std::size_t i) { return files[i].origin; });
        for (const auto& kind : builtin.all())
            for (const TrackView& view : kind->views())
                m_builtinViews.insert(view.id);
        collectViews();
    }

    std::vector<ListedAnalysis> list()
    {
        std::vector<ListedAnalysis> all;
        for (const std::size_t i : m_order)
            if (m_files[i].content.isUsable())
                for (const Program& program : m_files[i].content.programs)
                    all.push_back(listOne(program, i));
        return all;
    }

private:
    struct SeenView {
        View view;
        std::size_t file;
    };

    /// Collects the views of all files without errors. If several views have the same id, only the first is used.
    void collectViews()
    {
        for (const std::size_t i : m_order)
            if (m_files[i].content.isUsable())
                for (const Program& program : m_files[i].content.programs)
                    m_programs.insert(program.id);
        std::set<std::string> seen;
        for (const std::size_t i : m_order) {
            if (!m_files[i].content.isUsable())
                continue;
            for (const View& view : m_files[i].content.views) {
                if (!seen.insert(view.id).second)
                    continue;
                SeenView mine{view, i};
                // Give the view another id if an analysis or a built-in view has this id. Otherwise, this view and the other one would show
                // the same rows.
                if (m_programs.contains(view.id) || m_builtinViews.contains(view.id))
                    mine.view.id += ".view";
                m_views.push_back(std::move(mine));
            }
        }
    }

    ListedAnalysis listOne(const Program& program, std::size_t file)
    {
        ListedAnalysis listed{program.id, program.title(), program.isPattern, file, nullptr, {}};
        if (m_builtin.find(program.id) || m_builtinViews.contains(program.id)) {
            listed.whyNot = "a built-in analysis or view uses the same ID";
            return listed;
        }
        if (std::ranges::find(SegmentKinds, program.id) != std::end(SegmentKinds)) {
            listed.whyNot = "built-in segments use the same ID";
            return listed;
        }
        const auto [other, isFirst] = m_taken.try_emplace(program.id, file);
        if (!isFirst) {
            listed.whyNot = "an analysis in " + m_files[other->second].path.string() + " uses the same ID";
            return listed;
        }
        const AnalysisFile& its = m_files[file];
        XmlAnalysisDefinition declaration{its.path.string(), program, {}, {}};
        std::uint64_t hash = std::hash<std::string>()(its.text);
        for (const SeenView& seen : m_views) {
            if (!shows(seen.view, program.id))
                continue;
            if (declaration.views.size() == MostViews)
                break;
            declaration.views.push_back(seen.view);
            noteId(listed, seen.view.id, seen.file);
            hash = mixed(hash, std::hash<std::string>()(m_files[seen.file].text));
            // Add the view's id to the hash, so that the analysis runs again when the id changes. The id depends on other analyses and
            // views, which may have the same id.
            hash = mixed(hash, std::hash<std::string>()(seen.view.id));
        }
        for (const std::size_t i : m_order)
            if (m_files[i].content.isUsable())
                for (const CallStacks& stacks : m_files[i].content.callStacks)
                    if (stacks.analysis == program.id) {
                        declaration.callStacks.push_back(stacks);
                        if (m_programs.contains(stacks.id) || m_builtinViews.contains(stacks.id))
                            declaration.callStacks.back().id += ".view";
                        noteId(listed, declaration.callStacks.back().id, i);
                        hash = mixed(hash, std::hash<std::string>()(declaration.callStacks.back().id));
                        hash = mixed(hash, std::hash<std::string>()(m_files[i].text));
                    }
        listed.kind = std::make_shared<XmlAnalysisKind>(std::move(declaration), hash, its.origin == AnalysisOrigin::Given);
        return listed;
    }

    /// If the view was renamed to `id`, because a built-in view has the id that the file gives the view, adds a note about it for the user.
    void noteId(ListedAnalysis& listed, const std::string& id, std::size_t file) const
    {
        const std::string own = id.ends_with(".view") ? id.substr(0, id.size() - std::string_view(".view").size()) : std::string();
        if (m_builtinViews.contains(own))
            listed.notes.push_back("the view " + own + " of " + m_files[file].path.string() + " is called " + id
                                   + " here, as a built-in view has the ID " + own);
    }

    static bool hasEntryOf(const std::vector<ViewEntry>& entries, const std::string& id)
    {
        return std::ranges::any_of(entries, [&](const ViewEntry& entry) { return entry.analysis == id || hasEntryOf(entry.entries, id); });
    }
    static bool shows(const View& view, const std::string& id)
    {
        return std::ranges::find(view.analyses, id) != view.analyses.end() || hasEntryOf(view.entries, id);
    }

    const std::vector<AnalysisFile>& m_files;
    const Analyses& m_builtin;
    std::vector<std::size_t> m_order; ///< Indices into m_files, ordered by descending priority.
    std::set<std::string, std::less<>> m_builtinViews;
    std::set<std::string> m_programs; ///< Program::id of all analyses in files without errors.
    std::vector<SeenView> m_views;
    std::map<std::string, std::size_t> m_taken; ///< For each analysis id in use: index of the file that defines the analysis.
};

} // namespace

std::vector<ListedAnalysis> listAnalyses(const std::vector<AnalysisFile>& files, const Analyses& builtin)
{
    return Composer(files, builtin).list();
}

void addAnalyses(const std::vector<ListedAnalysis>& listed, Analyses& analyses, const std::function<bool(const ListedAnalysis&)>& isOn)
{
    for (const ListedAnalysis& it : listed)
        if (it.kind && !isForExperiments(it.kind->declaration().program) && analyses.add(it.kind) && !isOn(it))
            analyses.switchOff(it.id);
}

std::string_view templateText() { return templateFiles().front().text; }

std::string newAnalysisText(std::string_view id)
{
    std::string text(templateText());
    for (std::size_t at = text.find(TemplateId); at != std::string::npos; at = text.find(TemplateId, at + id.size()))
        text.replace(at, TemplateId.size(), id);
    return text;
}

} // namespace helio::xml
