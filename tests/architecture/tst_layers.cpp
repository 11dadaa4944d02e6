// Checks that every include is allowed by a table of the architecture. If an include is not in the table, move the code, or change the
// table and say why.

#include "core/analyses/kernel/states.h"
#include "core/analysis/analyses.h"
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QMap>
#include <QSet>
#include <QTest>

using namespace helio;

namespace {

/// For each top folder of the source ("room"), the other top folders whose headers it may include.
const QMap<QString, QStringList> mayInclude{
    {"core/base", {}},
    {"core/clock", {"core/base"}},
    {"core/helper", {"core/base"}},
    {"core/io", {"core/base", "core/helper"}},
    {"core/trace", {"core/base", "core/helper", "core/io"}},
    {"core/formats", {"core/base", "core/helper", "core/io", "core/trace"}},
    {"core/store", {"core/base", "core/io", "core/trace"}},
    {"core/symbol", {"core/base", "core/helper", "core/io", "core/trace"}},
    {"core/analysis", {"core/base", "core/trace", "core/store"}},
    {"core/event_model", {"core/base", "core/trace", "core/store", "core/analysis"}},
    {"core/plugin", {"core/base", "core/io", "core/trace", "core/store", "core/analysis"}},
    {"core/analyses", {"core/base", "core/trace", "core/store", "core/analysis", "core/event_model"}},
    {"core/correlation", {"core/base", "core/clock", "core/store", "core/analysis", "core/event_model"}},
    {"core/experiment",
     {"core/base", "core/helper", "core/clock", "core/io", "core/trace", "core/store", "core/symbol", "core/analysis", "core/event_model",
      "core/correlation", "core/remote"}},
    {"core/query",
     {"core/base", "core/helper", "core/clock", "core/trace", "core/store", "core/analysis", "core/event_model", "core/correlation",
      "core/experiment"}},
    {"core/network", {"core/store", "core/correlation", "core/experiment", "core/query"}},
    {"core/profiling", {"core/base", "core/trace", "core/store", "core/symbol", "core/event_model", "core/experiment", "core/query"}},
    {"core/xml_analysis",
     {"core/base", "core/io", "core/trace", "core/store", "core/analysis", "core/event_model", "core/correlation", "core/experiment",
      "core/query"}},
    {"core/timesync", {"core/base", "core/clock", "core/correlation", "core/experiment", "core/query", "core/network"}},
    {"core/virtualization", {"core/store", "core/event_model", "core/correlation", "core/experiment", "core/query", "core/timesync"}},
    {"core/counters", {"core/base", "core/store", "core/event_model", "core/experiment", "core/query", "core/virtualization"}},
    {"core/waits",
     {"core/base", "core/store", "core/event_model", "core/correlation", "core/query", "core/network", "core/profiling", "core/timesync",
      "core/virtualization"}},
    {"core/compare", {"core/experiment", "core/query", "core/profiling", "core/waits"}},
    {"core/correlators",
     {"core/trace", "core/store", "core/analysis", "core/event_model", "core/correlation", "core/experiment", "core/query",
      "core/profiling", "core/timesync", "core/virtualization", "core/waits"}},
    {"core/latency",
     {"core/base", "core/trace", "core/store", "core/event_model", "core/experiment", "core/query", "core/network", "core/profiling",
      "core/timesync", "core/virtualization", "core/counters", "core/waits"}},
    {"core/findings",
     {"core/base", "core/trace", "core/store", "core/event_model", "core/correlation", "core/experiment", "core/query", "core/network",
      "core/profiling", "core/virtualization", "core/counters", "core/waits", "core/compare", "core/latency"}},
    {"core/sql",
     {"core/base", "core/clock", "core/trace", "core/store", "core/symbol", "core/analysis", "core/event_model", "core/correlation",
      "core/experiment", "core/query", "core/network", "core/profiling", "core/timesync", "core/counters", "core/waits"}},
    {"core/export",
     {"core/base", "core/clock", "core/io", "core/trace", "core/store", "core/symbol", "core/analysis", "core/event_model",
      "core/correlation", "core/experiment", "core/query", "core/profiling", "core/counters", "core/sql"}},
    {"core/fleet",
     {"core/base", "core/trace", "core/store", "core/event_model", "core/experiment", "core/query", "core/latency", "core/findings",
      "core/sql", "core/export"}},
    {"core/remote", {"core/base", "core/io"}},
    {"core/recording", {"core/base", "core/trace", "core/store", "core/symbol", "core/remote"}},
    {"widgets/theme", {"core/query"}},
    {"widgets/time", {"core/base", "core/query"}},
    {"widgets/async", {"core/base", "core/profiling"}},
    {"widgets/paint", {"core/query", "core/timesync", "widgets/theme", "widgets/time"}},
    {"widgets/code", {"core/profiling", "widgets/theme", "widgets/paint"}},
    {"widgets/controls", {"core/recording", "widgets/theme", "widgets/async", "widgets/paint"}},
    {"widgets/style", {"widgets/theme", "widgets/paint"}},
    {"widgets/fleet", {"core/base", "core/findings", "core/fleet", "widgets/theme", "widgets/time", "widgets/paint", "widgets/controls"}},
    {"widgets/eventlist",
     {"core/base", "core/query", "widgets/theme", "widgets/time", "widgets/async", "widgets/paint", "widgets/controls"}},
    {"widgets/workspace",
     {"core/base", "core/query", "core/network", "core/profiling", "core/timesync", "core/waits", "core/findings", "widgets/time",
      "widgets/async"}},
    {"widgets/timeline",
     {"core/base", "core/query", "core/network", "core/profiling", "core/timesync", "core/virtualization", "core/waits", "core/counters",
      "widgets/theme", "widgets/time", "widgets/async", "widgets/paint", "widgets/controls", "widgets/workspace"}},
    {"widgets/sql",
     {"core/base", "core/query", "core/sql", "core/fleet", "widgets/theme", "widgets/time", "widgets/async", "widgets/paint",
      "widgets/controls", "widgets/workspace"}},
    {"widgets/flame",
     {"core/profiling", "widgets/theme", "widgets/time", "widgets/async", "widgets/paint", "widgets/controls", "widgets/workspace",
      "widgets/timeline"}},
    {"widgets/profiling",
     {"core/query", "core/profiling", "widgets/theme", "widgets/time", "widgets/async", "widgets/code", "widgets/controls",
      "widgets/workspace", "widgets/flame"}},
    {"widgets/compare",
     {"core/query", "core/profiling", "core/waits", "core/compare", "core/findings", "widgets/theme", "widgets/time", "widgets/async",
      "widgets/paint", "widgets/code", "widgets/controls", "widgets/workspace", "widgets/timeline", "widgets/flame", "widgets/profiling"}},
    {"widgets/docks", {"core/base",        "core/query",    "core/network",  "core/profiling",   "core/timesync",     "core/virtualization",
                       "core/waits",       "core/latency",  "core/findings", "core/sql",         "widgets/theme",     "widgets/time",
                       "widgets/async",    "widgets/paint", "widgets/code",  "widgets/controls", "widgets/eventlist", "widgets/workspace",
                       "widgets/timeline", "widgets/sql",   "widgets/flame", "widgets/profiling"}},
    {"app/timesync", {}},
    {"app/cli", {"app/timesync"}},
    {"app/gui", {"app/timesync", "app/cli"}},
    {"app", {"app/cli", "app/gui"}},
};

/// Headers with types that query results contain. Every widget may include these headers.
const QStringList valueHeaders{"core/store/track.h",         "core/store/track_ref.h",     "core/store/links.h",
                               "core/store/samples.h",       "core/analysis/track_view.h", "core/trace/fields/field_value.h",
                               "core/trace/process/module.h"};

/// Restricted libraries: the prefix of their headers, and a folder whose files may include these headers.
const QMultiMap<QString, QString> restrictedLibraries{
    {"zstd", "core/io"},
    {"zlib.h", "core/io"},
    {"archive.h", "core/io"},
    {"archive_entry.h", "core/io"},
    {"babeltrace2", "core/formats/ctf"},
    {"elfutils", "core/symbol"},
    {"capstone", "core/symbol"},
    {"pugixml", "core/xml_analysis"},
    {"re2/", "core/xml_analysis"},
    {"re2/", "core/query"},
    {"re2/", "core/sql"},
    {"sqlite3.h", "core/sql"},
    {"nettle/", "core/plugin"},
    {"simdjson", "app/cli/serve"},
    {"simdjson", "app/cli/tsp"},
    {"simdjson", "app/timesync"},
    {"simdjson", "core/formats/chrome_json"},
    {"simdjson", "core/formats/ctf"},
    {"simdjson", "core/formats/profiles"},
    {"protozero", "core/formats/profiles"},
    {"protozero", "core/formats/perfetto"},
    {"protozero", "core/export"},
    {"simdjson", "core/export"},
    {"simdjson", "core/formats/kutrace"},
    {"simdjson", "core/recording"},
    {"simdjson", "core/remote"},
    {"nettle/", "core/remote"},
    {"simdjson", "core/fleet"},
    {"libiberty", "core/symbol"},
    {"libelf.h", "core/symbol"},
    {"dwarf.h", "core/symbol"},
    {"gelf.h", "core/symbol"},
    {"dlfcn.h", "core/plugin"},
    {"CLI/", "app/cli"},
    {"histedit.h", "app/cli/prompt"},
    {"xcb/", "widgets/style"},
};

const QStringList shelves{"core/formats", "core/analyses", "core/correlators", "widgets/docks"};

/// Returns the top folder ("room") of a path: "core/store" for core/store/file/a.cpp, "app" for app/main.cpp.
QString topFolderOf(const QString& path) { return path.section('/', 0, std::min<qsizetype>(1, path.count('/') - 1)); }

/// Returns the component that a file belongs to, for example "core/formats/ctf" for core/formats/ctf/a.h. Components are the subfolders of
/// the folders in the list `shelves`, such as "core/formats". Empty if the file is in no component. Only files of a component may include
/// its headers.
QString componentOf(const QString& path)
{
    return shelves.contains(topFolderOf(path)) && path.count('/') >= 3 ? path.section('/', 0, 2) : QString();
}

bool isOurs(const QString& target)
{
    return target.startsWith("core/") || target.startsWith("widgets/") || target.startsWith("app/") || target.startsWith("tests/");
}

bool isAllowedHere(const QString& path, const QString& target)
{
    const QString topFolder = topFolderOf(path);
    if (!componentOf(target).isEmpty())
        return componentOf(path) == componentOf(target);
    if (path.startsWith("app/") && !target.startsWith("app/"))
        return !target.startsWith("tests/");
    if (path.startsWith("widgets/") && valueHeaders.contains(target))
        return true;
    return topFolderOf(target) == topFolder || mayInclude[topFolder].contains(topFolderOf(target));
}

bool isAllowedLibrary(const QString& path, const QString& header)
{
    // debuginfod.cpp may include dlfcn.h: it loads libdebuginfod by a fixed name if the library is installed.
    if (path == "core/symbol/files/debuginfod.cpp" && header == "dlfcn.h")
        return true;
    bool hasDoors = false;
    for (auto library = restrictedLibraries.begin(); library != restrictedLibraries.end(); ++library) {
        if (!header.startsWith(library.key()))
            continue;
        if (path.startsWith(library.value() + "/"))
            return true;
        hasDoors = true;
    }
    if (hasDoors)
        return false;
    if (path.startsWith("core/"))
        return !header.startsWith('Q') && !header.startsWith("Qt");
    return !(path.startsWith("widgets/") && header.startsWith("QFileDialog"));
}

bool isAllowed(const QString& path, const QString& target)
{
    return isOurs(target) ? isAllowedHere(path, target) : isAllowedLibrary(path, target);
}

/// Graph of the includes between sibling folders (folders with the same parent). It covers the folders at every depth below a top
/// folder such as "core/query", or below a component such as "core/formats/ctf".
class FolderArrows {
public:
    void add(const QString& path, const QString& target)
    {
        const QStringList from = path.split('/'), to = target.split('/');
        qsizetype common = 0;
        while (common < from.size() && common < to.size() && from[common] == to[common])
            ++common;
        const QString folder = componentOf(path).isEmpty() ? topFolderOf(path) : componentOf(path);
        const bool areFolders = from.size() > common + 1 && to.size() > common + 1;
        if (areFolders && common > folder.count('/'))
            m_to[from.mid(0, common + 1).join('/')].insert(to.mid(0, common + 1).join('/'));
    }
    bool isEmpty() const { return m_to.isEmpty(); }

