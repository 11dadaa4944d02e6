// Lines of JSON with summaries: what is written is read back, wrong lines are rejected with the wrong member, and appending is safe beside
// other processes and on a full disk.

#include "core/fleet/summary_file.h"
#include "core/fleet/summary_line.h"
#include "tests/support/files.h"
#include "tests/support/made_summary.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <set>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace helio;
using fleet::TraceSummary;
using test::failedSummary;
using test::madeSummary;

namespace {

std::string withoutEnd(std::string line)
{
    line.pop_back();
    return line;
}

struct ReadFile {
    std::vector<TraceSummary> summaries;
    QStringList errors;
};

ReadFile readAll(const QString& path)
{
    ReadFile all;
    const auto take = [&](TraceSummary&& it) {
        all.summaries.push_back(std::move(it));
        return true;
    };
    const Status read =
        fleet::readSummaries(path.toStdString(), take, [&](const Error& error) { all.errors << QString::fromStdString(error.what); });
    if (!read)
        all.errors << QString::fromStdString(read.error().what);
    return all;
}

/// Runs an action in a process of its own, which ends with status 0 if the action returns true.
template <typename Action> pid_t inProcess(const Action& action)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(action() ? 0 : 1);
    return child;
}
bool hasSucceeded(pid_t child)
{
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

class SummaryLinesTest : public QObject {
    Q_OBJECT

private slots:
    void linesAreReadBack()
    {
        TraceSummary unusual = madeSummary(7);
        unusual.path = "/t/\"quoted\"\n\xc3\xa9";
        unusual.beginNs = unusual.endNs = std::nullopt;
        unusual.cpuBusyShare = std::nullopt;
        unusual.tags.clear();
        for (const TraceSummary& it : {madeSummary(1), failedSummary(2), unusual}) {
            const std::string line = fleet::writeLine(it);
            QCOMPARE(line.find('\n'), line.size() - 1);
            const auto read = fleet::readLine(withoutEnd(line));
            QVERIFY2(bool(read), read ? "" : read.error().what.c_str());
            QVERIFY(*read == it);
        }
    }

    void wrongLinesAreRejected_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("message");
        const auto add = [](const char* name, const QByteArray& line, const QByteArray& message) {
            QTest::newRow(name) << line << message;
        };
        const QByteArray line = QByteArray::fromStdString(withoutEnd(fleet::writeLine(madeSummary(1))));
        const auto changed = [&](const QByteArray& from, const QByteArray& to) {
            Q_ASSERT(line.contains(from));
            return QByteArray(line).replace(from, to);
        };
        add("no JSON", "hello", "not an object of JSON");
        add("cut", line.left(line.size() / 2), "not an object of JSON");
        add("not UTF-8", changed("host-1", "\xff"), "not an object of JSON");
        add("an array", "[1]", "not an object of JSON");
        add("another object", "{\"name\":\"x\"}", "no member \"summary\"");
        add("another version", changed("\"summary\":1", "\"summary\":2"), "a summary of version 2");
        add("no path", changed("\"path\":\"/traces/1\"", "\"path\":\"\""), "member \"path\": missing");
        add("no identity", changed("\"identity-1\"", "null"), "member \"identity\": missing");
        add("text for a number", changed("\"events\":1001", "\"events\":\"many\""), "member \"events\": not a whole number");
        add("fraction", changed("\"events\":1001", "\"events\":1.5"), "member \"events\": not a whole number");
        add("negative", changed("\"events\":1001", "\"events\":-1"), "member \"events\": negative");
        add("too large", changed("\"events\":1001", "\"events\":18446744073709551615"), "member \"events\": not a whole number");
        add("number for a text", changed("\"host\":\"host-1\",\"boot\"", "\"host\":5,\"boot\""), "member \"host\": not a text");
        add("no array", changed("\"quality\":[", "\"quality\":5,\"q\":["), "member \"quality\": not an array");
        add("wrong element", changed("\"quality\":[", "\"quality\":[5,"), "member \"quality\": element 0 is not an object");
        add("wrong member", changed("\"occurrences\":41", "\"occurrences\":-41"), "member \"findings[0].occurrences\": negative");
        add("wrong flag", changed("\"problem\":true", "\"problem\":1"), "member \"quality[1].problem\": neither true nor false");
        add("wrong histogram", changed("\"name\":\"\",\"count\"", "\"histogram\":\"1\",\"count\""),
            "member \"latencies[0].histogram\": not a digest");
        add("wrong tag", changed("\"checkout\"", "5"), "member \"tags\": a member is not a text");
        add("long text", changed("app was throttled", QByteArray(70'000, 'x')), "member \"findings[0].text\": the text is too long");
        add("many notes", changed("\"quality\":[", "\"quality\":[" + QByteArray("{},").repeated(10'001)), "more than 10000 elements");
        add("deep", QByteArray(5'000, '['), "not an object of JSON");
        add("null byte", QByteArray("\0", 1), "not an object of JSON");
    }
    void wrongLinesAreRejected()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, message);
        const auto read = fleet::readLine({line.constData(), static_cast<std::size_t>(line.size())});
        QVERIFY(!read);
        QVERIFY2(read.error().what.find(message.toStdString()) != std::string::npos, read.error().what.c_str());
    }

    /// Property: a line of which any byte is changed is read or rejected, but never ends the program.
    void anyByteMayBeWrong()
    {
        const std::string line = withoutEnd(fleet::writeLine(madeSummary(1)));
        int rejected = 0;
        for (std::size_t at = 0; at < line.size(); ++at)
            for (const char byte : {'\0', '"', '9', '}', '\xff'}) {
                std::string wrong = line;
                wrong[at] = byte;
                rejected += !fleet::readLine(wrong);
            }
        QVERIFY(rejected > int(line.size()));
    }

    void membersOfLaterVersionsAreSkipped()
    {
        std::string line = withoutEnd(fleet::writeLine(madeSummary(1)));
        line.insert(1, "\"new\":{\"a\":[1,2]},");
        const auto read = fleet::readLine(line);
        QVERIFY(bool(read));
        QVERIFY(*read == madeSummary(1));
    }

    void processesAppendWholeLines()
    {
        constexpr int Processes = 4, Lines = 50;
        const QTemporaryDir folder;
        const QString path = folder.filePath("all.jsonl");
        std::vector<pid_t> children;
        for (int process = 0; process < Processes; ++process)
            children.push_back(inProcess([&] {
                bool isDone = true;
                for (int i = 0; i < Lines; ++i) {
                    TraceSummary it = madeSummary(process * Lines + i);
                    it.findings.front().detail.assign(60'000, char('a' + process)); // Longer than a page, so that a write could be split.
                    isDone = isDone && fleet::appendSummary(path.toStdString(), it);
                }
                return isDone;
            }));
        for (const pid_t child : children)
            QVERIFY(hasSucceeded(child));
        const ReadFile all = readAll(path);
        QCOMPARE(all.errors, QStringList());
        std::set<std::string> identities;
        for (const TraceSummary& it : all.summaries)
            identities.insert(it.identity);
        QCOMPARE(identities.size(), std::size_t(Processes * Lines));
    }

    void begunLinesAreEnded()
    {
        const QTemporaryDir folder;
        const QString path = test::writeFile(folder.filePath("all.jsonl"), "{\"summary\":1,\"path\":\"/a");
        QVERIFY(bool(fleet::appendSummary(path.toStdString(), madeSummary(1))));
        const ReadFile all = readAll(path);
        QCOMPARE(all.summaries.size(), std::size_t(1));
        QCOMPARE(all.errors.size(), 1);
        QVERIFY2(all.errors[0].startsWith(path + ":1: not an object of JSON"), qPrintable(all.errors[0]));
    }

    void fullDisksLeaveNoPartOfALine()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("all.jsonl").toStdString();
        QVERIFY(bool(fleet::appendSummary(path, madeSummary(1))));
        const pid_t child = inProcess([&] {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlim_t whole = fleet::writeLine(madeSummary(1)).size();
            const rlimit most{whole + whole / 2, whole + whole / 2}; // The second line ends beyond this size.
            setrlimit(RLIMIT_FSIZE, &most);
            const Status appended = fleet::appendSummary(path, madeSummary(2));
            return !appended && appended.error().kind == Error::Kind::Full;
        });
        QVERIFY(hasSucceeded(child));
        QCOMPARE(QFile(QString::fromStdString(path)).size(), qint64(fleet::writeLine(madeSummary(1)).size()));
        const Status unwritable = fleet::appendSummary("/no/such/folder/a.jsonl", madeSummary(1));
        QVERIFY(!unwritable && unwritable.error().what.find("/no/such/folder/a.jsonl: cannot open: ") == 0);
    }

    void longLinesAreRejectedAndSkipped()
    {
        const QTemporaryDir folder;
        QByteArray content(20 << 20, 'x');
        content += '\n' + QByteArray::fromStdString(fleet::writeLine(madeSummary(1))) + "\n  \nx";
        const ReadFile all = readAll(test::writeFile(folder.filePath("a.jsonl"), content));
        QCOMPARE(all.summaries.size(), std::size_t(1));
        QCOMPARE(all.errors.size(), 2);
        QVERIFY2(all.errors[0].endsWith("a.jsonl:1: the line is longer than 16 MiB"), qPrintable(all.errors[0]));
        QVERIFY2(all.errors[1].contains("a.jsonl:5: "), qPrintable(all.errors[1]));
        QVERIFY(readAll(folder.filePath("none.jsonl")).errors.value(0).contains("No such file"));
    }
};

HELIO_TEST(SummaryLinesTest)
#include "tst_summary_lines.moc"
