#include "core/io/unpack.h"
#include "tests/app/cli/program.h"
#include "tests/app/cli/serve/json_text.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <span>

using namespace helio;

namespace {

constexpr int Patience = 60'000; ///< Time limit for a response, in ms.

const QString Hosts = QStringLiteral(SOURCE_DIR "/tests/fixtures/two-hosts-small/");

/// A running server: requests are written, and responses read, line by line.
class ServedProgram {
public:
    ServedProgram()
    {
        auto environment = plainEnvironment();
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(place, m_home.path());
        m_process.setProcessEnvironment(environment);
        m_process.start(HELIOGRAPH_PROGRAM, {"serve", "--stdio"});
    }

    void write(const QByteArray& line) { m_process.write(line + '\n'); }
    void send(int id, const QString& method, QJsonObject params = {}, bool isAboutTrace = true)
    {
        if (isAboutTrace)
            params.insert("trace", 1);
        write(QJsonDocument(QJsonObject{{"id", id}, {"method", method}, {"params", params}}).toJson(QJsonDocument::Compact));
    }
    void open(const QStringList& paths, const QJsonObject& options = {})
    {
        send(0, "open", {{"paths", QJsonArray::fromStringList(paths)}, {"options", options}}, false);
    }

    /// Returns the following line without its end; empty if none comes.
    QByteArray line()
    {
        QElapsedTimer timer;
        timer.start();
        while (!m_process.canReadLine() && m_process.state() != QProcess::NotRunning && timer.elapsed() < Patience)
            m_process.waitForReadyRead(1'000);
        return m_process.readLine().trimmed();
    }
    QJsonObject response() { return QJsonDocument::fromJson(line()).object(); }

    /// Collects the responses to one request.
    struct Responses {
        QJsonArray columns, rows;
        QByteArray output;
        QJsonObject result, error;
        int batches = 0;
        bool isOfOneRequest = true;
    };
    Responses responses(int id)
    {
        Responses all;
        while (all.result.isEmpty() && all.error.isEmpty()) {
            const QJsonObject it = response();
            if (it.isEmpty())
                break;
            all.isOfOneRequest = all.isOfOneRequest && it["id"] == id;
            if (it.contains("columns"))
                all.columns = it["columns"].toArray();
            for (const auto& row : it["rows"].toArray())
                all.rows.append(row);
            all.batches += it.contains("rows");
            all.output += it["output"].toString().toUtf8();
            all.result = it["result"].toObject();
            all.error = it["error"].toObject();
        }
        return all;
    }

    /// Closes the input and returns the exit status; -1 if the program does not end.
    int end()
    {
        m_process.closeWriteChannel();
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(Patience))
            return -1;
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    QByteArray rest() { return m_process.readAllStandardOutput(); }
    QByteArray messages() { return m_process.readAllStandardError(); }

private:
    QTemporaryDir m_home;
    QProcess m_process;
};

/// Returns the rows that a command prints as JSON, each as an array of the values in the order of the columns.
QJsonArray rowsOf(const ProgramResult& printed, const QJsonArray& columns)
{
    QJsonArray rows;
    for (const QByteArray& line : printed.lines()) {
        const QJsonObject object = QJsonDocument::fromJson(line).object();
        QJsonArray row;
        for (const auto& column : columns)
            row.append(object[column.toString()]);
        rows.append(row);
        if (object.size() != columns.size())
            return {};
    }
    return rows;
}

} // namespace

class ServeTest : public QObject {
    Q_OBJECT

private slots:
    void openingDescribesTheTraces()
    {
        ServedProgram program;
        program.send(9, "version", {}, false);
        QCOMPARE(program.line(),
                 "{\"id\":9,\"result\":{\"version\":\"" + heliograph({"--version"}).out.trimmed().split(' ')[1] + "\",\"protocol\":1}}");
        program.open({sampleTrace()});
        const QJsonObject result = program.response()["result"].toObject();
        QCOMPARE(result["trace"].toInt(), 1);
        QCOMPARE(result["status"].toInt(), 0);
        QCOMPARE(result["info"].toObject(), QJsonDocument::fromJson(heliograph({"info", sampleTrace(), "--json"}).out).object());
        QCOMPARE(program.end(), 0);
        QCOMPARE(program.rest(), QByteArray());
    }

