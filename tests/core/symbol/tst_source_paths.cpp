#include "core/symbol/source_paths.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;

class SourcePathsTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QDir(m_folder->path()).mkpath("src/lib");
        for (const char* name : {"src/main.c", "src/lib/x.c"})
            QVERIFY(QFile(m_folder->filePath(name)).open(QIODevice::WriteOnly));
    }

    void aFileIsFoundWhereItWasRecorded()
    {
        QCOMPARE(SourcePaths{}.find(path("src/main.c")).file.string(), path("src/main.c"));
        QCOMPARE(SourcePaths{}.find(path("src/lib/../main.c")).file.string(), path("src/main.c"));
    }

    void aMappingLeadsToIt()
    {
        const SourcePaths paths{{{"/build/app/", path("src")}}, {}};

        QCOMPARE(paths.find("/build/app/lib/x.c").file.string(), path("src/lib/x.c"));
        QVERIFY(paths.find("/build/apple/lib/x.c").file.empty());
    }

    void aFolderIsSearchedByTheEndOfThePath()
    {
        const SourcePaths paths{{}, {path("src")}};

        QCOMPARE(paths.find("/somewhere/else/lib/x.c").file.string(), path("src/lib/x.c"));
        QCOMPARE(paths.find("main.c").file.string(), path("src/main.c"));
    }

    void whereItLookedIsReported()
    {
        const SourcePaths paths{{{"/build", path("src")}}, {path("src/lib")}};

        const auto found = paths.find("/build/no.c");

        QVERIFY(found.file.empty());
        const std::vector<std::filesystem::path> expected{path("src/no.c"), "/build/no.c", path("src/lib/build/no.c"),
                                                          path("src/lib/no.c")};
        QVERIFY(found.looked == expected);
    }

    void aPathOutOfTheFolderIsNotFollowed()
    {
        const SourcePaths paths{{}, {path("src/lib")}};

        QVERIFY(paths.find("../main.c").file.empty());
        QVERIFY(paths.find("").file.empty());
    }

    void aShownPlaceBecomesAMapping()
    {
        const auto mapping = SourcePaths::mappingFor("/build/app/lib/x.c", path("src/lib/x.c"));

        QCOMPARE(mapping.recorded, std::string("/build/app"));
        QCOMPARE(mapping.local.string(), path("src"));
        QCOMPARE((SourcePaths{{mapping}, {}}.find("/build/app/main.c").file.string()), path("src/main.c"));
    }

private:
    std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

HELIO_TEST(SourcePathsTest)
#include "tst_source_paths.moc"
