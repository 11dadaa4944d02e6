// Files of an export: names of folders for hostile values, and the text of values.

#include "core/fleet/hive_folder.h"
#include "core/fleet/partitioned_files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace helio;
using helio::fleet::hiveFolder;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

/// Returns the value that an engine reads from the name of a folder: with %XX decoded.
QByteArray decoded(const std::string& name) { return QByteArray::fromPercentEncoding(QByteArray::fromStdString(name).mid(5)); }

} // namespace

class PartitionedFilesTest : public QObject {
    Q_OBJECT

private slots:
    void namesOfFoldersAreEscaped_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("name");
        const auto add = [](const char* name, const QByteArray& value, const QByteArray& folder) { test::addRow(name, value, folder); };
        add("plain", "web-1.example.org", "web-1.example.org");
        add("path", "../../etc/passwd", "..%2F..%2Fetc%2Fpasswd");
        add("dots", "..", "..");
        add("equals", "a=b", "a%3Db");
        add("percent", "100%25", "100%2525");
        add("special", "\"#'*:?\\{[]^\x7f", "%22%23%27%2A%3A%3F%5C%7B%5B%5D%5E%7F");
        add("control", QByteArray("a\0b\r\n\t", 6), "a%00b%0D%0A%09");
        add("letters", "h\xc3\xb6st \xe2\x82\xac", "h\xc3\xb6st \xe2\x82\xac");
        add("not UTF-8", "a\xff", "a%5Cxff");
        add("empty", "", "__HIVE_DEFAULT_PARTITION__");
        add("word for NULL", "__HIVE_DEFAULT_PARTITION__", "%5F_HIVE_DEFAULT_PARTITION__");
        add("null", "NuLL", "%4EuLL");
        add("nullable", "nullable", "nullable");
    }
    void namesOfFoldersAreEscaped()
    {
        QFETCH(QByteArray, value);
        QFETCH(QByteArray, name);
        QCOMPARE(QByteArray::fromStdString(hiveFolder("host", value.toStdString())), "host=" + name);
        if (!value.isEmpty() && !value.contains('\xff'))
            QCOMPARE(decoded(hiveFolder("host", value.toStdString())), value);
    }

    /// Property: names fit into a file system, long values are not confused, and cut values are still UTF-8.
    void longValuesAreCut()
    {
        const std::string long1 = std::string(5'000, 'a') + '1', long2 = std::string(5'000, 'a') + '2';
        QVERIFY(hiveFolder("host", long1) != hiveFolder("host", long2));
        for (const std::string& value : {long1, std::string(5'000, '/'), std::string(5'000, '\xff')})
            QVERIFY2(hiveFolder("host", value).size() <= 255, hiveFolder("host", value).c_str());
        QCOMPARE(hiveFolder("host", std::string(200, 'a')), "host=" + std::string(200, 'a'));
        for (int before = 0; before < 4; ++before) {
            std::string value(std::size_t(before), 'a');
            for (int i = 0; i < 100; ++i)
                value += "\xe2\x82\xac";
            const QByteArray name = QByteArray::fromStdString(hiveFolder("host", value));
            QVERIFY(name.size() > 200 && name.size() <= 255);
            QCOMPARE(QString::fromUtf8(name).toUtf8(), name);
            QVERIFY2(QString::fromUtf8(name).indexOf(QChar(0xfffd)) < 0, name.constData());
        }
    }

    void valuesKeepTheirTypes()
    {
        const QTemporaryDir folder;
        const std::vector<std::string> columns{"a", "b,c"};
        fleet::PartitionedFiles files(folder.path().toStdString(), columns, {});
        const auto add = [&](const char* partition, const sql::Value& a, const sql::Value& b) {
            return bool(files.addRow(partition, std::vector<sql::Value>{a, b}));
        };
        QVERIFY(add("day=1/host=a", std::int64_t(INT64_MIN), std::string("x\"y\r\n,")));
        QVERIFY(add("day=1/host=a", {}, std::string()));
        QVERIFY(add("day=1/host=b", 0.1, std::string("a\xff")));
        QVERIFY(add("day=1/host=b", 3.0, 1e300));
        QVERIFY(bool(files.finish()));
        QCOMPARE(files.rows(), std::uint64_t(4));
        QCOMPARE(files.files(), std::uint64_t(2));
        QCOMPARE(contentOf(folder.filePath("day=1/host=a/part.csv")),
                 QByteArray("a,\"b,c\"\r\n-9223372036854775808,\"x\"\"y\r\n,\"\r\n,\"\"\r\n"));
        QCOMPARE(contentOf(folder.filePath("day=1/host=b/part.csv")), QByteArray("a,\"b,c\"\r\n0.1,a\\xff\r\n3,1e+300\r\n"));
    }

    void noRowsMakeAFileWithNames()
    {
        const QTemporaryDir folder;
        const std::vector<std::string> columns{"a", "b"};
        fleet::PartitionedFiles files(folder.filePath("table").toStdString(), columns, {});
        QVERIFY(bool(files.finish()));
        QCOMPARE(files.rows(), std::uint64_t(0));
        QCOMPARE(contentOf(folder.filePath("table/day=__HIVE_DEFAULT_PARTITION__/host=__HIVE_DEFAULT_PARTITION__/part.csv")),
                 QByteArray("a,b\r\n"));
    }

    void stopRequestsEndTheWriting()
    {
        const QTemporaryDir folder;
        const std::vector<std::string> columns{"a"};
        std::stop_source stop;
        fleet::PartitionedFiles files(folder.path().toStdString(), columns, stop.get_token());
        QVERIFY(bool(files.addRow("x", std::vector<sql::Value>{std::int64_t(1)})));
        stop.request_stop();
        const Status added = files.addRow("x", std::vector<sql::Value>{std::int64_t(1)});
        QVERIFY(!added);
        QCOMPARE(added.error().kind, Error::Kind::Cancelled);
    }
};

HELIO_TEST(PartitionedFilesTest)
#include "tst_partitioned_files.moc"
