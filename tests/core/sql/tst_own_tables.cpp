#include "core/event_model/segment_fields.h"
#include "core/event_model/segment_kinds.h"
#include "core/latency/intervals/interval_source.h"
#include "core/network/connections.h"
#include "core/network/packet_transits.h"
#include "core/query/events/events.h"
#include "core/query/related/related.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/frame_text.h"
#include "core/query/rows/state_text.h"
#include "core/query/rows/timeline_access.h"
#include "core/query/rows/views.h"
#include "core/query/segments/composite_states.h"
#include "core/waits/locks/lock_contention.h"
#include "core/waits/path/explain_wait.h"
#include "core/waits/path/path.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/real_traces.h"
#include "tests/support/sql_database.h"
#include "tests/support/sql_rows.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <concepts>
#include <map>

using namespace helio;
using helio::test::queryRows;
using Lines = std::vector<std::string>;

namespace {

constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};

/// A recording with the database over it.
struct Opened {
    explicit Opened(const std::vector<std::filesystem::path>& paths)
        : experiment(paths)
        , timeline(experiment.timeline)
    {
        auto with = withRowsOfStates(timeline);
        complete = with ? *with : timeline;
        database = test::databaseOf(timeline);
    }
    Lines rows(const std::string& query) const { return queryRows(*database, query); }

    test::OpenedExperiment experiment;
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const Timeline> complete; ///< With the rows that correlators make.
    std::unique_ptr<sql::Database> database;
};

Lines sorted(Lines lines)
{
    std::ranges::sort(lines);
    return lines;
}

std::string textOf(std::string_view text) { return std::string(text); }
std::string textOf(std::integral auto number) { return std::to_string(number); }

/// Returns values as a line, joined like those of queryRows().
template <typename First, typename... Others> std::string joined(const First& first, const Others&... others)
{
    std::string line = textOf(first);
    ((line += '|', line += textOf(others)), ...);
    return line;
}

/// Returns a call of a function of SQL or of a table-valued function.
template <typename... Arguments> std::string call(const std::string& name, const Arguments&... arguments)
{
    std::string text = joined(arguments...);
    std::ranges::replace(text, '|', ',');
    return name + '(' + text + ')';
}

std::string textOr(const std::string& text) { return text.empty() ? "-" : text; }
std::string numberOr(std::optional<Duration> duration) { return duration ? std::to_string(duration->count()) : "-"; }

/// Compares lines and, if they differ, names the first difference.
void compare(const Lines& found, const Lines& expected)
{
    for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i)
        QCOMPARE(QString::fromStdString(found[i]), QString::fromStdString(expected[i]));
    QCOMPARE(found.size(), expected.size());
}

} // namespace

