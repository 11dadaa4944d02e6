#include "core/xml_analysis/catalog.h"
#include "tests/core/xml_analysis/declared_xml.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <sys/stat.h>

using namespace helio;
using namespace helio::xml;
using namespace helio::test::xml_text;

namespace {

std::string analysisOf(const std::string& id, const std::string& others = {}, const std::string& event = "e")
{
    return file(element("stateProvider", "id=\"" + id + "\" version=\"1\"", on(event, set("a", integer(1)))) + others);
}
std::string viewOf(const std::string& id, const std::string& analysis)
{
    return element("timeGraphView", "id=\"" + id + "\"", "<head><analysis id=\"" + analysis + "\"/></head>");
}

AnalysisFile fileOf(const std::string& path, AnalysisOrigin origin, const std::string& text)
{
    return {path, origin, text, readFile(text)};
}

/// Returns the listed analyses, one per line: "ID FILE views" or "ID FILE not: why".
QByteArray listed(const std::vector<AnalysisFile>& files)
{
    std::string all;
    for (const ListedAnalysis& it : listAnalyses(files, *Analyses::builtin())) {
        all += it.id + " " + files[it.file].path.string();
        if (!it.kind)
            all += " not: " + it.whyNot;
        else
            for (const TrackView& view : it.kind->views())
                all += " " + view.id;
        all += "\n";
    }
    return QByteArray::fromStdString(all);
}

int versionOf(const std::vector<AnalysisFile>& files, const std::string& id)
{
    for (const ListedAnalysis& it : listAnalyses(files, *Analyses::builtin()))
        if (it.id == id && it.kind)
            return it.kind->version();
    return -1;
}

} // namespace

class CatalogTest : public QObject {
    Q_OBJECT

private slots:
    void theMostWantedOfAnIdCounts()
    {
        std::vector<AnalysisFile> files{
            fileOf("built", AnalysisOrigin::Builtin, analysisOf("x")), fileOf("system", AnalysisOrigin::System, analysisOf("x")),
            fileOf("user", AnalysisOrigin::User, analysisOf("x")), fileOf("beside", AnalysisOrigin::Trace, analysisOf("x")),
            fileOf("given", AnalysisOrigin::Given, analysisOf("x"))};
        const QByteArray why = " uses the same ID\n";
        QCOMPARE(listed(files),
                 "x given x\nx beside not: an analysis in given" + why + "x user not: an analysis in given" + why
                     + "x system not: an analysis in given" + why + "x built not: an analysis in given" + why);
        files.pop_back();
        QVERIFY(listed(files).startsWith("x beside x\n"));
        files.pop_back();
        QVERIFY(listed(files).startsWith("x user x\n"));
        files.pop_back();
        QVERIFY(listed(files).startsWith("x system x\n"));
        files.pop_back();
        QVERIFY(listed(files).startsWith("x built x\n"));
    }

    void theFirstOfTwoAlikeCounts()
    {
        QCOMPARE(listed({fileOf("a", AnalysisOrigin::User, analysisOf("x")), fileOf("b", AnalysisOrigin::User, analysisOf("x"))}),
                 QByteArray("x a x\nx b not: an analysis in a uses the same ID\n"));
    }

    void fileOfNoUseAreLeftOut()
    {
        QCOMPARE(listed({fileOf("a", AnalysisOrigin::Given, "<tmfxml/>"), fileOf("b", AnalysisOrigin::User, analysisOf("x"))}),
                 QByteArray("x b x\n"));
    }

    void builtinOnesAreNeverShadowed()
    {
        for (const auto& kind : Analyses::builtin()->all()) {
            const std::string id(kind->id());
            QCOMPARE(listed({fileOf("f", AnalysisOrigin::Given, analysisOf(id))}),
                     QByteArray::fromStdString(id + " f not: a built-in analysis or view uses the same ID\n"));
            for (const TrackView& view : kind->views()) {
                QCOMPARE(listed({fileOf("f", AnalysisOrigin::Given, analysisOf(view.id))}),
                         QByteArray::fromStdString(view.id + " f not: a built-in analysis or view uses the same ID\n"));
                // An analysis with its own ID may contain a view with the ID of a built-in view. The view is then renamed to "ID.view".
                QCOMPARE(listed({fileOf("f", AnalysisOrigin::Given, analysisOf("x", viewOf(view.id, "x")))}),
                         QByteArray::fromStdString("x f " + view.id + ".view x\n"));
                const auto all =
                    listAnalyses({fileOf("f", AnalysisOrigin::Given, analysisOf("x", viewOf(view.id, "x")))}, *Analyses::builtin());
                QCOMPARE(all.at(0).notes,
                         std::vector{"the view " + view.id + " of f is called " + view.id + ".view here, as a built-in view has the ID "
                                     + view.id});
            }
        }
    }

