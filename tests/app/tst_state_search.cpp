// Property: a search over states in the window finds what `heliograph states --filter` prints.

#include "core/query/filters/state_search.h"
#include "core/query/rows/views.h"
#include "tests/app/cli/program.h"
#include "tests/support/open_window.h"
#include "tests/support/own_home.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"
#include "widgets/docks/events/search_view.h"

#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

#include <algorithm>
#include <map>

using namespace helio;

namespace {

const QString Filters[] = {
    R"(state == "blocked" && duration > 100us)",
    R"(duration > 1ms && (state == "preempted" || state == "wait-cpu"))",
    R"(state =~ "^running" && name == "worker-1" && duration < 20us)",
    R"(state == "irq")",
};

/// Returns the output of the command "states" for the views control-flow and resources, as sorted lines: row, begin, end, state, detail.
QStringList printed(const QString& filter)
{
    QStringList lines;
    for (const char* view : {"control-flow", "resources"})
        for (const CsvRow& row :
             csvRows(heliograph({"states", sampleTrace(), "--view", view, "--filter", filter, "--format", "csv", "--quiet"})))
            lines << QStringList{row["row"], row["begin_ns"], row["end_ns"], row["state"], row["detail"]}.join('|');
    lines.sort();
    return lines;
}

/// Returns the findings of the search as sorted lines: row, begin, end, state, detail, as printed() returns them.
QStringList found(const Timeline& timeline, const StateFindings& findings)
{
    std::map<TrackRef, std::string> ids;
    for (const char* view : {"control-flow", "resources"})
        for (const Row& row : rows(timeline, view))
            ids[row.ref] = row.id;
    QStringList lines;
    for (const StateHit& hit : findings.hits)
        lines << QStringList{QString::fromStdString(ids[hit.track]), QString::number(nanoseconds(hit.range.begin)),
                             QString::number(nanoseconds(hit.range.end)),
                             QString::fromStdString(std::string(stateName(timeline, hit.track, hit.state))),
                             QString::fromStdString(valueText(timeline, hit.track, hit.value))}
                     .join('|');
    lines.sort();
    return lines;
}

StateFindings search(const Timeline& timeline, const QString& filter, std::size_t limit = MaxStateHits)
{
    const auto views = viewsOf(timeline);
    return findStates(timeline, **Expression::parse(filter.toStdString()), views, {Timestamp::min(), Timestamp::max()}, {}, {}, limit);
}

} // namespace

class StateSearchTest : public QObject {
    Q_OBJECT

private slots:
    void theQueryFindsWhatTheCommandLinePrints()
    {
        const auto timeline = test::sampleTimeline();
        int seen = 0;
        for (const QString& filter : Filters) {
            const QStringList lines = printed(filter);
            QCOMPARE(found(*timeline, search(*timeline, filter)), lines);
            seen += int(lines.size());
        }
        QVERIFY(seen > 100);
    }

    void sumsAreThoseOfTheIntervals()
    {
        const auto timeline = test::sampleTimeline();
        const StateFindings findings = search(*timeline, R"(state == "wait-cpu" || state == "blocked")");
        std::map<std::pair<std::string, TrackRef>, std::vector<std::int64_t>> lengths;
        for (const StateHit& hit : findings.hits)
            for (const TrackRef of : {hit.track, TrackRef{}})
                lengths[{std::string(stateName(*timeline, hit.track, hit.state)), of}].push_back(hit.range.duration().count());

        QCOMPARE(findings.groups.size(), lengths.size());
        QVERIFY(lengths.size() > 6);
        for (const StateGroup& group : findings.groups) {
            auto& all = lengths[{group.state, group.track}];
            std::ranges::sort(all);
            std::int64_t total = 0;
            for (const std::int64_t length : all)
                total += length;
            const StateDurations& it = group.durations;
            QCOMPARE(it.count, all.size());
            QCOMPARE(it.total.count(), total);
            QCOMPARE(it.min.count(), all.front());
            QCOMPARE(it.max.count(), all.back());
            QCOMPARE(it.mean().count(), std::int64_t(double(total) / double(all.size()) + 0.5));
            QCOMPARE(it.p50->count(), all[(all.size() * 50 + 99) / 100 - 1]);
            QCOMPARE(it.p99->count(), all[(all.size() * 99 + 99) / 100 - 1]);
        }
        QVERIFY(std::ranges::is_sorted(findings.hits, {}, [](const StateHit& hit) { return hit.range.begin; }));
    }