/// Heliograph's own tables, compared with the queries behind the commands `states`, `latency`, `locks`, `connections`, `critical-path` and
/// `events`, over fixtures and recorded traces.
class OwnTablesTest : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        if (m_opened.contains(QTest::currentDataTag() ? QTest::currentDataTag() : ""))
            return;
        const char* const tag = QTest::currentDataTag();
        QFETCH(QStringList, paths);
        std::vector<std::filesystem::path> found;
        for (const QString& path : paths)
            found.emplace_back(path.toStdString());
        m_opened[tag] = std::make_unique<Opened>(found);
        QVERIFY(m_opened[tag]->database);
    }

    void stateIntervalsAreThoseOfStates_data() { recordings(); }
    void stateIntervalsAreThoseOfStates()
    {
        const Timeline& timeline = *opened().complete;
        Lines expected;
        for (const std::string& view : viewsOfStates(timeline)) {
            readFrameNames(timeline, view);
            for (const Row& row : helio::rows(timeline, view)) {
                if (!row.ref.isValid())
                    continue;
                const bool isOfAll = isOfAllTraces(timeline, row.ref.store);
                const Timestamp last = isOfAll ? rangeOf(timeline).end : coveredRange(timeline, row.trace).end;
                forEachRowInterval(timeline, row, Always, [&](const Interval& it) {
                    const StateText text = stateText(timeline, row.ref, it);
                    expected.push_back(joined(view, row.id, nanoseconds(it.range.begin),
                                              it.range.end >= last ? -1 : it.range.duration().count(), text.state, textOr(text.detail),
                                              isOfAll ? "-" : std::to_string(row.trace)));
                });
            }
        }
        QVERIFY(!expected.empty());
        compare(sorted(opened().rows("SELECT view, row, ts, dur, state, detail, trace_id FROM state_interval")), sorted(expected));
        const std::string view = expected.front().substr(0, expected.front().find('|'));
        compare(opened().rows("SELECT row, ts FROM state_interval WHERE view = '" + view + "' ORDER BY row, ts"),
                opened().rows("SELECT row, ts FROM (SELECT view || '' AS v, row, ts FROM state_interval) WHERE v = '" + view
                              + "' ORDER BY row, ts"));
    }

    void segmentsAreThoseOfLatencies_data() { recordings(); }
    void segmentsAreThoseOfLatencies()
    {
        std::vector<std::string> kinds;
        for (const SegmentKind& kind : segmentKinds(*opened().timeline))
            if (kind.id != CallCpuTimes)
                kinds.push_back(kind.id);
        for (const CompositeState& state : compositeStates(*opened().timeline))
            kinds.push_back(state.id);
        for (const std::string& kind : kinds) {
            Lines begins;
            Lines whole;
            const auto source = findIntervalSource(opened().timeline, kind);
            QVERIFY(source && *source);
            (*source)->forEach({},
                               [&](const SourceInterval& it) {
                                   const std::string row = it.row.ref.isValid() ? it.row.id : "-";
                                   begins.push_back(joined(textOr(std::string(it.name)), row, nanoseconds(it.range.begin)));
                                   whole.push_back(begins.back() + '|' + std::to_string(it.range.duration().count()));
                               },
                               {});
            const std::string from = " FROM segment WHERE kind = " + sql::quoted(kind);
            compare(sorted(opened().rows("SELECT name, row, ts" + from)), sorted(begins));
            const Lines ended = sorted(opened().rows("SELECT name, row, ts, dur" + from + " AND dur >= 0"));
            QVERIFY2(std::ranges::includes(sorted(whole), ended), kind.c_str());
            compare(opened().rows("SELECT count(*)" + from), {std::to_string(begins.size())});
        }
        // Preemptions are no slices, because thread_state has them.
        compare(opened().rows("SELECT count(*), count(DISTINCT id) FROM segment WHERE kind != 'preemption'"),
                opened().rows("SELECT count(*), count(*) FROM slice"));
        compare(opened().rows("SELECT count(*) = count(DISTINCT id) FROM segment"), {"1"});
        compare(opened().rows("SELECT count(*) FROM recorded_track WHERE type = 'preemption'"), {"0"});
    }

    void lockWaitsAreThoseOfLocks_data() { recordings(); }
    void lockWaitsAreThoseOfLocks()
    {
        Lines expected;
        for (const LockContention& it : computeLockContention(*opened().timeline, {Always}))
            if (it.waits + it.workWaits > 0)
                expected.push_back(joined(it.host, textOr(it.name), it.waits, it.waited.count(),
                                          it.waits > 0 ? it.longest.duration().count() : 0, it.threads, it.workWaits,
                                          it.waitedForWork.count()));
        compare(sorted(opened().rows(
                    "SELECT host_id, lock, sum(NOT is_for_work), sum(iif(is_for_work, 0, dur)), max(iif(is_for_work, 0, dur)), "
                    "count(DISTINCT iif(is_for_work, NULL, utid)), sum(is_for_work), sum(iif(is_for_work, dur, 0)) "
                    "FROM lock_wait GROUP BY host_id, lock")),
                sorted(expected));
    }

    void blockRequestsAreThoseOfDisks_data() { recordings(); }
    void blockRequestsAreThoseOfDisks()
    {
        Lines expected;
        forEachSegment(*opened().timeline, DiskRequests, Always, [&](const Segment& it) {
            const std::string_view fields = fieldsOf(*opened().timeline, it);
            const auto field = [&](const char* name) { return fieldOf(fields, name).value_or("-"); };
            expected.push_back(joined(nanoseconds(it.range.begin), it.range.duration().count(), nameOf(*opened().timeline, it),
                                      field("disk"), field("sector"), field("bytes"), field("queued_ns"), field("tid")));
        });
        compare(
            sorted(opened().rows("SELECT b.ts, dur, operation, disk, sector, bytes, queued_ns, tid FROM block_request b LEFT JOIN thread "
                                 "USING (utid)")),
            sorted(expected));
    }

    void connectionsAreThoseOfTheCommand_data() { recordings(); }
    void connectionsAreThoseOfTheCommand()
    {
        Lines expected;
        for (const ConnectionFacts& it : collectConnections(*opened().timeline, Always)) {
            std::string line = joined(expected.size(), nanoseconds(it.range.begin), it.range.duration().count() - 1, textOr(it.protocol));
            for (const ConnectionEnd* end : {&it.from, &it.to})
                line += '|'
                    + joined(textOr(end->address), end->tid < 0 ? "-" : std::to_string(end->tid),
                             textOr(std::string(wordOf(end->ownerEvidence))), end->counts.packets,
                             it.hasLengths ? std::to_string(end->counts.payloadBytes) : "-", end->counts.matched, numberOr(end->median),
                             numberOr(end->p99));
            expected.push_back(line + '|' + numberOr(it.handshake()) + '|' + textOr(std::string(wordOf(it.ending))));
        }
        compare(
            opened().rows("SELECT id, ts, dur, protocol, from_address, from_tid, from_known_by, from_packets, from_payload, from_matched, "
                          "from_p50_ns, from_p99_ns, to_address, to_tid, to_known_by, to_packets, to_payload, to_matched, to_p50_ns, "
                          "to_p99_ns, handshake_ns, closed FROM connection ORDER BY id"),
            expected);
        // The packets of each connection are as many as its ends sent.
        compare(opened().rows("SELECT count(*) FROM connection c WHERE from_packets + to_packets != (SELECT count(*) FROM packet p WHERE "
                              "p.connection_id = c.id) OR from_matched + to_matched != (SELECT count(dur) FROM packet p WHERE "
                              "p.connection_id = c.id)"),
                {"0"});
    }

    void packetsAreThoseOfLatencies_data() { recordings(); }
    void packetsAreThoseOfLatencies()
    {
        Lines expected;
        for (const std::string& kind : transitKinds(*opened().timeline))
            if (!kind.ends_with("-part"))
                forEachTransit(*opened().timeline, kind, Always, [&](const PacketTransit& it) {
                    expected.push_back(joined(kind, nanoseconds(it.range.begin), (it.range.end - it.range.begin).count(),
                                              it.error == Duration::max() ? "-" : std::to_string(it.error.count())));
                });
        compare(sorted(opened().rows("SELECT kind, ts, dur, error_ns FROM packet WHERE dur IS NOT NULL AND kind NOT LIKE '%-part'")),
                sorted(expected));
    }

    void criticalPathsAreThoseOfTheCommand_data() { recordings(); }
    void criticalPathsAreThoseOfTheCommand()
    {
        std::vector<Row> all = threads(*opened().timeline);
        std::ranges::stable_sort(all, std::greater(), &Row::intervals);
        all.resize(std::min<std::size_t>(all.size(), 12));
        for (const Row& row : all) {
            Lines expected;
            const CriticalPath path = criticalPath(*opened().complete, row.ref, row.life);
            for (const PathSegment& it : path.segments)
                expected.push_back(
                    joined(nanoseconds(it.range.begin), it.range.duration().count(), wordOf(it.kind), textOr(path.detailOf(it)), it.depth));
            compare(opened().rows("SELECT ts, dur, kind, detail, depth FROM "
                                  + call("critical_path", utidOf(row), nanoseconds(row.life.begin), -1)),
                    expected);
            const TimeRange part{row.life.begin + row.life.duration() / 3, row.life.begin + row.life.duration() / 2};
            compare(opened().rows("SELECT sum(dur), min(ts) FROM "
                                  + call("critical_path", utidOf(row), nanoseconds(part.begin), part.duration().count())),
                    {part.duration() > Duration::zero() ? joined(part.duration().count(), nanoseconds(part.begin)) : "-|-"});
        }
    }

    void waitCausesAreThoseOfTheCommand_data() { recordings(); }
    void waitCausesAreThoseOfTheCommand()
    {
        bool hasSteps = false;
        for (const Row& row : threads(*opened().timeline)) {
            const TimeRange wait = longestWait(*opened().complete, row.ref, row.life);
            if (wait.begin >= wait.end)
                continue;
            Lines expected;
            for (const WaitStep& it : explainWait(opened().complete, row.ref, wait.begin).steps)
                expected.push_back(joined(nanoseconds(it.range.begin), it.range.duration().count(), it.depth, wordOf(it.kind), it.words,
                                          textOr(it.event)));
            compare(
                opened().rows("SELECT ts, dur, depth, kind, words, event FROM " + call("wait_cause", utidOf(row), nanoseconds(wait.begin))),
                expected);
            hasSteps |= !expected.empty();
        }
        QCOMPARE(hasSteps, !opened().rows("SELECT 1 FROM thread_state WHERE state IN ('S', 'D') LIMIT 1").empty());
    }

    void fieldsAreThoseOfEvents_data() { recordings(); }
    void fieldsAreThoseOfEvents()
    {
        EventTable table(opened().timeline);
        for (std::uint64_t at = 0; at < table.size(); at += table.size() / 40 + 1)
            for (const EventRow& event : table.rows(at, 1))
                for (const NamedValue& field : event.fields) {
                    const std::string query = "SELECT " + call("field", event.index, sql::quoted(field.name)) + ", "
                        + call("field", event.index, sql::quoted("fields." + field.name));
                    if (const auto* number = std::get_if<std::int64_t>(&field.value.value))
                        compare(opened().rows(query), {joined(*number, *number)});
                    else if (const auto* text = std::get_if<std::string>(&field.value.value))
                        compare(opened().rows(query), {joined(*text, *text)});
                }
        compare(opened().rows("SELECT field(0, 'no such field'), field(-1, 'x'), field(NULL, 'x'), field(1 << 60, 'x')"), {"-|-|-|-"});
    }

    void rowsThatLossesTouchAreUncertain_data() { recordings(); }
    void rowsThatLossesTouchAreUncertain()
    {
        // The losses of a host, with the CPU where it matters: brute force over all pairs.
        const std::string touches = " l.ts <= iif(s.dur < 0, 9223372036854775807, s.ts + s.dur) AND l.ts + l.dur >= s.ts ";
        compare(opened().rows("SELECT count(*) FROM sched_slice s WHERE certain != NOT EXISTS (SELECT 1 FROM loss l WHERE" + touches
                              + "AND ifnull(l.cpu, s.ucpu) = s.ucpu)"),
                {"0"});
        const std::string host = "AND (SELECT machine_id FROM thread WHERE thread.utid = s.utid) = l.host_id ";
        compare(opened().rows("SELECT count(*) FROM thread_state s WHERE certain != NOT EXISTS (SELECT 1 FROM loss l WHERE" + touches + host
                              + "AND ifnull(l.cpu = s.ucpu, 1))"),
                {"0"});
        const bool hasLosses = opened().rows("SELECT count(*) FROM loss") != Lines{"0"};
        for (const std::string table : {"sched_slice", "thread_state", "state_interval"})
            QCOMPARE(opened().rows("SELECT ifnull(min(certain), 1) FROM " + table).front().front(), hasLosses ? '0' : '1');
        QVERIFY(opened().rows("SELECT name FROM pragma_table_info('sched_slice') WHERE name = 'certain'").empty());
    }