    /// Returns the cycles of the graph, as texts.
    QStringList circles() const
    {
        QStringList found;
        for (auto from = m_to.begin(); from != m_to.end(); ++from)
            for (const QString& to : from.value())
                if (reaches(to, from.key(), {}))
                    found << from.key() + " -> " + to;
        return found;
    }

private:
    bool reaches(const QString& from, const QString& to, QSet<QString> seen) const
    {
        if (from == to)
            return true;
        seen.insert(from);
        for (const QString& next : m_to.value(from))
            if (!seen.contains(next) && reaches(next, to, seen))
                return true;
        return false;
    }

    QMap<QString, QSet<QString>> m_to;
};

/// Returns the files that a source text includes.
QStringList includesOf(const QByteArray& source)
{
    QStringList targets;
    for (const QByteArray& line : source.split('\n')) {
        const QByteArray text = line.trimmed();
        if (!text.startsWith("#include"))
            continue;
        const QByteArray target = text.mid(8).trimmed();
        targets << QString::fromUtf8(target.mid(1, std::max<qsizetype>(target.lastIndexOf(target.startsWith('<') ? '>' : '"') - 1, 0)));
    }
    return targets;
}

/// Text of each source file below `top`, by its path from the source folder.
QMap<QString, QByteArray> sources(const QString& top)
{
    QMap<QString, QByteArray> found;
    QDirIterator it(SOURCE_DIR "/" + top, {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        QFile file(it.next());
        // Skip precompiled.h: the build includes it before every file, so its includes do not show what the folder depends on.
        if (file.fileName().endsWith("/precompiled.h"))
            continue;
        if (file.open(QIODevice::ReadOnly))
            found.insert(QDir(SOURCE_DIR).relativeFilePath(file.fileName()), file.readAll());
    }
    return found;
}

} // namespace

namespace {

/// Top folders whose code queries the store and must not depend on the analysis that filled the store.
const QStringList aboveTheStore{"core/query",    "core/network",   "core/timesync", "core/virtualization",
                                "core/counters", "core/profiling", "core/waits",    "core/latency",
                                "core/compare",  "core/sql",       "widgets",       "app"};

/// Searches the files below aboveTheStore for the names. Returns a line "FILE knows NAME" for each name that a file contains.
QStringList findMentions(const QStringList& names)
{
    QStringList who;
    for (const QString& top : aboveTheStore) {
        const auto files = sources(top);
        if (files.isEmpty())
            who << QString("%1 is empty").arg(top);
        for (auto file = files.begin(); file != files.end(); ++file)
            for (const QString& name : names)
                if (file.value().contains(name.toUtf8()))
                    who << file.key() + " knows " + name;
    }
    return who;
}

} // namespace

class LayersTest : public QObject {
    Q_OBJECT

private slots:
    void everyIncludeIsAnAllowedArrow_data()
    {
        QTest::addColumn<QString>("top");
        QTest::newRow("core") << "core";
        QTest::newRow("widgets") << "widgets";
        QTest::newRow("app") << "app";
    }
    void everyIncludeIsAnAllowedArrow()
    {
        QFETCH(QString, top);

        const auto files = sources(top);

        QVERIFY(!files.isEmpty());
        QStringList wrong;
        for (auto file = files.begin(); file != files.end(); ++file) {
            if (!mayInclude.contains(topFolderOf(file.key())))
                wrong << file.key() + " is in a room that the table does not list";
            for (const QString& target : includesOf(file.value()))
                if (!isAllowed(file.key(), target))
                    wrong << file.key() + " -> " + target;
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    /// Property: the includes between the subfolders of a top folder such as "core/query" have no cycle. Files directly in the top folder
    /// are not checked, because they are its public interface.
    void foldersOfARoomFormNoCircle()
    {
        FolderArrows arrows;
        for (const char* top : {"core", "widgets", "app"}) {
            const auto files = sources(top);
            for (auto file = files.begin(); file != files.end(); ++file)
                for (const QString& target : includesOf(file.value()))
                    arrows.add(file.key(), target);
        }

        QVERIFY(!arrows.isEmpty());
        QCOMPARE(arrows.circles(), QStringList());
    }
    void aCircleOfFoldersIsFound()
    {
        FolderArrows arrows;
        arrows.add("core/query/rows/a.cpp", "core/query/events/b.h");
        arrows.add("core/query/events/b.cpp", "core/query/filters/c.h");
        QCOMPARE(arrows.circles(), QStringList());

        arrows.add("core/query/filters/c.cpp", "core/query/rows/a.h");

        QCOMPARE(arrows.circles().size(), 3);

        FolderArrows deep;
        deep.add("widgets/timeline/graph/axis/a.cpp", "widgets/timeline/graph/rows/b.h");
        // A file in the parent folder is no neighbour: an include of this file adds no arrow to the graph.
        deep.add("widgets/timeline/graph/rows/b.cpp", "widgets/timeline/graph/a.h");
        QCOMPARE(deep.circles(), QStringList());
        deep.add("widgets/timeline/graph/rows/c.cpp", "widgets/timeline/graph/axis/d.h");
        QCOMPARE(deep.circles().size(), 2);
    }

    /// Property: code that queries stores (the folders in aboveTheStore) contains no name of a state. State categories, colours and the
    /// rows of threads are data that an analysis writes (core/store/states.h).
    void nothingAboveTheStoreNamesAState()
    {
        // These state names are not checked, because they are also words with other meanings.
        const QStringList common{"unknown", "running", "waiting",     "idle",       "user",   "kernel",
                                 "syscall", "active",  "interrupted", "page-fault", "stopped"};
        QStringList names;
        for (const StateSet* set : {&kernel::threadStates(), &kernel::cpuStates(), &kernel::cpuThreadStates(), &kernel::softirqStates()})
            for (const StateKind& state : set->states)
                if (const auto name = QString::fromStdString(state.name); !common.contains(name))
                    names << '"' + name + '"';
        names << "\"cpu-thread\""
              << "\"sampled-thread\""
              << "\"sampled-cpu\""
              << "\"samples-user\""
              << "\"samples-kernel\"";

        QStringList wrong = findMentions(names);
        // Two folders may contain the names. In core/waits/path/, path segments have the same names as states, and the texts of conclusions
        // contain the words. In core/latency/throttling/, a latency kind has the same name as a state.
        wrong.removeIf([](const QString& it) { return it.startsWith("core/waits/path/") || it.startsWith("core/latency/throttling/"); });
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void nothingAboveTheStoreNamesAViewAnAnalysisOrAKindOfLinks()
    {
        const QStringList common{"kernel", "heap", "locks", "calls",
                                 // These ids are not checked, because they are also words with other meanings, for example names of
                                 // commands or wait causes.
                                 "disk"};
        QStringList names;
        const auto add = [&](const QString& id) {
            if (!common.contains(id))
                names << '"' + id + '"';
        };
        for (const auto& kind : Analyses::builtin()->all()) {
            add(QString::fromUtf8(kind->id().data(), qsizetype(kind->id().size())));
            for (const TrackView& view : kind->views())
                add(QString::fromStdString(view.id));
        }
        const auto sink = makeMemoryStoreBuilder({});
        kernel::declareLinks(*sink);
        const auto store = sink->finish({});
        for (const LinkKindInfo& link : (*store)->linkKinds())
            if (!link.id.empty())
                names << '"' + QString::fromStdString(link.id) + '"';
        QVERIFY(names.contains("\"control-flow\"") && names.contains("\"wakeup\"") && names.contains("\"event-threads\""));
        const QStringList wrong = findMentions(names);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    /// Property: code in the folders of aboveTheStore accesses a timeline's stores only in timeline_access.h, so that a change to the
    /// stores of a timeline changes only this file.
    void onlyTheDoorAsksForStores()
    {
        static const QRegularExpression asks(R"((timeline|Timeline\(\))(\.|->)stores\b)");
        QVERIFY(asks.match("for (const auto& it : m_timeline->stores)").hasMatch());
        QStringList wrong;
        for (const QString& top : aboveTheStore) {
            const auto files = sources(top);
            for (auto file = files.begin(); file != files.end(); ++file)
                if (!file.key().contains("rows/timeline_access.") && asks.match(QString::fromUtf8(file.value())).hasMatch())
                    wrong << file.key();
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void noSourceFileIsLongerThanSevenHundredLines()
    {
        QStringList wrong;
        for (const char* top : {"core", "widgets", "app", "tests"}) {
            const auto files = sources(top);
            for (auto file = files.begin(); file != files.end(); ++file)
                if (const auto lines = file.value().count('\n'); lines > 700)
                    wrong << QString("%1 has %2 lines").arg(file.key()).arg(lines);
        }
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join('\n')));
    }

    void anArrowAgainstTheLayersIsReported_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("target");
        QTest::addColumn<bool>("allowed");
        test::addRow("down", "core/store/a.cpp", "core/base/time.h", true);
        test::addRow("up", "core/trace/a.cpp", "core/analysis/analysis.h", false);
        test::addRow("Qt in core", "core/base/a.h", "QtGui/QColor", false);
        test::addRow("item to item", "core/formats/ctf/a.cpp", "core/formats/perf_data/b.h", false);
        test::addRow("analysis to analysis", "core/analyses/sampling/a.cpp", "core/analyses/kernel/kernel_state_machine.h", false);
        test::addRow("analysis to what analyses share", "core/analyses/sampling/a.cpp", "core/event_model/prev_state_decoder.h", true);
        test::addRow("query to an analysis", "core/query/rows/a.cpp", "core/analyses/sampling/sampled_tracks.h", false);
        test::addRow("inside an item", "core/formats/ctf/a.cpp", "core/formats/ctf/b.h", true);
        test::addRow("machinery to item", "core/experiment/a.cpp", "core/formats/ctf/b.h", false);
        test::addRow("application to item", "app/a.cpp", "core/formats/ctf/b.h", false);
        test::addRow("widget to io", "widgets/docks/events/a.cpp", "core/io/mapped_file.h", false);
        test::addRow("widget to a value", "widgets/timeline/graph/a.cpp", "core/store/track.h", true);
        test::addRow("widget to the store", "widgets/timeline/graph/a.cpp", "core/store/store.h", false);
        test::addRow("compare to what views share", "widgets/compare/a.cpp", "widgets/profiling/code_view.h", true);
        test::addRow("compare to a view", "widgets/compare/a.cpp", "widgets/docks/source/source_view.h", false);
        test::addRow("views to compare", "widgets/docks/a.cpp", "widgets/compare/side_style.h", false);
        test::addRow("paint to controls", "widgets/paint/a.cpp", "widgets/controls/pill.h", false);
        test::addRow("code to flame graph", "widgets/code/a.cpp", "widgets/flame/view/flame_path.h", false);
        test::addRow("through the door", "core/io/zstd.cpp", "zstd.h", true);
        test::addRow("past the door", "core/store/a.cpp", "zstd.h", false);
    }
    void anArrowAgainstTheLayersIsReported()
    {
        QFETCH(QString, path);
        QFETCH(QString, target);
        QFETCH(bool, allowed);

        QCOMPARE(isAllowed(path, target), allowed);
    }
};

HELIO_TEST(LayersTest)
#include "tst_layers.moc"