    void viewsOfAnyFileAreWithTheirAnalysis()
    {
        const auto more = fileOf("views", AnalysisOrigin::User, file(viewOf("v", "x") + viewOf("w", "y") + viewOf("x", "x")));
        QCOMPARE(listed({fileOf("a", AnalysisOrigin::User, analysisOf("x")), more}), QByteArray("x a v x.view x\n"));
        QCOMPARE(listed({fileOf("a", AnalysisOrigin::User, analysisOf("x")), fileOf("b", AnalysisOrigin::User, analysisOf("y")), more}),
                 QByteArray("x a v x.view x\ny b w y\n"));
        // If two views have the same id, the view in the file of the higher-ranking origin is used.
        const auto given = fileOf("given", AnalysisOrigin::Given,
                                  file(element("timeGraphView", "id=\"v\"", "<head><analysis id=\"x\"/><label value=\"Mine\"/></head>")));
        const auto all = listAnalyses({fileOf("a", AnalysisOrigin::User, analysisOf("x")), more, given}, *Analyses::builtin());
        QCOMPARE(all.size(), std::size_t(1));
        const auto views = all[0].kind->views();
        QCOMPARE(std::ranges::count(views, std::string("v"), &TrackView::id), 1);
        QCOMPARE(std::ranges::find(views, std::string("v"), &TrackView::id)->title, std::string("Mine"));
    }

    void whatItDependsOnMakesItsVersion()
    {
        const auto a = fileOf("a", AnalysisOrigin::User, analysisOf("x"));
        const int version = versionOf({a}, "x");
        QVERIFY(version >= 0);
        QCOMPARE(versionOf({fileOf("b", AnalysisOrigin::System, analysisOf("x"))}, "x"), version);
        QVERIFY(versionOf({fileOf("a", AnalysisOrigin::User, analysisOf("x", {}, "other"))}, "x") != version);
        const int withView = versionOf({a, fileOf("v", AnalysisOrigin::User, file(viewOf("v", "x")))}, "x");
        QVERIFY(withView != version);
        QVERIFY(versionOf({a, fileOf("v", AnalysisOrigin::User, file(viewOf("w", "x")))}, "x") != withView);
        QCOMPARE(versionOf({a, fileOf("v", AnalysisOrigin::User, file(viewOf("v", "y")))}, "x"), version);
    }

    void onesThatAreOffAreKnown()
    {
        const auto all = listAnalyses(
            {fileOf("a", AnalysisOrigin::User, analysisOf("x")), fileOf("b", AnalysisOrigin::User, analysisOf("y"))}, *Analyses::builtin());
        Analyses analyses = *Analyses::builtin();
        addAnalyses(all, analyses, [](const ListedAnalysis& it) { return it.id == "y"; });
        QVERIFY(analyses.find("x") && analyses.find("y"));
    }