private:
    /// Returns the id of the thread that a row shows, as a text.
    std::string utidOf(const Row& row) const
    {
        return opened()
            .rows("SELECT utid FROM state_interval WHERE row = " + sql::quoted(row.id) + " AND trace_id = " + std::to_string(row.trace)
                  + " LIMIT 1")
            .front();
    }

    void recordings()
    {
        const QString fixtures = SOURCE_DIR "/tests/fixtures/";
        QTest::addColumn<QStringList>("paths");
        QTest::newRow("sample") << QStringList{SOURCE_DIR "/resources/samples/workers"};
        QTest::newRow("kernel") << QStringList{fixtures + "kernel-small"};
        QTest::newRow("losses") << QStringList{fixtures + "lossy-small"};
        QTest::newRow("two hosts") << QStringList{fixtures + "two-hosts-small/web", fixtures + "two-hosts-small/db"};
        QTest::newRow("calls") << QStringList{fixtures + "ust-callstack"};
        QTest::newRow("virtual machine") << QStringList{fixtures + "host-guest-small/host", fixtures + "host-guest-small/guestA"};
        for (const auto& [name, path] : {std::pair("recorded kernel", realTrace("lttng-kernel", "plain")),
                                         std::pair("recorded losses", realTrace("lttng-kernel", "lossy"))})
            if (!path.isEmpty())
                QTest::newRow(name) << QStringList{path};
        if (const QString hosts = realTrace("two-hosts"); !hosts.isEmpty())
            QTest::newRow("recorded hosts") << QStringList{hosts + "/client", hosts + "/web", hosts + "/db"};
    }
    const Opened& opened() const { return *m_opened.at(QTest::currentDataTag()); }

    std::map<std::string, std::unique_ptr<Opened>> m_opened; ///< Opened recordings, by data tag.
};

HELIO_TEST(OwnTablesTest)
#include "tst_own_tables.moc"