    void sqlAnswersExactValues()
    {
        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        program.send(1, "sql", {{"sql", "SELECT 9007199254740993 AS a, NULL AS b, 1.0 AS \"c d\", 'x\"y' AS a, x'ff' AS e, 9e999"}});
        QCOMPARE(program.line(), json("{'id':1,'columns':['a','b','c d','a','e','9e999']}"));
        QCOMPARE(program.line(), json("{'id':1,'rows':[[9007199254740993,null,1.0,'x\\'y',{'base64':'/w=='},1e999]]}"));
        QCOMPARE(program.line(), json("{'id':1,'result':{'rows':1,'status':0,'messages':[]}}"));
        program.send(2, "sql", {{"sql", "SELECT ts FROM event WHERE 0"}});
        QCOMPARE(program.line(), json("{'id':2,'columns':['ts']}"));
        QCOMPARE(program.line(), json("{'id':2,'result':{'rows':0,'status':0,'messages':[]}}"));
        program.send(3, "sql", {{"sql", "CREATE TABLE kept AS SELECT 5 AS n"}});
        QCOMPARE(program.line(), json("{'id':3,'result':{'rows':0,'status':0,'messages':[]}}"));
        program.send(4, "sql", {{"sql", "SELECT n FROM kept"}});
        QCOMPARE(program.responses(4).rows, (QJsonArray{QJsonArray{5}}));
        QCOMPARE(program.end(), 0);
    }

    /// Property: a query that opens its traces has the rows, the status and the messages of the command `sql`.
    void queriesOpenAndCloseTheirTraces()
    {
        ServedProgram program;
        const QString statement = "SELECT ts, name, 1.0 AS one, 0.5 AS half, NULL AS none FROM event ORDER BY ts LIMIT 2000";
        const auto expected = heliograph({"sql", sampleTrace(), statement, "--offset", "workers/kernel=1000", "--json"});
        QCOMPARE(expected.lines().size(), 2000);
        const QJsonObject shifted{
            {"paths", QJsonArray{sampleTrace()}}, {"sql", statement}, {"options", QJsonObject{{"offset", "workers/kernel=1000"}}}};
        for (int id = 1; id <= 2; ++id) {
            program.send(id, "query", shifted, false);
            const auto all = program.responses(id);
            QCOMPARE(all.error, QJsonObject());
            QCOMPARE(all.rows, rowsOf(expected, all.columns));
            QCOMPARE(all.result["rows"].toInt(), 2000);
            QCOMPARE(all.result["status"].toInt(), 0);
        }
        // The traces are not among those that are open.
        program.send(3, "sql", {{"sql", "SELECT 1"}});
        QCOMPARE(program.responses(3).error["kind"].toString(), QString("not-found"));
        program.send(4, "query", {{"paths", QJsonArray{"--help"}}, {"sql", "SELECT 1"}}, false);
        QCOMPARE(program.line(), json("{'id':4,'error':{'kind':'unreadable','message':'--help: no such file or folder'}}"));
        program.send(5, "query", {{"paths", QJsonArray{sampleTrace()}}, {"sql", "-- none\nSELECT none"}}, false);
        QCOMPARE(program.line(),
                 json("{'id':5,'error':{'kind':'usage','message':'line 2, column 8: no such column: none','line':2,'column':8}}"));
        for (const auto& [params, message] :
             {std::pair(QJsonObject{{"sql", "SELECT 1"}}, "the parameter \"paths\" is missing"),
              std::pair(QJsonObject{{"paths", QJsonArray{sampleTrace()}}}, "the parameter \"sql\" is missing")}) {
            program.send(6, "query", params, false);
            QCOMPARE(program.responses(6).error["message"].toString(), QString(message));
        }
        // Standard input belongs to the requests.
        program.send(7, "query",
                     {{"paths", QJsonArray{sampleTrace()}}, {"sql", "SELECT 1"}, {"options", QJsonObject{{"interactive", true}}}}, false);
        QCOMPARE(program.responses(7).error["kind"].toString(), QString("usage"));
        QCOMPARE(program.end(), 0);
    }