    void foldersAreLookedThroughInTheirOrder()
    {
        QTemporaryDir folder;
        const auto write = [&](const QString& name, const std::string& text) {
            QDir().mkpath(QFileInfo(folder.filePath(name)).path());
            QFile out(folder.filePath(name));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(text.data(), static_cast<qint64>(text.size()));
        };
        write("u/heliograph/analyses/b.xml", analysisOf("b"));
        write("u/heliograph/analyses/a.xml", analysisOf("a"));
        write("u/heliograph/analyses/no.txt", analysisOf("n"));
        write("s/heliograph/analyses/s.xml", analysisOf("s"));
        write("traces/analyses/beside.xml", analysisOf("beside"));
        write("traces/one/analyses/inside.xml", "nothing");
        qputenv("XDG_DATA_HOME", folder.filePath("u").toUtf8());
        qputenv("XDG_DATA_DIRS", (folder.filePath("none") + "::" + folder.filePath("s")).toUtf8());
        const std::string root = folder.path().toStdString();
        QCOMPARE(userAnalysisFolder().string(), root + "/u/heliograph/analyses");
        std::string found;
        for (const AnalysisFile& it : findAnalysisFiles(analysisFolders({root + "/traces/one/", root + "/traces/two"})))
            if (it.origin != AnalysisOrigin::Builtin)
                found += std::string(wordOf(it.origin)) + " " + it.path.string().substr(root.size()) + (it.content.isUsable() ? "" : " bad")
                    + "\n";
        QCOMPARE(QByteArray::fromStdString(found),
                 QByteArray("trace /traces/one/analyses/inside.xml bad\n"
                            "trace /traces/analyses/beside.xml\n"
                            "user /u/heliograph/analyses/a.xml\n"
                            "user /u/heliograph/analyses/b.xml\n"
                            "system /s/heliograph/analyses/s.xml\n"));
    }

    void aFileCountsOnceHoweverItIsNamed()
    {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        for (const char* name : {"a.xml", "b.xml"}) {
            QFile out(folder.filePath(name));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(QByteArray::fromStdString(analysisOf(name)));
        }
        std::filesystem::create_symlink(root / "a.xml", root / "link.xml");
        const auto namesOf = [&](const std::vector<std::filesystem::path>& given, const std::vector<AnalysisFolder>& folders) {
            std::string names;
            for (const AnalysisFile& it : readAnalysisFiles(given, folders))
                if (it.origin != AnalysisOrigin::Builtin)
                    names += std::string(wordOf(it.origin)) + " " + it.path.filename().string() + "\n";
            return QByteArray::fromStdString(names);
        };
        const auto given = [](const std::string& name) {
            return QByteArray::fromStdString(std::string(wordOf(AnalysisOrigin::Given)) + " " + name + "\n");
        };
        QCOMPARE(namesOf({root / "a.xml", root / "." / "a.xml", root / "link.xml", root / "b.xml"}, {}), given("a.xml") + given("b.xml"));
        QCOMPARE(namesOf({root / "none.xml", root / "none.xml"}, {}), given("none.xml"));
        QCOMPARE(namesOf({root / "link.xml"}, {{root, AnalysisOrigin::User}}), given("link.xml") + "user b.xml\n");
    }

    void whatIsNoRegularFileIsRefusedAtOnce()
    {
        QTemporaryDir folder;
        const std::filesystem::path root = folder.path().toStdString();
        QCOMPARE(::mkfifo((root / "pipe.xml").c_str(), 0600), 0);
        std::filesystem::create_directory(root / "folder.xml");
        std::filesystem::create_symlink("/dev/zero", root / "zero.xml");
        // The pipe in the folder must not be opened: without a writer, that would block.
        const auto files = findAnalysisFiles({{root, AnalysisOrigin::Trace}});
        QCOMPARE(std::ranges::count(files, AnalysisOrigin::Trace, &AnalysisFile::origin), 3);
        for (const AnalysisFile& it : files)
            if (it.origin == AnalysisOrigin::Trace)
                QCOMPARE(QByteArray::fromStdString(textOf(it.content.problems.at(0), it.path.filename().string())),
                         QByteArray::fromStdString(it.path.filename().string() + ": cannot be read: not a regular file"));
        QCOMPARE(readAnalysisFile(root / "none.xml", AnalysisOrigin::Given).content.problems.at(0).what,
                 std::string("cannot be read: No such file or directory"));
    }

    void whatIsCompiledInIsGood()
    {
        for (const EmbeddedFile& it : builtinFiles()) {
            const File read = readFile(it.text);
            for (const Problem& problem : read.problems)
                qWarning("%s", textOf(problem, it.name).c_str());
            QVERIFY(read.problems.empty());
            QVERIFY(!read.programs.empty());
        }
    }
};

HELIO_TEST(CatalogTest)

#include "tst_catalog.moc"
