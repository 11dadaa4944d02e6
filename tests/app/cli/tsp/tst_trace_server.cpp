// The Trace Server Protocol: who may ask, hostile requests, and answers while traces are indexed. The contents of the answers are compared
// with the output of commands in tests/tsp.

#include "app/cli/tsp/trace_server.h"
#include "tests/app/cli/program.h"
#include "tests/app/cli/serve/json_text.h"
#include "tests/app/cli/tsp/http_client.h"
#include "tests/support/files.h"
#include "tests/support/slow_trace.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QTest>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

using namespace helio;
using helio::test::exchange;
using helio::test::RawConnection;
using helio::test::ReceivedResponse;

namespace {

constexpr int Patience = 60'000; ///< Time limit for the program, in ms.

const QByteArray Api = "/tsp/api";
const QString Samples = QStringLiteral(SOURCE_DIR "/resources/samples");

/// The running program, which listens on a free port.
class ServedProgram {
public:
    explicit ServedProgram(const QStringList& options = {"--root", Samples}, const QString& address = "127.0.0.1:0")
    {
        auto environment = plainEnvironment();
        for (const char* place : {"XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"})
            environment.insert(place, m_home.path());
        m_process.setProcessEnvironment(environment);
        m_process.start(HELIOGRAPH_PROGRAM, QStringList{"serve", "--listen", address} + options);
        QElapsedTimer timer;
        timer.start();
        while (!m_process.canReadLine() && m_process.state() != QProcess::NotRunning && timer.elapsed() < Patience)
            m_process.waitForReadyRead(100);
        m_line = m_process.readLine();
        m_port = m_line.mid(m_line.lastIndexOf(':') + 1).split('/').first().toInt();
    }
    ~ServedProgram()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    QByteArray line() const { return m_line; } ///< First line that the program printed.
    int port() const { return m_port; }
    QString home() const { return m_home.path(); } ///< Folder of the program's stores.

    ReceivedResponse get(const QByteArray& path) const { return exchange(m_port, "GET", Api + path); }
    ReceivedResponse post(const QByteArray& path, const QByteArray& parameters) const
    {
        return exchange(m_port, "POST", Api + path, "{\"parameters\":" + parameters + '}');
    }

    /// Opens the sample as an experiment, and waits until it is indexed. Returns its path below Api.
    QByteArray openSample() const
    {
        const QByteArray trace = post("/traces", json("{'uri':'workers'}")).object()["UUID"].toString().toUtf8();
        const QByteArray experiment = "/experiments/"
            + post("/experiments", json("{'name':'x','traces':['") + trace + json("']}")).object()["UUID"].toString().toUtf8();
        QElapsedTimer timer;
        timer.start();
        while (get(experiment).object()["indexingStatus"] != "COMPLETED" && timer.elapsed() < Patience)
            QTest::qSleep(50);
        return experiment;
    }

    /// Sends a signal and returns the exit status; -1 if the program does not end.
    int end(int signal)
    {
        ::kill(static_cast<pid_t>(m_process.processId()), signal);
        if (!m_process.waitForFinished(Patience))
            return -1;
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    QByteArray messages() { return m_process.readAllStandardError(); }

private:
    QTemporaryDir m_home;
    QProcess m_process;
    QByteArray m_line;
    int m_port = 0;
};

/// An indexed experiment that says it is still being indexed until release() is called.
class HeldExperiment final : public Experiment {
public:
    HeldExperiment(std::unique_ptr<Experiment> indexed, std::shared_ptr<std::atomic<bool>> isReleased)
        : m_indexed(std::move(indexed))
        , m_isReleased(std::move(isReleased))
    {
        auto unfinished = std::make_shared<Timeline>(*m_indexed->timeline());
        unfinished->isComplete = false;
        m_unfinished = std::move(unfinished);
    }

