// Checks .github/DEPENDENCIES.md against what the build and packaging/prepare.sh ask for, and the list of components that the build makes
// of it (heliograph.spdx.json) against the fields that SPDX 2.3 requires and against the programs.

#include "tests/app/cli/program.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

QString readText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

struct Dependency {
    QString name;
    QStringList packages; ///< Names of Debian's packages; never empty.
    QStringList askedFor; ///< Names that the build asks CMake or pkg-config for.
    QString version; ///< Begin of the version on Debian 12, or "any".
    QString licence; ///< SPDX expression.
    QString use; ///< linked, static, headers, build, run or test.
    QString purpose;
};

QStringList quoted(const QString& cell)
{
    static const QRegularExpression name("`([^`]+)`");
    QStringList names;
    for (const auto& match : name.globalMatch(cell))
        names << match.captured(1);
    return names;
}

QList<Dependency> readTable()
{
    QList<Dependency> table;
    for (const QString& line : readText(SOURCE_DIR "/.github/DEPENDENCIES.md").split('\n')) {
        QStringList cells = line.split('|');
        if (cells.size() != 9 || cells[1].startsWith("---") || cells[1].trimmed() == "name")
            continue;
        for (QString& cell : cells)
            cell = cell.trimmed();
        table << Dependency{cells[1], quoted(cells[2]), quoted(cells[3]), cells[4], cells[5], cells[6], cells[7]};
    }
    return table;
}

QStringList allPackages(const QList<Dependency>& table)
{
    QStringList all;
    for (const Dependency& row : table)
        all << row.packages;
    return all;
}

/// Packages of the arrays of packaging/prepare.sh.
QStringList installedByScripts()
{
    static const QRegularExpression array(R"(_packages=\(([^)]*)\))");
    static const QRegularExpression space("\\s+");
    QStringList packages;
    for (const auto& match : array.globalMatch(readText(SOURCE_DIR "/packaging/prepare.sh")))
        packages << match.captured(1).split(space, Qt::SkipEmptyParts);
    return packages;
}

/// Names that the files of CMake ask for: modules of pkg-config, packages, libraries, programs.
QSet<QString> askedForByBuild()
{
    static const QRegularExpression module(R"(pkg_check_modules\(\w+ (?:REQUIRED )?(?:IMPORTED_TARGET )?([\w.+-]+))");
    static const QRegularExpression found(R"(find_(?:package|library|program)\((?:[A-Z_]+ )?([\w.+-]+))");
    QSet<QString> names;
    const auto read = [&](const QString& path) {
        const QString text = readText(path);
        for (const QRegularExpression& asked : {module, found})
            for (const auto& match : asked.globalMatch(text))
                names << match.captured(1);
    };
    read(SOURCE_DIR "/CMakeLists.txt");
    for (const char* folder : {"/app", "/core", "/packaging", "/tests", "/widgets"})
        for (QDirIterator it(SOURCE_DIR + QString(folder), {"CMakeLists.txt", "*.cmake"}, QDir::Files, QDirIterator::Subdirectories);
             it.hasNext();)
            read(it.next());
    return names;
}

const QSet<QString>& knownLicences()
{
    static const QSet<QString> all{"AGPL-3.0-only",
                                   "Apache-2.0",
                                   "Artistic-2.0",
                                   "BSD-2-Clause",
                                   "BSD-3-Clause",
                                   "GPL-2.0-only",
                                   "GPL-2.0-or-later",
                                   "GPL-3.0-only",
                                   "GPL-3.0-or-later",
                                   "HPND",
                                   "ISC",
                                   "ImageMagick",
                                   "LGPL-2.0-or-later",
                                   "LGPL-2.1-only",
                                   "LGPL-2.1-or-later",
                                   "LGPL-3.0-only",
                                   "LGPL-3.0-or-later",
                                   "MIT",
                                   "OFL-1.1",
                                   "PSF-2.0",
                                   "SSH-OpenSSH",
                                   "X11",
                                   "Zlib",
                                   "blessing",
                                   "bzip2-1.0.6",
                                   "LicenseRef-public-domain"};
    return all;
}

