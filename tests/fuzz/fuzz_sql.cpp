// Fuzzer of SQL: splits the statements of the dialect, replaces macros, completes names, and runs the statements on the tables of a small
// timeline, for at most half a second. No input may cause a crash, a hang, or more memory use than the limits allow.

#include "core/experiment/experiment.h"
#include "core/sql/completion.h"
#include "core/sql/dialect/statements.h"
#include "core/sql/open_database.h"
#include "core/sql/schema.h"
#include "tests/fuzz/fuzz_input.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace helio;

namespace {

constexpr std::string_view Scheduling = R"(# tracer: nop
 app-10 [000] d..2. 1.000000: sched_switch: prev_comm=app prev_pid=10 prev_prio=120 prev_state=S ==> next_comm=web next_pid=11 next_prio=120
 web-11 [000] d..2. 1.001000: sched_waking: comm=app pid=10 prio=120 target_cpu=000
 web-11 [000] d..2. 1.002000: sched_switch: prev_comm=web prev_pid=11 prev_prio=120 prev_state=R ==> next_comm=app next_pid=10 next_prio=120
 app-10 [000] d..2. 1.003000: block_rq_issue: 8,0 R 4096 () 100 + 8 [app]
 app-10 [000] d..2. 1.004000: block_rq_complete: 8,0 R () 100 + 8 [0]
)";
constexpr std::string_view Slices = R"({"traceEvents":[
{"name":"outer","ph":"X","ts":1,"dur":100,"pid":1,"tid":10,"args":{"a":1,"b":{"c":"text"}}},
{"name":"inner","ph":"X","ts":10,"dur":20,"pid":1,"tid":10},{"name":"other","ph":"X","ts":5,"dur":50,"pid":1,"tid":11},
{"name":"f","ph":"s","id":1,"ts":12,"pid":1,"tid":10},{"name":"f","ph":"f","bp":"e","id":1,"ts":20,"pid":1,"tid":11},
{"name":"memory","ph":"C","ts":1,"pid":1,"args":{"used":5}},{"name":"memory","ph":"C","ts":50,"pid":1,"args":{"used":7}}]})";

class Rows final : public sql::RowReceiver {
public:
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const sql::Value>) override { return --m_left > 0; }

private:
    int m_left = 200;
};

std::unique_ptr<Experiment> openExperiment()
{
    const FuzzFolder folder;
    ExperimentOptions options;
    options.storeDirectory = folder.path() / "stores";
    auto opened = Experiment::open({folder.write("scheduling.txt", Scheduling), folder.write("slices.json", Slices)}, options);
    if (opened) {
        (*opened)->start();
        if ((*opened)->wait())
            return std::move(*opened);
    }
    std::fputs("The traces of the fuzzer cannot be read.\n", stderr);
    std::exit(1);
}

std::unique_ptr<sql::Database> open(const std::shared_ptr<const Timeline>& timeline)
{
    auto database = sql::openDatabase(timeline);
    if (!database)
        std::abort();
    return std::move(*database);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const std::unique_ptr<Experiment> experiment = openExperiment();
    static const std::shared_ptr<const Timeline> timeline = experiment->timeline();
    static const sql::Schema schema = *sql::readSchema(*open(timeline));

    const std::string text(fuzzText(data, size));
    const sql::SourceText source(text);
    sql::Macros macros;
    for (sql::StatementReader statements(source, macros); !statements.isAtEnd();) {
        const auto statement = statements.next();
        if (!statement || !*statement)
            break;
        if (const auto* made = std::get_if<sql::CreateMacro>(&(*statement)->what))
            macros.add(made->macro);
    }
    (void)sql::findFittingNames(text, size / 2, schema);
    (void)sql::Database::isComplete(text);
    Rows rows;
    sql::RunLimits limits;
    limits.time = std::chrono::milliseconds(500);
    // Opening a database takes much longer than running a short statement, so a single SELECT, which changes nothing, leaves it open.
    static std::unique_ptr<sql::Database> database;
    if (!database)
        database = open(timeline);
    if (const auto done = database->run(text, rows, limits); !done)
        (void)sql::positionIn(done.error().what);
    if (!text.starts_with("SELECT ") || text.find(';') != text.npos)
        database.reset();
    return 0;
}