    void theSummaryIsPrintedToo()
    {
        const QString filter = R"(state == "blocked")";
        const auto timeline = test::sampleTimeline();
        const StateFindings findings = search(*timeline, filter);

        const auto lines = csvRows(
            heliograph({"states", sampleTrace(), "--view", "control-flow", "--filter", filter, "--summary", "--format", "csv", "--quiet"}));

        QCOMPARE(std::size_t(lines.size()), findings.groups.size());
        for (int i = 0; i < lines.size(); ++i) {
            const StateGroup& group = findings.groups[std::size_t(i)];
            QCOMPARE(lines[i]["state"].toStdString(), group.state);
            QCOMPARE(lines[i]["row"].isEmpty(), !group.track.isValid());
            QCOMPARE(lines[i]["count"].toULongLong(), group.durations.count);
            QCOMPARE(lines[i]["p99_ns"].toLongLong(), group.durations.p99->count());
            QCOMPARE(lines[i]["max_ns"].toLongLong(), group.durations.max.count());
        }
    }

    void tooManyLeavesTheLongest()
    {
        const auto timeline = test::sampleTimeline();
        const QString filter = R"(state == "running-user")";
        const StateFindings all = search(*timeline, filter);
        constexpr std::size_t Limit = 25;
        QVERIFY(all.hits.size() > 4 * Limit);

        const StateFindings cut = search(*timeline, filter, Limit);

        QVERIFY(cut.isCut());
        QCOMPARE(cut.hits.size(), Limit);
        QCOMPARE(cut.all.count, all.all.count);
        std::vector<Duration> lengths;
        for (const StateHit& hit : all.hits)
            lengths.push_back(hit.range.duration());
        std::ranges::sort(lengths, std::greater{});
        for (const StateHit& hit : cut.hits)
            QVERIFY(hit.range.duration() >= lengths[Limit - 1]);
    }

    void aRequestToStopEndsIt()
    {
        const auto timeline = test::sampleTimeline();
        std::stop_source stop;
        stop.request_stop();
        const auto views = viewsOf(*timeline);
        const auto expression = *Expression::parse("duration > 0ns");

        const StateFindings findings =
            findStates(*timeline, *expression, views, {Timestamp::min(), Timestamp::max()}, {}, stop.get_token());

        QVERIFY(findings.wasStopped);
        QVERIFY(findings.hits.empty());
    }

    void theWindowListsThemAndGoesThere()
    {
        MainWindow window;
        QVERIFY(test::openIn(window));
        auto* results = window.docks().view("events")->findChild<StateResults*>();
        const SearchHits& hits = window.context().hits();

        window.context().search(Filters[0]);

        QTRY_VERIFY_WITH_TIMEOUT(hits.isComplete() && !hits.hits().empty(), 20000);
        const auto timeline = window.context().timeline();
        const StateFindings findings = search(*timeline, Filters[0]);
        QTRY_COMPARE(std::size_t(results->lines().rowCount()), findings.hits.size());
        QCOMPARE(std::size_t(results->groups().rowCount()), findings.groups.size() + 1);
        QCOMPARE(hits.hits().size(), findings.hits.size());

        const auto trees = results->findChildren<QTreeView*>();
        const QTreeView* list = *std::ranges::find(trees, "States found", &QWidget::accessibleName);
        // The columns are hidden, because all findings are threads of one host.
        QVERIFY(list->isColumnHidden(StateOrder::Cpu) && list->isColumnHidden(StateOrder::Host));
        QVERIFY(!list->isColumnHidden(StateOrder::Thread));
        QCOMPARE(list->visualRect(list->model()->index(0, 0)).height(), 20);

        const TrackRef before = window.context().time().row();
        emit results->chosen(3);
        QVERIFY(window.context().time().row() == findings.hits[3].track);
        QVERIFY(window.context().time().cursor() == findings.hits[3].range.begin);

        window.actions().at("analyse.next-hit").trigger();
        QVERIFY(window.context().time().row() == findings.hits[4].track);
        QVERIFY(window.context().time().cursor() == findings.hits[4].range.begin);
        window.actions().at("go.back").trigger(); // Back undoes all steps through hits at once.
        QVERIFY(window.context().time().row() == before);

        const_cast<StateListModel&>(results->lines()).sort(StateOrder::Length, Qt::DescendingOrder);
        const auto longest = std::ranges::max_element(findings.hits, {}, [](const StateHit& hit) { return hit.range.duration(); });
        QTRY_COMPARE(results->lines().hitAt(0), std::uint32_t(longest - findings.hits.begin()));
        window.context().search("state == \"irq\""); // The hits are states of CPUs, so the list must show the column "CPU".
        QTRY_VERIFY(!list->isColumnHidden(StateOrder::Cpu));
    }

private:
    test::OwnHome m_cache;
};

HELIO_TEST(StateSearchTest)
#include "tst_state_search.moc"
