#include "app/cli/tsp/served_folders.h"
#include "tests/support/files.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace helio;

namespace fs = std::filesystem;

class ServedFoldersTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_home = std::make_unique<QTemporaryDir>();
        m_root = fs::canonical(m_home->path().toStdString()) / "root";
        for (const char* file : {"root/trace/data", "root/other", "outside/secret", "root-2/data"})
            test::writeFile(m_home->filePath(file), "x");
    }

    void pathsBelowTheFoldersAreResolved()
    {
        const auto folders = ServedFolders::make({m_root, m_root / ".." / "root-2"});
        QVERIFY(bool(folders));
        const std::string root = m_root.string();
        for (const auto& [given, resolved] : {std::pair(root + "/trace", root + "/trace"), std::pair(std::string("trace"), root + "/trace"),
                                              std::pair(root + "//trace/../other", root + "/other"), std::pair(root, root),
                                              std::pair(root + "-2/data", root + "-2/data")}) {
            const auto path = folders->resolve(given);
            QVERIFY2(bool(path), path ? "" : path.error().what.c_str());
            QCOMPARE(path->string(), resolved);
        }
    }

    void otherPathsAreRefused()
    {
        const auto folders = ServedFolders::make({m_root});
        fs::create_symlink(m_root / ".." / "outside", m_root / "link");
        fs::create_symlink(m_root / ".." / "outside" / "secret", m_root / "file");
        fs::create_symlink("loop", m_root / "loop");
        for (const std::string given :
             {m_root.string() + "-2/data", m_root.string() + "/../outside/secret", std::string("../outside"), std::string("/"),
              std::string("/etc/passwd"), std::string("/no/such/file"), std::string("link"), std::string("link/secret"),
              std::string("link/none"), std::string("file"), m_root.string() + "/..", std::string("loop")}) {
            const auto path = folders->resolve(given);
            QVERIFY2(!path && path.error().kind == Error::Kind::Usage, given.c_str());
        }
        for (const std::string given : {std::string("none"), std::string(), std::string("trace\0x", 7), std::string("trace/none")}) {
            const auto path = folders->resolve(given);
            QVERIFY2(!path && path.error().kind == Error::Kind::NotFound, given.c_str());
        }
        QVERIFY(!folders->resolve(std::string(100'000, 'a')));
    }

    /// Property: a trace that contains a link to a file outside of the folders is not opened, because a reader would follow the link.
    void linksInATraceAreChecked()
    {
        const auto folders = ServedFolders::make({m_root});
        fs::create_symlink(m_root / "other", m_root / "trace" / "inner");
        QVERIFY(bool(folders->resolve("trace")));
        fs::create_directory(m_root / "trace" / "deep");
        fs::create_symlink(m_root / ".." / "outside" / "secret", m_root / "trace" / "deep" / "stream");
        const auto path = folders->resolve("trace");
        QVERIFY(!path && path.error().kind == Error::Kind::Usage);
        QVERIFY(!folders->resolve(m_root.string()));
    }

    void foldersMustExist()
    {
        QVERIFY(!ServedFolders::make({m_root / "none"}));
        QVERIFY(!ServedFolders::make({m_root / "other"}));
        const auto through = ServedFolders::make({m_root / "."});
        QVERIFY(bool(through) && through->all().front() == m_root);
    }

private:
    std::unique_ptr<QTemporaryDir> m_home;
    fs::path m_root;
};

HELIO_TEST(ServedFoldersTest)
#include "tst_served_folders.moc"