    void pathsNeedNotBeUtf8()
    {
        const QTemporaryDir folder;
        const QByteArray path = folder.path().toUtf8() + "/\xff";
        std::error_code error;
        std::filesystem::create_directory_symlink(sampleTrace().toStdString(), path.toStdString(), error);
        QVERIFY(!error);
        ServedProgram program;
        const QJsonObject encoded{{"base64", QString::fromLatin1(path.toBase64())}};
        program.send(1, "query", {{"paths", QJsonArray{encoded}}, {"sql", "SELECT count(*) FROM event"}}, false);
        QCOMPARE(program.responses(1).rows,
                 (QJsonArray{QJsonArray{heliograph({"events", sampleTrace(), "--count"}).out.trimmed().toInt()}}));
        program.write("{\"id\":2,\"method\":\"open\",\"params\":{\"paths\":[{\"base64\":\"?\"}]}}");
        QCOMPARE(program.responses(2).error["message"].toString(), QString("\"paths\" must be an array of strings"));
        QCOMPARE(program.end(), 0);
    }

    void filesOfTheIndexAreReadInPieces()
    {
        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        program.send(1, "index");
        const QJsonArray files = program.responses(1).result["traces"].toArray()[0].toObject()["files"].toArray();
        QVERIFY(files.size() >= 3);
        int id = 1;
        const auto read = [&](const QJsonObject& file, qint64 offset, qint64 bytes) {
            program.send(++id, "read", {{"file", file["name"]}, {"offset", offset}, {"bytes", bytes}});
            return program.responses(id);
        };
        for (const auto& it : files) {
            const QJsonObject file = it.toObject();
            const qint64 size = file["bytes"].toInteger();
            const auto bytesOf = [&](qint64 offset, qint64 bytes) {
                const QByteArray frame = QByteArray::fromBase64(read(file, offset, bytes).result["data"].toString().toLatin1());
                const auto whole = unpacked(std::as_bytes(std::span(frame.constData(), std::size_t(frame.size()))), std::uint64_t(bytes));
                return whole ? QByteArray(reinterpret_cast<const char*>(whole->data()), qsizetype(whole->size())) : QByteArray();
            };
            const qint64 some = std::min<qint64>(size, 1 << 20);
            const QByteArray begin = bytesOf(0, some);
            QCOMPARE(begin.size(), some);
            QCOMPARE(bytesOf(some / 3, some / 2), begin.mid(some / 3, some / 2));
            QCOMPARE(read(file, size, 1).error["kind"].toString(), QString("usage"));
            QCOMPARE(read(file, 0, (1 << 20) + 1).error["kind"].toString(), QString("usage"));
            for (const auto& range : file["first"].toArray())
                QVERIFY(range.toArray()[0].toInteger() + range.toArray()[1].toInteger() <= size);
        }
        QCOMPARE(read({{"name", "../../etc/passwd"}}, 0, 1).error["kind"].toString(), QString("not-found"));
        QCOMPARE(program.end(), 0);
    }

    void wrongSqlHasAPosition()
    {
        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        program.send(1, "sql", {{"sql", "SELECT\n none FROM thread"}});
        QCOMPARE(program.line(),
                 json("{'id':1,'error':{'kind':'usage','message':'line 2, column 2: no such column: none','line':2,'column':2}}"));
        program.send(2, "sql", {{"sql", "ATTACH 'x' AS x"}});
        const QJsonObject error = program.response()["error"].toObject();
        QVERIFY(error["message"].toString().startsWith("Not allowed"));
        QVERIFY(!error.contains("line"));
        QCOMPARE(program.end(), 0);
    }