/// Words of an SPDX expression that are no identifiers of licences, operators or exceptions.
QStringList unknownLicences(const QString& expression)
{
    QStringList unknown;
    const QStringList words = expression.split(' ');
    for (qsizetype i = 0; i < words.size(); ++i) {
        if (i % 2 == 1) {
            if (words[i] != "OR" && words[i] != "AND" && words[i] != "WITH")
                unknown << words[i];
        } else if (i > 0 && words[i - 1] == "WITH") {
            if (words[i] != "LLVM-exception" && words[i] != "GCC-exception-3.1")
                unknown << words[i];
        } else if (!knownLicences().contains(words[i])) {
            unknown << words[i];
        }
    }
    return words.size() % 2 == 1 ? unknown : unknown << expression;
}

/// Version of an installed package without epoch and without the distribution's part; empty if it is not installed.
QString installedVersion(const QString& package)
{
    static const QRegularExpression upstream(R"(^(?:\d+:)?([0-9.]+))");
    const ProgramResult shown = runTool("dpkg-query", {"-W", "-f", "${db:Status-Status} ${Version}\n", package}, plainEnvironment());
    const QString first = QString::fromUtf8(shown.out).section('\n', 0, 0);
    return first.startsWith("installed ") ? upstream.match(first.mid(10)).captured(1) : QString();
}

/// Package that owns a file; empty if none does.
QString packageOf(const QString& path)
{
    static QHash<QString, QString> known; // A search takes a second.
    if (!known.contains(path)) {
        // Packages name files below /lib or /usr/lib, even if one is a link to the other.
        const QString other = path.startsWith("/usr") ? path.mid(4) : "/usr" + path;
        known[path] = QString::fromUtf8(runTool("dpkg-query", {"-S", path, other}, plainEnvironment()).out).section(':', 0, 0);
    }
    return known[path];
}

bool isDebian12() { return readText("/etc/os-release").contains("VERSION_CODENAME=bookworm"); }

bool hasPython() { return QFileInfo::exists(BUILD_DIR "/heliograph.spdx.json"); }

QJsonObject readComponents()
{
    QFile file(BUILD_DIR "/heliograph.spdx.json");
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

/// Fields of SPDX 2.3 that are missing in an object.
QStringList missingFields(const QJsonObject& object, const QStringList& required)
{
    QStringList missing;
    for (const QString& field : required)
        if (!object.contains(field) || (object[field].isString() && object[field].toString().isEmpty()))
            missing << object["SPDXID"].toString() + ": " + field;
    return missing;
}

} // namespace

class ComponentsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(m_table.size() > 40); }

    void everyRowIsComplete()
    {
        const QSet<QString> uses{"linked", "static", "headers", "build", "run", "test"};
        for (const Dependency& row : m_table) {
            QVERIFY2(!row.packages.isEmpty() && !row.version.isEmpty() && !row.purpose.isEmpty(), qPrintable(row.name));
            QVERIFY2(uses.contains(row.use), qPrintable(row.name + ": " + row.use));
            QCOMPARE(unknownLicences(row.licence), QStringList());
        }
        const QStringList packages = allPackages(m_table);
        QCOMPARE(QSet<QString>(packages.begin(), packages.end()).size(), packages.size());
    }

    void everyInstalledPackageHasARow()
    {
        const QStringList listed = allPackages(m_table), installed = installedByScripts();
        QVERIFY(installed.contains("cmake") && installed.contains("chromium"));
        for (const QString& package : installed)
            QVERIFY2(listed.contains(package), qPrintable(package + ": add it to .github/DEPENDENCIES.md"));
    }

    void everyNameThatTheBuildAsksForHasARow()
    {
        QStringList listed;
        for (const Dependency& row : m_table)
            listed << row.askedFor;
        const QSet<QString> asked = askedForByBuild();
        QVERIFY(asked.contains("libzstd") && asked.contains("iberty") && asked.contains("Qt6"));
        for (const QString& name : asked)
            QVERIFY2(listed.contains(name), qPrintable(name + ": add it to .github/DEPENDENCIES.md"));
        for (const QString& name : listed)
            QVERIFY2(asked.contains(name), qPrintable(name + ": nothing asks for it any more"));
    }

    void versionsAreThoseOfDebian()
    {
        if (!isDebian12())
            QSKIP("this is not Debian 12");
        for (const Dependency& row : m_table) {
            const QString version = installedVersion(row.packages.first());
            if (row.version != "any" && !version.isEmpty())
                QVERIFY2(version == row.version || version.startsWith(row.version + '.'),
                         qPrintable(row.packages.first() + ' ' + version + ", not " + row.version));
        }
    }

    void theListHasTheFieldsThatSpdxRequires()
    {
        if (!hasPython())
            QSKIP("the build made no list of components: Python is missing");
        const QJsonObject list = readComponents();

        QCOMPARE(missingFields(list, {"spdxVersion", "dataLicense", "SPDXID", "name", "documentNamespace", "creationInfo"}), QStringList());
        QCOMPARE(list["spdxVersion"].toString(), "SPDX-2.3");
        QCOMPARE(list["dataLicense"].toString(), "CC0-1.0");
        QCOMPARE(list["SPDXID"].toString(), "SPDXRef-DOCUMENT");
        QVERIFY(QRegularExpression("^https://[^#]+$").match(list["documentNamespace"].toString()).hasMatch());
        const QJsonObject creation = list["creationInfo"].toObject();
        QVERIFY(QRegularExpression(R"(^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$)").match(creation["created"].toString()).hasMatch());
        QVERIFY(QRegularExpression("^(Tool|Person|Organization): .").match(creation["creators"].toArray()[0].toString()).hasMatch());

        QSet<QString> ids{"SPDXRef-DOCUMENT"};
        const auto takeId = [&](const QJsonObject& element) {
            const QString id = element["SPDXID"].toString();
            QVERIFY2(QRegularExpression("^SPDXRef-[A-Za-z0-9.-]+$").match(id).hasMatch() && !ids.contains(id), qPrintable(id));
            ids << id;
        };
        for (const auto& value : list["packages"].toArray()) {
            const QJsonObject package = value.toObject();
            takeId(package);
            QCOMPARE(missingFields(package, {"SPDXID", "name", "downloadLocation", "versionInfo", "licenseDeclared"}), QStringList());
            QCOMPARE(unknownLicences(package["licenseDeclared"].toString()), QStringList());
            QCOMPARE(package.contains("packageVerificationCode"), package["filesAnalyzed"].toBool(true));
            for (const auto& reference : package["externalRefs"].toArray())
                QCOMPARE(missingFields(reference.toObject(), {"referenceCategory", "referenceType", "referenceLocator"}), QStringList());
        }
        for (const auto& value : list["files"].toArray()) {
            takeId(value.toObject());
            QCOMPARE(missingFields(value.toObject(), {"SPDXID", "fileName", "checksums"}), QStringList());
            QVERIFY(value.toObject()["fileName"].toString().startsWith("./"));
        }
        // A licence without an identifier of SPDX is described in the list itself.
        QVERIFY(list["hasExtractedLicensingInfos"].toArray()[0].toObject()["licenseId"].toString() == "LicenseRef-public-domain");
        bool isDescribed = false;
        for (const auto& value : list["relationships"].toArray()) {
            const QJsonObject it = value.toObject();
            QVERIFY2(ids.contains(it["spdxElementId"].toString()), qPrintable(it["spdxElementId"].toString()));
            QVERIFY2(ids.contains(it["relatedSpdxElement"].toString()), qPrintable(it["relatedSpdxElement"].toString()));
            QVERIFY(!it["relationshipType"].toString().isEmpty());
            isDescribed |= it["relationshipType"].toString() == "DESCRIBES";
        }
        QVERIFY(isDescribed);
    }

    void everyNeededLibraryIsAComponent_data()
    {
        QTest::addColumn<QString>("program");
        const QDir folder(QFileInfo(HELIOGRAPH_PROGRAM).path());
        for (const QString& program : folder.entryList({"heliograph*"}, QDir::Files, QDir::Name))
            QTest::newRow(qPrintable(program)) << folder.filePath(program);
    }
    void everyNeededLibraryIsAComponent()
    {
        QFETCH(QString, program);
        if (!hasPython())
            QSKIP("the build made no list of components: Python is missing");
        const QJsonObject list = readComponents();
        const QString id = "SPDXRef-program-" + QFileInfo(program).fileName();
        QStringList linked;
        for (const auto& value : list["relationships"].toArray())
            if (const QJsonObject it = value.toObject();
                it["spdxElementId"].toString() == id && it["relationshipType"].toString() == "DYNAMIC_LINK")
                linked << it["relatedSpdxElement"].toString();
        QVERIFY2(!linked.isEmpty(), "the list does not name the program: add it with helio_add_helper()");

        // Independent of the script: ldd resolves the library, dpkg names the owner of the file.
        const QString dynamic = QString::fromUtf8(runTool("readelf", {"-dW", program}, plainEnvironment()).out);
        const QString resolved = QString::fromUtf8(runTool("ldd", {program}, plainEnvironment()).out);
        static const QRegularExpression needed(R"(\(NEEDED\).*\[(.+)\])");
        int checked = 0;
        for (const auto& match : needed.globalMatch(dynamic)) {
            const QString library = match.captured(1);
            const QRegularExpression line(QRegularExpression::escape(library) + R"((?: => (\S+)| \())");
            const QString path = line.match(resolved).captured(1);
            if (path.isEmpty())
                continue; // The loader itself.
            const QString owner = packageOf(path);
            if (owner.isEmpty())
                continue; // Not from a package.
            ++checked;
            QVERIFY2(linked.contains("SPDXRef-package-" + QString(owner).replace('+', '-')), qPrintable(library + " of " + owner));
            QVERIFY2(allPackages(m_table).contains(owner), qPrintable(owner + ": add it to .github/DEPENDENCIES.md"));
        }
        QVERIFY(checked > 3 || !QFileInfo::exists("/var/lib/dpkg/status"));
    }

    void embeddedFilesHaveTheirChecksums()
    {
        if (!hasPython())
            QSKIP("the build made no list of components: Python is missing");
        QList<QByteArray> sums;
        const QJsonObject list = readComponents();
        for (const auto& value : list["files"].toArray()) {
            const QJsonObject entry = value.toObject();
            QFile file(SOURCE_DIR + entry["fileName"].toString().mid(1));
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
            const QByteArray bytes = file.readAll();
            const QJsonArray checksums = entry["checksums"].toArray();
            sums << QCryptographicHash::hash(bytes, QCryptographicHash::Sha1).toHex();
            QCOMPARE(checksums[0].toObject()["algorithm"].toString(), "SHA1");
            QCOMPARE(checksums[0].toObject()["checksumValue"].toString().toLatin1(), sums.last());
            QCOMPARE(checksums[1].toObject()["checksumValue"].toString().toLatin1(),
                     QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
        }
        QVERIFY(sums.size() > 50);
        std::ranges::sort(sums);
        QCOMPARE(list["packages"]
                     .toArray()[0]
                     .toObject()["packageVerificationCode"]
                     .toObject()["packageVerificationCodeValue"]
                     .toString()
                     .toLatin1(),
                 QCryptographicHash::hash(sums.join(), QCryptographicHash::Sha1).toHex());
    }

private:
    const QList<Dependency> m_table = readTable();
};

HELIO_TEST(ComponentsTest)
#include "tst_components.moc"