    void start(std::function<void()>) override { }
    void prefer(std::vector<std::uint32_t>) override { }
    Status wait(std::stop_token) override { return Done{}; }
    void cancel() override { }
    void setClocks(ClockSettings, std::stop_token) override { }
    std::shared_ptr<const Timeline> timeline() const override { return *m_isReleased ? m_indexed->timeline() : m_unfinished; }
    Progress progress() const override
    {
        Progress progress = m_indexed->progress();
        progress.isDone = *m_isReleased;
        return progress;
    }
    std::vector<std::vector<std::filesystem::path>> storePaths() const override { return m_indexed->storePaths(); }

private:
    std::unique_ptr<Experiment> m_indexed;
    std::shared_ptr<const Timeline> m_unfinished;
    std::shared_ptr<std::atomic<bool>> m_isReleased;
};

HttpRequest makeRequest(const char* method, const std::string& path, const QByteArray& parameters = "{}")
{
    HttpRequest request;
    request.method = method;
    for (const QString& segment : ("tsp/api" + QString::fromStdString(path)).split('/'))
        request.path.push_back(segment.toStdString());
    request.body = ("{\"parameters\":" + parameters + '}').toStdString();
    return request;
}

QJsonObject objectOf(const HttpResponse& response) { return QJsonDocument::fromJson(QByteArray::fromStdString(response.body)).object(); }

} // namespace

class TraceServerTest : public QObject {
    Q_OBJECT

private slots:
    void theProgramListensUntilItIsStopped_data()
    {
        QTest::addColumn<int>("signal");
        test::addRow("SIGINT", SIGINT);
        test::addRow("SIGTERM", SIGTERM);
    }
    void theProgramListensUntilItIsStopped()
    {
        QFETCH(int, signal);
        ServedProgram program;
        QVERIFY2(program.line().startsWith("Listening on http://127.0.0.1:") && program.line().endsWith("/tsp/api\n"), program.line());
        QCOMPARE(program.get("/health").body, json("{'status':'UP'}"));
        QCOMPARE(program.get("/identifier").object()["version"].toString(),
                 QString::fromUtf8(heliograph({"--version"}).out.trimmed().split(' ')[1]));
        RawConnection idle(program.port()); // An open connection does not delay the end.
        QVERIFY(idle.isOpen());
        program.openSample();
        QCOMPARE(program.end(signal), 0);
        QCOMPARE(program.messages(), QByteArray());
    }

