#include "core/analysis/track_view.h"
#include "core/correlation/correlator.h"
#include "core/correlation/row_note.h"
#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/row_lookup.h"
#include "core/query/segments/state_intervals.h"
#include "core/waits/path/explain_wait.h"
#include "core/waits/path/path.h"

#include <map>

namespace helio {
namespace {

static_assert(PathKinds == 17); // pathStates() must have one state for each PathKind, in the same order.

const TrackView Views[] = {{.id = std::string(PathRelation),
                            .title = "Critical path",
                            .tip = "Where a thread's time went, across the threads, devices and hosts it waited for",
                            .order = 5,
                            .one = "row",
                            .many = "rows",
                            .share = "On the path",
                            .number = "TID",
                            .hidesCommonLinks = true,
                            .nothing = "No critical path yet. Select a thread and press Shift+Y."}};

/// Writes the rows of a critical path: one row for each thread, in the order in which the path reaches the threads.
class Rows {
public:
    Rows(const Timeline& timeline, StateSink& sink)
        : m_timeline(timeline)
        , m_sink(sink)
        , m_states(*sink.stateSet(pathStates()))
        , m_store(rowsOf(timeline, 0, *timeline.correlatorRegistry->find(PathRelation)))
    {
    }

    void write(const CriticalPath& path)
    {
        TrackRef before;
        Timestamp known{};
        forEachWaitStep(m_timeline, path, [&](WaitStep&& step) {
            if (step.isFollowed)
                return;
            const TrackId row = rowFor(step.row);
            if (before.isValid() && before != step.row) {
                const TrackId from = rowFor(before);
                m_sink.end(onAxis(step.range.begin), from);
                m_links.push_back({LinkKind::FirstOwn, {m_store, from}, {m_store, row}, step.range.begin, step.range.begin, step.words});
            }
            m_sink.set(onAxis(step.range.begin), row, State(static_cast<std::uint8_t>(step.kind)),
                       static_cast<std::uint32_t>(m_sink.string(step.what)));
            before = step.row;
            known = step.range.end;
        });
        if (before.isValid())
            m_sink.end(onAxis(known), rowFor(before));
    }

    InterTraceLinks links() &&
    {
        std::vector<LinkKindInfo> kinds(static_cast<std::size_t>(LinkKind::FirstOwn) + 1);
        kinds.back() = {"path", "Continues", "With", {std::string(PathRelation)}, "arrow.wakeup", LinkLine::Solid, 2};
        return {std::move(kinds), std::move(m_links)};
    }

private:
    TrackId rowFor(TrackRef thread)
    {
        const auto [it, isNew] = m_rows.try_emplace(thread);
        if (!isNew)
            return it->second;
        const Row of = rowOf(m_timeline, thread).value_or(Row());
        Track row;
        row.view = PathRelation;
        row.kind = "path";
        row.key = "path:" + std::to_string(of.trace) + '/' + of.id;
        const std::string host = hostName(m_timeline, of.host);
        row.label = host.empty() ? of.label : of.label + " on " + host;
        row.states = m_states;
        row.valueKind = ValueKind::Text;
        row.pid = of.pid;
        row.tid = of.tid;
        row.sortKey = static_cast<std::int32_t>(m_rows.size());
        const std::string key = row.key;
        it->second = m_sink.addTrack(std::move(row));
        m_sink.addTrack(noteTrack({of.trace, -1, thread, RowNote::Source::About, of.label}, it->second, key));
        return it->second;
    }

    const Timeline& m_timeline;
    StateSink& m_sink;
    StateSetId m_states;
    StoreIndex m_store;
    std::map<TrackRef, TrackId> m_rows;
    std::vector<InterTraceLink> m_links;
};

/// Computes the critical path of one thread on request.
class CriticalPaths final : public Correlator {
public:
    std::string_view id() const override { return PathRelation; }
    When when() const override { return When::Asked; }
    std::span<const TrackView> views() const override { return Views; }
    bool appliesTo(const Timeline& timeline) const override { return !wakeupKind(timeline).empty(); }

    Result<Correlation> make(const Timeline& timeline, const CorrelatorRequest& question, std::stop_token stop) const override
    {
        const auto thread = rowOf(timeline, question.row);
        if (!thread)
            return Error{Error::Kind::Usage, "no such thread"};
        const TimeRange range = question.range.isEmpty() ? thread->life : question.range;
        const CriticalPath path = criticalPath(timeline, question.row, range, stop, {.timeLimit = question.timeLimit});
        if (path.isStopped)
            return Error{Error::Kind::Cancelled, "the critical path is incomplete (cancelled)"};
        const auto builder = makeUnnamedStoreBuilder(onAxis(timeline.range.begin), stop);
        Rows rows(timeline, *builder);
        rows.write(path);
        StoreSummary summary;
        summary.range = {onAxis(timeline.range.begin), onAxis(timeline.range.end)};
        auto store = builder->finish(std::move(summary));
        if (!store)
            return store.error();
        Correlation found;
        found.isPart = path.isPart;
        if (path.isPart)
            found.diagnostics.push_back(
                {Diagnostic::Severity::Info, "critical-path", {}, 0, 1, "critical path incomplete: only its beginning is shown"});
        for (const std::string& limit : path.limits)
            found.diagnostics.push_back({Diagnostic::Severity::Info, "critical-path", {}, 0, 1, "critical path: " + limit});
        found.links = std::move(rows).links();
        found.rows.push_back({0, std::move(*store), true});
        return found;
    }
};

} // namespace

extern const BuiltinCorrelator criticalPathRelation{
    []() -> std::shared_ptr<const Correlator> { return std::make_shared<CriticalPaths>(); }};

} // namespace helio
