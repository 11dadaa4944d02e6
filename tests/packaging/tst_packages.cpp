// Property: what was built once gives packages with the same bytes whenever and wherever they are made. packaging/reproduce also builds
// twice.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QMap>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

/// Makes the packages in `folder`. Returns their contents, which are uncompressed archives, by name; the errors as the only entry if they
/// cannot be made. The bytes of the packages themselves also depend on `mask`: their members have its permissions.
QMap<QString, QByteArray> makePackages(const QString& folder, const QString& mask, const QString& zone)
{
    auto environment = plainEnvironment();
    environment.insert("TZ", zone);
    environment.remove("SOURCE_DATE_EPOCH");
    const QString script = "umask " + mask + " && exec \"$0\" -G DEB --config \"$1\" -B \"$2\"";
    const ProgramResult made = runTool("sh", {"-c", script, CPACK_PROGRAM, BUILD_DIR "/CPackConfig.cmake", folder}, environment);
    if (made.status != 0)
        return {{"errors", made.out + made.err}};
    QMap<QString, QByteArray> packages;
    for (const QString& name : QDir(folder).entryList({"*.deb"}, QDir::Files))
        for (const char* part : {"--ctrl-tarfile", "--fsys-tarfile"})
            packages.insert(name + ' ' + part, runTool("dpkg-deb", {part, folder + '/' + name}, environment).out);
    return packages;
}

} // namespace

class PackagesTest : public QObject {
    Q_OBJECT

private slots:
    void packagesDependOnNeitherTimeNorMaskNorFolder()
    {
        if (QStandardPaths::findExecutable("dpkg-shlibdeps").isEmpty())
            QSKIP("dpkg-shlibdeps is missing: the whole test is left out");
        const QTemporaryDir one, two;

        const auto first = makePackages(one.path(), "022", "UTC");
        QTest::qWait(1100); // Times in packages are whole seconds.
        const auto second = makePackages(two.path() + "/a/longer/path", "077", "Asia/Tokyo");

        QVERIFY2(first.size() == 4, first.value("errors").constData());
        QVERIFY2(second.size() == 4, second.value("errors").constData());
        for (auto it = first.begin(); it != first.end(); ++it)
            QVERIFY2(second.value(it.key()) == it.value(), qPrintable("the archives differ: " + it.key()));
        QVERIFY(first.first().size() > 1000);
        const bool hasList =
            std::ranges::any_of(first, [](const QByteArray& archive) { return archive.contains("/heliograph.spdx.json"); });
        QCOMPARE(hasList, QFile::exists(BUILD_DIR "/heliograph.spdx.json"));
    }
};

HELIO_TEST(PackagesTest)
#include "tst_packages.moc"