    void wrongOptionsAreRefused_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("message");
        const auto add = [](const QStringList& options, const char* message) { QTest::newRow(message) << options << QByteArray(message); };
        add({}, "--stdio or --listen is missing");
        add({"--stdio", "--listen", "127.0.0.1:0"}, "--stdio: cannot be combined");
        add({"--stdio", "--root", "/"}, "--stdio: cannot be combined with");
        add({"--stdio", "--jobs", "2"}, "--stdio: cannot be combined with other");
        add({"--listen", "127.0.0.1:0", "--symbols", "/no/such/folder"}, "--symbols: ");
        add({"--listen", "8080"}, "--listen: \"8080\" is not HOST:PORT");
        add({"--listen", "0.0.0.0:0"}, "--listen: 0.0.0.0:0 can be reached from other machines, so --token FILE is needed");
        add({"--listen", "127.0.0.1:0", "--root", "/no/such/folder"}, "--root: /no/such/folder: No such file");
        add({"--listen", "127.0.0.1:0", "--root", SOURCE_DIR "/LICENSE"}, "LICENSE: not a folder");
        add({"--listen", "127.0.0.1:0", "--token", "/no/such/file"}, "--token: cannot read /no/such/file");
        add({"--listen", "127.0.0.1:0", "--token", "/dev/null"}, "must contain 16 to 4096 printable characters");
        add({"--listen", "127.0.0.1:0", "--token", SOURCE_DIR "/LICENSE"}, "LICENSE must contain 16 to");
        add({"--listen", "127.0.0.1:0", "--allow-origin", "*"}, "--allow-origin: \"*\" is not an origin");
    }
    void wrongOptionsAreRefused()
    {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, message);
        const ProgramResult result = heliograph(QStringList{"serve"} + options);
        QVERIFY2(result.status == 2 || result.status == 1, QByteArray::number(result.status));
        QVERIFY2(result.err.contains(message), result.err);
        QCOMPARE(result.out, QByteArray());
    }

    void storesAreWrittenToTheNamedFolder()
    {
        QTemporaryDir stores;
        const ServedProgram program({"--root", Samples, "--store-dir", stores.filePath("here"), "--jobs", "1"});
        program.openSample();
        QVERIFY(!QDir(stores.filePath("here")).isEmpty());
        QVERIFY(QDir(program.home()).isEmpty());
    }

    void aTakenAddressIsAnError()
    {
        const ServedProgram program;
        const ProgramResult second = heliograph({"serve", "--listen", "127.0.0.1:" + QString::number(program.port())});
        QCOMPARE(second.status, 1);
        QVERIFY2(second.err.contains("cannot listen on 127.0.0.1:"), second.err);
    }

    void aTokenIsRequired()
    {
        QTemporaryDir folder;
        const QString file = test::writeFile(folder.filePath("token"), " 0123456789abcdef\n");
        const ServedProgram program({"--root", Samples, "--token", file}, "0.0.0.0:0");
        QVERIFY2(program.line().startsWith("Listening on http://0.0.0.0:"), program.line());
        const auto statusOf = [&](const QByteArray& header) {
            return exchange(program.port(), "POST", Api + "/traces", json("{'parameters':{'uri':'workers'}}"), "Host: example\r\n" + header)
                .status;
        };
        QCOMPARE(statusOf({}), 401);
        QCOMPARE(statusOf("Authorization: Bearer 0123456789abcdeg\r\n"), 401);
        QCOMPARE(exchange(program.port(), "GET", Api + "/traces", {}, "Host: example\r\n").header("www-authenticate"),
                 QByteArray("Bearer"));
        QCOMPARE(statusOf("Authorization: Bearer 0123456789abcdef\r\n"), 200);
    }

    void webPagesAreRefused()
    {
        const ServedProgram program({"--root", Samples, "--allow-origin", "http://localhost:3000"});
        const auto responseTo = [&](const QByteArray& headers) { return exchange(program.port(), "GET", Api + "/health", {}, headers); };
        QCOMPARE(responseTo("Host: evil.example\r\n").status, 403);
        QCOMPARE(responseTo("Host: 127.0.0.1\r\nOrigin: http://evil.example\r\n").status, 403);
        const ReceivedResponse allowed = responseTo("Host: localhost\r\nOrigin: http://localhost:3000\r\n");
        QCOMPARE(allowed.status, 200);
        QCOMPARE(allowed.header("access-control-allow-origin"), QByteArray("http://localhost:3000"));
        QVERIFY(responseTo("Host: localhost\r\n").header("access-control-allow-origin").isEmpty());
    }

    void onlyTracesBelowTheRootAreOpened()
    {
        QTemporaryDir folder;
        test::copyTree(sampleTrace(), folder.filePath("root/workers"));
        test::copyTree(sampleTrace(), folder.filePath("outside"));
        test::writeFile(folder.filePath("root/file"), QByteArray(100, '\1'));
        std::filesystem::create_symlink(folder.filePath("outside").toStdString(), folder.filePath("root/link").toStdString());
        const ServedProgram program({"--root", folder.filePath("root")});
        const auto statusOf = [&](const QString& uri) {
            return program.post("/traces", json("{'uri':'") + uri.toUtf8() + json("'}")).status;
        };
        QCOMPARE(statusOf("workers"), 200);
        QCOMPARE(statusOf(folder.filePath("root/workers")), 200);
        for (const QString& uri : {folder.filePath("outside"), folder.filePath("root/link"), QString("link"), QString("../outside"),
                                   QString("/etc/passwd"), QString("/no/such/file"), QString("workers/../../outside"), sampleTrace()})
            QVERIFY2(statusOf(uri) == 403, qPrintable(uri));
        QCOMPARE(statusOf("none"), 404);
        QCOMPARE(statusOf("file"), 406);
        QCOMPARE(program.get("/traces").body.count("UUID"), 1);
    }

    void hostileRequestsAreAnswered()
    {
        const ServedProgram program;
        const QByteArray experiment = program.openSample();
        const QByteArray outputs = experiment + "/outputs";
        const auto check = [&](const ReceivedResponse& response, int status, const QByteArray& what) {
            QVERIFY2(response.status == status, what + ": " + QByteArray::number(response.status) + ' ' + response.body.left(300));
            QVERIFY2(status < 400 || !response.title().isEmpty(), what);
        };
        for (const QByteArray path :
             {"/", "/none", "/healthy", "/health/x", "/traces/x/y", "/traces/4c6503e8-0000-0000-0000-000000000000",
              "/experiments/4c6503e8-0000-0000-0000-000000000000", "/experiments/none/outputs", "/config/types/x", "/config"})
            check(program.get(path), 404, path);
        for (const QByteArray path :
             {experiment + "/none", outputs + "/none", outputs + "/a/b/c/d", outputs + "/timeGraph/control-flow/none",
              outputs + "/XY/control-flow/tree", outputs + "/timeGraph/heliograph.events/tree", outputs + "/control-flow/none",
              outputs + "/data/heliograph.state-times.none/tree"})
            check(program.post(path, "{}"), 404, path);
        for (const auto& [method, path] :
             {std::pair("DELETE", QByteArray("/health")), std::pair("PUT", QByteArray("/traces")),
              std::pair("PATCH", QByteArray("/experiments")), std::pair("GET", outputs + "/timeGraph/control-flow/tree"),
              std::pair("POST", outputs), std::pair("HEAD", QByteArray("/health")), std::pair("PUT", experiment)})
            check(exchange(program.port(), method, Api + path), 405, path);
        check(exchange(program.port(), "GET", "/"), 404, "/");
        check(exchange(program.port(), "GET", "/tsp/api/../../etc/passwd"), 404, "..");

        for (const char* wrong : {"{'uri':1}", "{'uri':''}", "{}", "[]", "1"})
            check(program.post("/traces", json(wrong)), 400, wrong);
        for (const char* wrong : {"{'name':'a'}", "{'name':'a','traces':[]}", "{'traces':['a']}", "{'name':'a','traces':'a'}"})
            check(program.post("/experiments", json(wrong)), 400, wrong);
        check(program.post("/experiments", json("{'name':'a','traces':['none']}")), 404, "unknown trace");
        check(exchange(program.port(), "POST", Api + "/traces", "{"), 400, "no JSON");
        check(exchange(program.port(), "POST", Api + "/traces", QByteArray(5 << 20, ' ')), 413, "large body");

        for (const auto& [path, parameters] :
             {std::pair("/timeGraph/control-flow/states", "{}"), std::pair("/timeGraph/control-flow/states", "{'requested_items':[1]}"),
              std::pair("/timeGraph/control-flow/states", "{'requested_items':[1],'requested_timerange':{'start':2,'end':1,'nbTimes':2}}"),
              std::pair("/timeGraph/control-flow/states", "{'requested_items':[NaN],'requested_times':[1]}"),
              std::pair("/timeGraph/control-flow/states",
                        "{'requested_items':[1],'requested_times':[1],'filter_query_parameters':{'filter_expressions_map':{'1':['(']}}}"),
              std::pair("/timeGraph/control-flow/arrows", "{}"),
              std::pair("/timeGraph/control-flow/tooltip", "{'requested_items':[1,2],'requested_times':[1]}"),
              std::pair("/timeGraph/control-flow/tooltip", "{'requested_items':[1]}"),
              std::pair("/XY/org.eclipse.tracecompass.internal.tmf.core.histogram.HistogramDataProvider/xy", "{}"),
              std::pair("/XY/org.eclipse.tracecompass.internal.tmf.core.histogram.HistogramDataProvider/xy", "{'requested_items':[1]}"),
              std::pair("/table/heliograph.events/lines", "{}"),
              std::pair("/table/heliograph.events/lines", "{'requested_table_index':-1,'requested_table_count':1}"),
              std::pair("/table/heliograph.events/lines", "{'requested_table_index':0,'requested_table_count':99999999}"),
              std::pair("/table/heliograph.events/lines",
                        "{'requested_table_index':0,'requested_table_count':1,'table_search_expressions':{'5':'('}}"),
              std::pair("/table/heliograph.events/lines",
                        "{'requested_table_index':0,'requested_table_count':1,'table_search_expressions':{'99':'x'}}"),
              std::pair("/control-flow/annotations", "{}")})
            check(program.post(outputs + path, json(parameters)), 400, QByteArray(path) + ' ' + parameters);
        for (const char* query : {"", "?xValue=", "?xValue=x", "?xValue=1.5", "?xValue=99999999999999999999", "?xValue=1&seriesId=x"})
            check(program.get(outputs + "/XY/org.eclipse.tracecompass.internal.tmf.core.histogram.HistogramDataProvider/tooltip" + query),
                  400, query);
        check(program.get("/health"), 200, "health");
    }

    /// Property: times at the limits of 64 bits, unknown entries and huge indices have complete answers without contents.
    void extremeValuesHaveEmptyAnswers()
    {
        const ServedProgram program;
        const QByteArray outputs = program.openSample() + "/outputs";
        const auto tree = program.post(outputs + "/timeGraph/control-flow/tree", "{}").object()["model"].toObject()["entries"].toArray();
        QVERIFY(tree.size() > 10);
        const QByteArray id = QByteArray::number(tree[0].toObject()["id"].toInt());
        const QByteArray least = QByteArray::number(std::numeric_limits<qint64>::min()),
                         most = QByteArray::number(std::numeric_limits<qint64>::max());
        const auto modelOf = [&](const QByteArray& path, const QByteArray& parameters) {
            const ReceivedResponse response = program.post(outputs + path, parameters);
            const QJsonObject object = response.object();
            if (response.status != 200 || object["status"] != "COMPLETED")
                qWarning("%s %s: %s", path.constData(), parameters.constData(), response.body.left(300).constData());
            return object["status"] == "COMPLETED" ? object["model"] : QJsonValue("failed");
        };
        for (const QByteArray range : {"\"requested_timerange\":{\"start\":" + least + ",\"end\":-1,\"nbTimes\":65536}",
                                       "\"requested_timerange\":{\"start\":" + least + ",\"end\":" + least + ",\"nbTimes\":3}",
                                       "\"requested_timerange\":{\"start\":" + most + ",\"end\":" + most + ",\"nbTimes\":65536}",
                                       "\"requested_times\":[" + most + ']', "\"requested_times\":[" + least + ",-1]"}) {
            const QByteArray all = "{\"requested_items\":[" + id + ",-1,999999999," + most + "]," + range + '}';
            const auto rows = modelOf("/timeGraph/control-flow/states", all).toObject()["rows"].toArray();
            QCOMPARE(rows.size(), 1);
            QVERIFY(rows[0].toObject()["states"].toArray().isEmpty());
            QVERIFY(modelOf("/timeGraph/control-flow/arrows", all).toArray().isEmpty());
            QCOMPARE(modelOf("/XY/org.eclipse.tracecompass.internal.tmf.core.histogram.HistogramDataProvider/xy", all)
                         .toObject()["series"]
                         .toArray(),
                     QJsonArray());
            QVERIFY(modelOf("/timeGraph/control-flow/tree", all).toObject()["entries"].toArray().isEmpty());
            QVERIFY(modelOf("/control-flow/annotations", all).toObject()["annotations"].toObject().isEmpty());
            QCOMPARE(modelOf("/data/heliograph.state-times.control-flow/tree", all).toObject()["entries"].toArray(), QJsonArray());
            QVERIFY(modelOf("/table/heliograph.events/lines", "{\"requested_table_count\":5," + range + '}').toObject().contains("lines"));
            const QByteArray histogram =
                modelOf("/XY/org.eclipse.tracecompass.internal.tmf.core.histogram.HistogramDataProvider/tree", "{}")
                    .toObject()["entries"]
                    .toArray()[0]
                    .toObject()["id"]
                    .toVariant()
                    .toByteArray();
            const auto series = modelOf("/XY/org.eclipse.tracecompass.internal.tmf.core.histogram.HistogramDataProvider/xy",
                                        "{\"requested_items\":[" + histogram + "]," + range + '}')
                                    .toObject()["series"]
                                    .toArray();
            QCOMPARE(series.size(), 1);
            for (const auto& y : series[0].toObject()["yValues"].toArray())
                QCOMPARE(y.toDouble(), 0.0);
        }
        // A range that includes all of the experiment and much more.
        const QByteArray wide =
            "{\"requested_items\":[" + id + "],\"requested_timerange\":{\"start\":0,\"end\":" + most + ",\"nbTimes\":2}}";
        QVERIFY(modelOf("/timeGraph/control-flow/states", wide).toObject()["rows"].toArray()[0].toObject()["states"].toArray().size() < 10);
        const auto lines =
            modelOf("/table/heliograph.events/lines", "{\"requested_table_index\":" + most + ",\"requested_table_count\":5}");
        QVERIFY(lines.toObject()["lines"].toArray().isEmpty());
    }

    /// Property: while traces are indexed, requests are answered, and say so.
    void answersComeWhileTracesAreIndexed()
    {
        QTemporaryDir home;
        const auto trace = std::make_shared<test::SlowTrace>(1);
        auto folders = ServedFolders::make({home.path().toStdString()});
        QVERIFY(bool(folders));
        TraceServer server(std::move(*folders), [&](const auto&, std::stop_token) -> Result<std::unique_ptr<Experiment>> {
            std::vector<std::unique_ptr<TraceOpening>> openings;
            openings.push_back(makeFinishedOpening(trace));
            ExperimentOptions options;
            options.storeDirectory = home.filePath("stores").toStdString();
            return Experiment::of(std::move(openings), options);
        });
        const auto ask = [&](const char* method, const std::string& path, const QByteArray& parameters = "{}") {
            return server.answer(makeRequest(method, path, parameters), {});
        };
        const QString uuid = objectOf(ask("POST", "/traces", "{\"uri\":\".\",\"name\":\"slow\"}"))["UUID"].toString();
        QVERIFY(!uuid.isEmpty());
        const QJsonObject opened = objectOf(ask("POST", "/experiments", "{\"name\":\"slow\",\"traces\":[\"" + uuid.toUtf8() + "\"]}"));
        QCOMPARE(opened["indexingStatus"].toString(), "RUNNING");
        trace->waitUntilRead();
        const std::string outputs = "/experiments/" + opened["UUID"].toString().toStdString() + "/outputs";
        QVERIFY(QJsonDocument::fromJson(QByteArray::fromStdString(ask("GET", outputs).body)).array().size() > 3);
        for (const auto& [path, parameters] :
             {std::pair("/timeGraph/control-flow/tree", "{}"),
              std::pair("/timeGraph/control-flow/states", "{'requested_items':[0],'requested_times':[0,5]}"),
              std::pair("/data/heliograph.event-counts/tree", "{}"),
              std::pair("/table/heliograph.events/lines", "{'requested_table_index':0,'requested_table_count':5}")}) {
            const QJsonObject response = objectOf(ask("POST", outputs + path, json(parameters)));
            QVERIFY2(response["status"] == "RUNNING" && !response["model"].isNull(), path);
            QCOMPARE(response["statusMessage"].toString(), "the traces are being indexed");
        }
        std::stop_source stop;
        stop.request_stop();
        const QJsonObject cancelled =
            objectOf(server.answer(makeRequest("POST", outputs + "/timeGraph/control-flow/tree"), stop.get_token()));
        QCOMPARE(cancelled["status"].toString(), "CANCELLED");
        QVERIFY(cancelled["model"].isNull());
        trace->openGate();
        QCOMPARE(objectOf(ask("DELETE", outputs.substr(0, outputs.rfind('/'))))["indexingStatus"].toString(), "CLOSED");
    }

    /// Property: a client that asks for styles while the traces are indexed gets the styles of later states with the states.
    void statesContainStylesThatCameTooLate()
    {
        QTemporaryDir home;
        auto folders = ServedFolders::make({Samples.toStdString()});
        QVERIFY(bool(folders));
        const auto isReleased = std::make_shared<std::atomic<bool>>(false);
        TraceServer server(std::move(*folders), [&](const auto& paths, std::stop_token) -> Result<std::unique_ptr<Experiment>> {
            ExperimentOptions options;
            options.storeDirectory = home.filePath("stores").toStdString();
            auto opened = Experiment::open(paths, options);
            (*opened)->start();
            if (const Status done = (*opened)->wait(); !done)
                return done.error();
            return std::unique_ptr<Experiment>(std::make_unique<HeldExperiment>(std::move(*opened), isReleased));
        });
        const auto ask = [&](const char* method, const std::string& path, const QByteArray& parameters = "{}") {
            return objectOf(server.answer(makeRequest(method, path, parameters), {}));
        };
        const QByteArray trace = ask("POST", "/traces", "{\"uri\":\"workers\"}")["UUID"].toString().toUtf8();
        const QJsonObject experiment = ask("POST", "/experiments", "{\"name\":\"x\",\"traces\":[\"" + trace + "\"]}");
        const std::string outputs = "/experiments/" + experiment["UUID"].toString().toStdString() + "/outputs";
        QCOMPARE(ask("POST", outputs + "/control-flow/style")["status"].toString(), "RUNNING");
        for (const bool isComplete : {false, true}) {
            *isReleased = isComplete;
            for (const std::string view : {"control-flow", "resources"}) {
                QString ids;
                for (const auto& entry : ask("POST", outputs + "/timeGraph/" + view + "/tree")["model"].toObject()["entries"].toArray())
                    ids += (ids.isEmpty() ? "" : ",") + QString::number(entry.toObject()["id"].toInt());
                const QJsonObject states = ask("POST", outputs + "/timeGraph/" + view + "/states",
                                               "{\"requested_items\":[" + ids.toUtf8()
                                                   + "],\"requested_timerange\":{\"start\":0,\"end\":2000000000000000000,\"nbTimes\":10}}");
                QCOMPARE(states["status"].toString(), isComplete ? "COMPLETED" : "RUNNING");
                int found = 0;
                for (const auto& row : states["model"].toObject()["rows"].toArray())
                    for (const auto& state : row.toObject()["states"].toArray()) {
                        const QJsonObject values = state.toObject()["style"].toObject()["values"].toObject();
                        QCOMPARE(values.contains("height"), view == "control-flow");
                        QVERIFY(view != "control-flow" || values["background-color"].toString().startsWith('#'));
                        ++found;
                    }
                QVERIFY(found > 10);
            }
        }
    }

    /// Property: if a file of the index is damaged while it is open, responses without its data say so.
    void aDamagedIndexIsReported()
    {
        const ServedProgram program;
        const QByteArray experiment = program.openSample();
        const QByteArray outputs = experiment + "/outputs";
        const QJsonObject facts = program.get(experiment).object();
        const auto timeOf = [&](const char* name) { return QByteArray::number(facts[name].toInteger()); };
        const auto tree = program.post(outputs + "/timeGraph/control-flow/tree", "{}");
        QString ids;
        for (const auto& entry : tree.object()["model"].toObject()["entries"].toArray())
            ids += (ids.isEmpty() ? "" : ",") + QString::number(entry.toObject()["id"].toInt());
        int damaged = 0;
        for (QDirIterator files(program.home(), QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
            QFile file(files.next());
            if (file.size() < 4'096 || !file.open(QIODevice::ReadWrite))
                continue;
            file.seek(file.size() / 8);
            file.write(QByteArray(file.size() / 2, '\xa5'));
            ++damaged;
        }
        QVERIFY(damaged > 0);
        const ReceivedResponse response = program.post(outputs + "/timeGraph/control-flow/states",
                                                       "{\"requested_items\":[" + ids.toUtf8() + "],\"requested_timerange\":{\"start\":"
                                                           + timeOf("start") + ",\"end\":" + timeOf("end") + ",\"nbTimes\":65536}}");
        QCOMPARE(response.object()["status"].toString(), "FAILED");
        QVERIFY(response.object()["statusMessage"].toString().startsWith("the index was damaged"));
        QCOMPARE(program.get("/health").status, 200);
    }

    void requestsOfSeveralClientsRunAtTheSameTime()
    {
        const ServedProgram program;
        const QByteArray outputs = program.openSample() + "/outputs";
        const QByteArray tree = program.post(outputs + "/timeGraph/control-flow/tree", "{}").body;
        const QByteArray times = program.post(outputs + "/data/heliograph.state-times.control-flow/tree", "{}").body;
        std::atomic<int> wrong = 0;
        std::vector<std::thread> clients;
        for (int i = 0; i < 8; ++i)
            clients.emplace_back([&, i] {
                for (int round = 0; round < 10; ++round) {
                    if (i % 2 == 0)
                        wrong += program.post(outputs + "/timeGraph/control-flow/tree", "{}").body != tree;
                    else
                        wrong += program.post(outputs + "/data/heliograph.state-times.control-flow/tree", "{}").body != times;
                    wrong += program
                                 .post(outputs + "/table/heliograph.events/lines",
                                       "{\"requested_table_index\":" + QByteArray::number(i * 100) + ",\"requested_table_count\":3}")
                                 .object()["model"]
                                 .toObject()["lines"]
                                 .toArray()
                                 .size()
                        != 3;
                }
            });
        for (std::thread& client : clients)
            client.join();
        QCOMPARE(wrong.load(), 0);
    }
};

HELIO_TEST(TraceServerTest)
#include "tst_trace_server.moc"