    void largeResultsComeInBatches()
    {
        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        program.send(1, "sql", {{"sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000) SELECT i FROM n"}});
        const auto all = program.responses(1);
        QVERIFY(all.batches > 5);
        QCOMPARE(all.rows.size(), 100'000);
        for (int i = 0; i < all.rows.size(); ++i)
            QCOMPARE(all.rows[i].toArray()[0].toInt(), i + 1);
        QCOMPARE(all.result["rows"].toInt(), 100'000);
        QCOMPARE(program.end(), 0);
    }

    void tablesEqualThoseOfTheCommands_data()
    {
        QTest::addColumn<QStringList>("paths");
        QTest::addColumn<QString>("command");
        QTest::addColumn<QJsonObject>("options");
        QTest::addColumn<QStringList>("arguments");
        const QStringList sample{sampleTrace()};
        const QStringList hosts{Hosts + "web", Hosts + "db"};
        const QStringList perf{SOURCE_DIR "/tests/fixtures/perf/fp.data"};
        test::addRow("states", sample, QString("states"), QJsonObject{{"view", "resources"}, {"cpu", 0}},
                     QStringList{"--view", "resources", "--cpu", "0"});
        test::addRow("sums of states", sample, QString("states"), QJsonObject{{"view", "control-flow"}, {"summary", true}},
                     QStringList{"--view", "control-flow", "--summary"});
        test::addRow("latency", sample, QString("latency"), QJsonObject{{"of", "syscall"}}, QStringList{"--of", "syscall"});
        test::addRow("periods", sample, QString("latency"), QJsonObject{{"of", "wakeup"}, {"periods", true}},
                     QStringList{"--of", "wakeup", "--periods"});
        test::addRow("flame", perf, QString("flame"), QJsonObject{}, QStringList{});
        test::addRow("functions", perf, QString("flame"), QJsonObject{{"table", true}}, QStringList{"--table"});
        test::addRow("several hosts", hosts, QString("links"), QJsonObject{{"view", "control-flow"}},
                     QStringList{"--view", "control-flow"});
        test::addRow("packets", hosts, QString("latency"), QJsonObject{{"of", "packet"}, {"list", true}},
                     QStringList{"--of", "packet", "--list"});
        test::addRow("requested analysis", sample, QString("states"), QJsonObject{{"view", "cpu-frequency"}},
                     QStringList{"--view", "cpu-frequency"});
        test::addRow("statistics", sample, QString("stats"), QJsonObject{{"view", "control-flow"}, {"begin", "+0.1s"}},
                     QStringList{"--view", "control-flow", "--begin", "+0.1s"});
        test::addRow("counted events", sample, QString("events"), QJsonObject{{"by_type", true}}, QStringList{"--by-type"});
        test::addRow("views", sample, QString("views"), QJsonObject{}, QStringList{});
    }
    void tablesEqualThoseOfTheCommands()
    {
        QFETCH(QStringList, paths);
        QFETCH(QString, command);
        QFETCH(QJsonObject, options);
        QFETCH(QStringList, arguments);

        const ProgramResult printed = heliograph(QStringList{command} + paths + arguments + QStringList{"--format", "json"});
        ServedProgram program;
        program.open(paths);
        QCOMPARE(program.response()["result"].toObject()["trace"].toInt(), 1);
        for (int id = 1; id <= 2; ++id) { // The second time everything is open.
            program.send(id, command, {{"options", options}});
            const auto all = program.responses(id);
            QVERIFY(all.isOfOneRequest);
            if (printed.status == 2) {
                QVERIFY(printed.err.contains(all.error["message"].toString().toUtf8()));
                QCOMPARE(all.error["kind"].toString(), QString("usage"));
                continue;
            }
            QCOMPARE(all.error, QJsonObject());
            QCOMPARE(all.rows, rowsOf(printed, all.columns));
            QCOMPARE(all.result["rows"].toInt(), printed.lines().size());
            QCOMPARE(all.result["status"].toInt(), printed.status);
        }
        QCOMPARE(program.end(), 0);
    }

    void textsEqualThoseOfTheCommands()
    {
        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        program.send(1, "command", {{"arguments", QJsonArray{"info"}}});
        QCOMPARE(program.responses(1).output, heliograph({"info", sampleTrace()}).out);
        program.send(2, "command", {{"arguments", QJsonArray{"stats", "--view", "resources", "--format", "csv"}}});
        QCOMPARE(program.responses(2).output, heliograph({"stats", sampleTrace(), "--view", "resources", "--format", "csv"}).out);
        program.send(3, "command", {{"arguments", QJsonArray{"states", "--view", "control-flow", "--format", "json"}}});
        QCOMPARE(program.responses(3).output, heliograph({"states", sampleTrace(), "--view", "control-flow", "--format", "json"}).out);
        program.send(4, "command", {{"arguments", QJsonArray{"states", "--help"}}});
        QCOMPARE(program.responses(4).output, heliograph({"states", "--help"}).out);
        QCOMPARE(program.end(), 0);
    }

    void picturesEqualThoseOfTheCommand()
    {
        QTemporaryDir folder;
        const auto drawn = [&](const QString& name, const QStringList& options) {
            const QString path = folder.filePath(name);
            heliograph(QStringList{"render", sampleTrace(), "--view", "resources", "-o", path} + options);
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        for (int id = 1; id <= 2; ++id) {
            program.send(id, "render", {{"options", QJsonObject{{"view", "resources"}, {"size", "400x200"}}}});
            const QByteArray png = QByteArray::fromBase64(program.responses(id).result["png"].toString().toLatin1());
            QVERIFY(png.startsWith("\x89PNG"));
            QCOMPARE(png, drawn("a.png", {"--size", "400x200"}));
        }
        program.send(3, "render", {{"options", QJsonObject{{"view", "resources"}, {"theme", "light"}}}, {"format", "svg"}});
        QCOMPARE(program.responses(3).result["svg"].toString().toUtf8(), drawn("a.svg", {"--theme", "light"}));
        program.send(4, "render", {{"options", QJsonObject{{"view", "elsewhere"}}}});
        QCOMPARE(program.responses(4).error["kind"].toString(), QString("usage"));
        program.send(5, "render", {{"options", QJsonObject{{"view", "resources"}}}, {"format", "gif"}});
        QCOMPARE(program.responses(5).error["message"].toString(), QString("\"format\" must be \"png\" or \"svg\""));
        QCOMPARE(program.end(), 0);
    }

    void aCommandDoesNotOpenAgain()
    {
        QTemporaryDir folder;
        const QString copy = folder.filePath("trace");
        std::filesystem::copy((Hosts + "web").toStdString(), copy.toStdString(), std::filesystem::copy_options::recursive);
        const ProgramResult printed = heliograph({"latency", Hosts + "web", "--of", "syscall", "--format", "json"});
        ServedProgram program;
        program.open({copy});
        QCOMPARE(program.response()["result"].toObject()["trace"].toInt(), 1);
        QVERIFY(QFile::rename(copy, folder.filePath("elsewhere")));
        program.send(1, "latency", {{"options", QJsonObject{{"of", "syscall"}}}});
        const auto all = program.responses(1);
        QVERIFY(all.rows.size() > 5);
        QCOMPARE(all.rows, rowsOf(printed, all.columns));
        program.send(2, "sql", {{"sql", "SELECT count(*) FROM thread"}});
        QVERIFY(program.responses(2).rows[0].toArray()[0].toInt() > 1);
        QCOMPARE(program.end(), 0);
    }

    void wrongRequestsAreErrors_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<QByteArray>("message");
        const auto add = [](const QByteArray& line, const char* kind, const char* message) {
            test::addRow(line.constData(), line, QByteArray(kind), QByteArray(message));
        };
        add("nonsense", "usage", "not JSON");
        add(json("{'id':1,'method':'fly'}"), "not-found", "there is no method \"fly\"");
        add(json("{'id':1,'method':'help','params':{'trace':1}}"), "not-found", "there is no method \"help\"");
        add(json("{'id':1,'method':'export','params':{'trace':1}}"), "not-found", "there is no method \"export\"");
        add(json("{'id':1,'method':'read','params':{'trace':1,'file':'index-1'}}"), "usage", "the method \"index\" must come first");
        add(json("{'id':1,'method':'read','params':{'trace':1,'offset':-1}}"), "usage", "\"offset\" must be a natural number");
        add(json("{'id':1,'method':'query','params':{'paths':['ssh://db1/x'],'sql':'SELECT 1'}}"), "usage", "about traces on this machine");
        add(json("{'id':1,'method':'serve','params':{'trace':1}}"), "not-found", "there is no method \"serve\"");
        add(json("{'id':1,'method':'sql'}"), "usage", "the parameter \"trace\" is missing");
        add(json("{'id':1,'method':'sql','params':{'trace':2,'sql':''}}"), "not-found", "no traces are open with the number 2");
        add(json("{'id':1,'method':'sql','params':{'trace':1}}"), "usage", "the parameter \"sql\" is missing");
        add(json("{'id':1,'method':'cancel'}"), "usage", "the parameter \"request\" is missing");
        add(json("{'id':1,'method':'open'}"), "usage", "the parameter \"paths\" is missing");
        add(json("{'id':1,'method':'open','params':{'paths':['/none/x']}}"), "unreadable", "/none/x");
        add(json("{'id':1,'method':'open','params':{'paths':['--help']}}"), "unreadable", "--help");
        add(json("{'id':1,'method':'open','params':{'paths':['x'],'options':{'view':'y'}}}"), "usage", "--view");
        add(json("{'id':1,'method':'open','params':{'paths':['x'],'options':{'symbols':'/none'}}}"), "usage", "--symbols: no such folder");
        add(json("{'id':1,'method':'states','params':{'trace':1}}"), "usage", "--view is missing");
        add(json("{'id':1,'method':'states','params':{'trace':1,'options':{'veiw':'x'}}}"), "usage", "unknown option --veiw");
        add(json("{'id':1,'method':'states','params':{'trace':1,'options':{'view':'x'}}}"), "usage", "there is no view \"x\" here");
        add(json("{'id':1,'method':'states','params':{'trace':1,'options':{'view':'resources','cpu':'x'}}}"), "usage", "--cpu");
        add(json("{'id':1,'method':'states','params':{'trace':1,'options':{'no_sync':true}}}"), "usage", "only the method \"open\"");
        add(json("{'id':1,'method':'states','params':{'trace':1,'options':{'format':'csv'}}}"), "usage", "the method decides that");
        add(json("{'id':1,'method':'states','params':{'trace':1,'options':{'output':'x'}}}"), "usage", "the method decides that");
        add(json("{'id':1,'method':'command','params':{'trace':1}}"), "usage", "must begin with the name of a command");
        add(json("{'id':1,'method':'command','params':{'trace':1,'arguments':['serve']}}"), "usage",
            "must begin with the name of a command");
        add(json("{'id':1,'method':'command','params':{'trace':1,'arguments':['info','--offset=x=1']}}"), "usage",
            "only the method \"open\"");
        const QByteArray other = Hosts.toUtf8() + "web";
        add(json("{'id':1,'method':'command','params':{'trace':1,'arguments':['info','") + other + "\"]}}", "usage", "the method \"open\"");
        add(json("{'id':1,'method':'command','params':{'trace':1,'arguments':['info','--','") + other + "\"]}}", "usage",
            "the method \"open\"");
        add(json("{'id':1,'method':'command','params':{'trace':1,'arguments':['stats','--view','resources','") + other + "\"]}}", "usage",
            "the method \"open\"");
    }
    void wrongRequestsAreErrors()
    {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, kind);
        QFETCH(QByteArray, message);

        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        program.write(line);
        const QJsonObject error = program.response()["error"].toObject();
        QCOMPARE(error["kind"].toString().toUtf8(), kind);
        QVERIFY2(error["message"].toString().toUtf8().contains(message), qPrintable(error["message"].toString()));
        program.send(2, "sql", {{"sql", "SELECT 1"}}); // The server goes on.
        QCOMPARE(program.responses(2).rows.size(), 1);
        QCOMPARE(program.end(), 0);
    }

    void idsCanBeUsedAgainAtOnce()
    {
        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        for (int i = 0; i < 200; ++i) {
            program.send(1, "version", {}, false);
            QVERIFY(program.response().contains("result"));
        }
        QCOMPARE(program.end(), 0);
    }

    void hugeLinesAreSkipped()
    {
        ServedProgram program;
        program.write("{\"id\":1,\"method\":\"" + QByteArray(40 << 20, 'x') + "\"}");
        program.write("");
        program.send(2, "version", {}, false);
        QCOMPARE(program.line(), json("{'id':null,'error':{'kind':'usage','message':'the line is longer than 16777216 bytes'}}"));
        QCOMPARE(program.response()["id"].toInt(), 2);
        QCOMPARE(program.end(), 0);
    }

    void runningAndWaitingRequestsAreCancelled()
    {
        ServedProgram program;
        program.open({sampleTrace()});
        program.line();
        program.send(1, "sql",
                     {{"sql", "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n WHERE i % 1000000 = 1"}});
        program.send(2, "states", {{"options", QJsonObject{{"view", "resources"}}}});
        program.line(); // The names of the columns: the first request runs.
        program.line();
        program.send(3, "cancel", {{"request", 2}}, false);
        program.send(4, "cancel", {{"request", 1}}, false);
        program.send(5, "cancel", {{"request", 77}}, false);
        QHash<int, QJsonObject> last;
        while (last.size() < 5) {
            const QJsonObject it = program.response();
            QVERIFY(!it.isEmpty());
            if (it.contains("result") || it.contains("error"))
                last.insert(it["id"].toInt(), it);
        }
        QCOMPARE(last[1]["error"].toObject()["kind"].toString(), QString("cancelled"));
        QCOMPARE(last[2]["error"].toObject()["kind"].toString(), QString("cancelled"));
        QCOMPARE(last[3]["result"].toObject(), (QJsonObject{{"cancelled", true}}));
        QCOMPARE(last[4]["result"].toObject(), (QJsonObject{{"cancelled", true}}));
        QCOMPARE(last[5]["result"].toObject(), (QJsonObject{{"cancelled", false}}));
        program.send(6, "sql", {{"sql", "SELECT 1"}});
        QCOMPARE(program.responses(6).rows.size(), 1);
        QCOMPARE(program.end(), 0);
    }

    void waitingRequestsAreAnsweredAtTheEnd()
    {
        ServedProgram program;
        program.open({sampleTrace()});
        program.send(1, "sql", {{"sql", "SELECT 1"}});
        program.send(2, "close");
        program.send(3, "sql", {{"sql", "SELECT 1"}});
        QCOMPARE(program.end(), 0);
        const QList<QByteArray> lines = program.rest().trimmed().split('\n');
        QCOMPARE(lines.size(), 6);
        QCOMPARE(lines[4], json("{'id':2,'result':{}}"));
        QVERIFY(lines[5].contains("no traces are open with the number 1"));
    }

    void theProgramEndsIfNothingReadsItsOutput()
    {
        QProcess shell; // `head` closes the reading end of the pipe after the first line.
        shell.setProcessEnvironment(plainEnvironment());
        shell.start("sh", {"-c", "\"$1\" serve --stdio | head -n 1", "sh", HELIOGRAPH_PROGRAM});
        const QByteArray open = json("{'id':1,'method':'open','params':{'paths':['") + sampleTrace().toUtf8() + json("']}}\n");
        shell.write(open
                    + json("{'id':2,'method':'sql','params':{'trace':1,'sql':'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
                           "FROM n) SELECT max(i) FROM n'}}\n"));
        QVERIFY(shell.waitForBytesWritten(Patience));
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished(Patience));
        QVERIFY(shell.readAllStandardOutput().startsWith(json("{'id':1,'result':{'trace':1,")));
    }

    void messagesAboutTracesComeOnce()
    {
        const QString lossy = SOURCE_DIR "/tests/fixtures/lossy-small";
        const ProgramResult printed = heliograph({"info", lossy});
        QVERIFY(printed.err.contains("lost"));
        ServedProgram program;
        program.open({lossy});
        const QJsonArray messages = program.response()["result"].toObject()["messages"].toArray();
        QByteArray lines;
        for (const auto& message : messages)
            lines += "heliograph: " + message.toString().replace('\n', "\nheliograph: ").toUtf8() + '\n';
        QCOMPARE(lines, printed.err);
        program.send(1, "stats", {{"options", QJsonObject{{"view", "resources"}}}});
        QCOMPARE(program.responses(1).result["messages"].toArray(), QJsonArray());
        QCOMPARE(program.end(), 0);
        QCOMPARE(program.messages(), QByteArray());
    }
};

HELIO_TEST(ServeTest)
#include "tst_serve.moc"
