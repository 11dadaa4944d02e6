#include "core/export/recording/recording_walk.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"
#include "core/query/rows/timeline_access.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <simdjson.h>
#include <tuple>

namespace helio {
namespace {

/// Part of the time range that is read at once. Its length changes so that a part has about this number of things.
constexpr std::size_t ThingsInPart = 65'536;
/// Largest number of things of a kind in a part, unless more have the same time.
constexpr std::size_t MostInPart = 2 * ThingsInPart;

/// Passes each row of a query to a function.
class RowFunction final : public sql::RowReceiver {
public:
    using Take = std::function<bool(std::span<const sql::Value>)>;
    explicit RowFunction(Take take)
        : m_take(std::move(take))
    {
    }
    void columns(std::span<const std::string>) override { }
    bool row(std::span<const sql::Value> values) override { return m_take(values); }

private:
    Take m_take;
};

/// Calls `take` with each row of a query.
template <typename Take> Status forEachRow(const ExportedTables& tables, const std::string& statement, const Take& take)
{
    RowFunction rows([&take](std::span<const sql::Value> values) {
        take(values);
        return true;
    });
    return tables.query(statement, rows);
}

std::string textOf(const sql::Value& value)
{
    const auto* text = std::get_if<std::string>(&value);
    return text ? *text : std::string();
}

std::int64_t numberOf(const sql::Value& value, std::int64_t ifNull = -1)
{
    const auto* number = std::get_if<std::int64_t>(&value);
    return number ? *number : ifNull;
}

std::optional<std::int64_t> optionalNumber(const sql::Value& value)
{
    const auto* number = std::get_if<std::int64_t>(&value);
    return number ? std::optional(*number) : std::nullopt;
}

/// Returns a name; empty if it is only the label of a row without a name, e.g. "pid:12".
std::string nameOf(const sql::Value& value, std::string_view key, std::int64_t number)
{
    std::string name = textOf(value);
    return name == std::string(key) + std::to_string(number) ? std::string() : name;
}

/// Adds an argument. The reader of application traces keeps the arguments of a slice as one JSON object, whose members become arguments.
void addArgument(std::vector<WalkedArgument>& arguments, const std::string& key, const sql::Value& value)
{
    const auto* text = std::get_if<std::string>(&value);
    if (key != "args" || !text)
        return arguments.push_back({key, value});
    simdjson::dom::parser parser;
    simdjson::dom::object object;
    if (parser.parse(*text).get_object().get(object) != simdjson::SUCCESS)
        return arguments.push_back({key, value});
    for (const auto& [name, member] : object) {
        WalkedArgument argument{std::string(name), {}};
        std::int64_t integer = 0;
        double real = 0;
        std::string_view string;
        if (member.get_int64().get(integer) == simdjson::SUCCESS)
            argument.value = integer;
        else if (member.is_double() && member.get_double().get(real) == simdjson::SUCCESS)
            argument.value = real;
        else if (member.get_string().get(string) == simdjson::SUCCESS)
            argument.value = std::string(string);
        else
            argument = {std::string(name), simdjson::minify(member), true};
        arguments.push_back(std::move(argument));
    }
}

/// Returns the CPU with an id of the tables (`ucpu`).
WalkedCpu cpuWithId(std::int64_t ucpu)
{
    constexpr std::int64_t CpusOfHost = 4'096; // The ids are made by cpuId() in core/sql.
    if (ucpu < 0)
        return {};
    return {static_cast<std::uint32_t>(ucpu / CpusOfHost), static_cast<std::int32_t>(ucpu % CpusOfHost)};
}

/// Returns the end of a row with the columns `ts` and `dur`; nullopt if the duration is -1.
std::optional<std::int64_t> endOf(std::int64_t ts, std::int64_t duration)
{
    return duration < 0 ? std::nullopt : std::optional(ts + duration);
}

} // namespace

RecordingWalk::RecordingWalk(const ExportRequest& request, ExportedTables tables)
    : m_request(request)
    , m_tables(std::move(tables))
    , m_selected(request.selection, *request.timeline)
{
    const TimeRange all = rangeOf(*request.timeline);
    m_first = nanoseconds(all.begin);
    // The last event may have the time at which the range ends.
    const TimeRange wanted = TimeRange{all.begin, all.end + Duration(1)}.clippedTo(request.selection.range);
    m_begin = nanoseconds(wanted.begin);
    m_end = std::max(m_begin, nanoseconds(wanted.end));
    for (std::uint32_t trace = 0; trace < request.timeline->traces.size(); ++trace) {
        const auto hasRuns = [](TrackRef, const Track& track) { return track.intervals > 0; };
        m_haveScheduling.push_back(findTrack(*request.timeline, trace, TrackRole::CpuThread, hasRuns).isValid());
    }
}

Result<std::unique_ptr<RecordingWalk>> RecordingWalk::open(const ExportRequest& request)
{
    // Only the condition of the time range and of the places is needed from the tables: rows of views are read from the stores.
    ExportRequest rowsOfTables = request;
    rowsOfTables.selection.view.clear();
    auto tables = ExportedTables::open(rowsOfTables);
    if (!tables)
        return tables.error();
    std::unique_ptr<RecordingWalk> walk(new RecordingWalk(request, std::move(*tables)));
    if (walk->m_first < 0)
        return Error{Error::Kind::Unsupported, "The recording has times before the zero of its clock, which the format cannot express"};
    if (const Status read = walk->readThings(); !read)
        return read.error();
    if (const Status read = walk->readFlows(); !read)
        return read.error();
    return walk;
}

Status RecordingWalk::readThings()
{
    using Values = std::span<const sql::Value>;
    const auto takeHost = [&](Values row) {
        m_hosts.push_back({textOf(row[0]), textOf(row[1]), textOf(row[2]), textOf(row[3]), numberOf(row[4]) == 1, numberOf(row[5], 0)});
    };
    if (Status read = forEachRow(m_tables,
                                 "SELECT sysname, release, version, arch, is_synchronized, clock_error_ns FROM machine JOIN host USING "
                                 "(id) ORDER BY id",
                                 takeHost);
        !read)
        return read;
    if (Status read =
            forEachRow(m_tables,
                       "SELECT p.machine_id, p.pid, p.name, parent.pid FROM process p LEFT JOIN process parent ON parent.upid = "
                       "p.parent_upid ORDER BY p.upid",
                       [&](Values row) {
                           m_processes.push_back({static_cast<std::uint32_t>(numberOf(row[0])), static_cast<std::int32_t>(numberOf(row[1])),
                                                  textOf(row[2]), static_cast<std::int32_t>(numberOf(row[3]))});
                       });
        !read)
        return read;
    const auto takeThread = [&](Values row) {
        WalkedThread thread;
        thread.utid = numberOf(row[0]);
        thread.upid = numberOf(row[1]);
        thread.host = static_cast<std::uint32_t>(numberOf(row[2]));
        thread.tid = static_cast<std::int32_t>(numberOf(row[3]));
        thread.name = nameOf(row[4], "tid:", thread.tid);
        thread.start = optionalNumber(row[5]);
        thread.end = optionalNumber(row[6]);
        thread.isMain = numberOf(row[7]) == 1;
        if (thread.upid >= 0 && static_cast<std::size_t>(thread.upid) < m_processes.size())
            thread.pid = m_processes[static_cast<std::size_t>(thread.upid)].pid;
        thread.isSelected = m_selected.hasThread(thread.host, thread.pid, thread.tid);
        m_threads.push_back(std::move(thread));
    };
    if (Status read = forEachRow(
            m_tables, "SELECT utid, upid, machine_id, tid, name, start_ts, end_ts, is_main_thread FROM thread ORDER BY utid", takeThread);
        !read)
        return read;
    if (!m_request.selection.view.empty()) {
        for (Row& row : helio::rows(*m_request.timeline, m_request.selection.view))
            if (row.ref.isValid() && m_selected.hasRow(row))
                m_rows.push_back(std::move(row));
        return Done{};
    }
    const auto takeTrack = [&](Values row) {
        m_tracks.push_back({numberOf(row[0]), textOf(row[1]), textOf(row[2]), textOf(row[3]), static_cast<std::uint32_t>(numberOf(row[4])),
                            numberOf(row[5]), numberOf(row[6]), static_cast<std::int32_t>(numberOf(row[7])), numberOf(row[8]) == 1});
    };
    return forEachRow(m_tables,
                      "SELECT id, name, type, unit, machine_id, utid, upid, cpu, is_counter FROM recorded_track WHERE "
                          + m_tables.condition("recorded_track") + " ORDER BY id",
                      takeTrack);
}

Status RecordingWalk::readFlows()
{
    if (!m_request.selection.view.empty())
        return Done{};
    std::uint64_t id = 0;
    const auto take = [&](std::span<const sql::Value> row) {
        const std::int64_t out = numberOf(row[0]);
        const std::int64_t in = numberOf(row[1]);
        if (out < 0 || in < 0)
            return;
        ++id;
        m_flowsOut.emplace_back(out, id);
        m_flowsIn.emplace_back(in, id);
        m_arrivals.push_back(numberOf(row[2]));
    };
    if (Status read = forEachRow(m_tables, "SELECT slice_out, slice_in, in_ts FROM flow WHERE " + m_tables.condition("flow"), take); !read)
        return read;
    std::ranges::sort(m_flowsOut);
    std::ranges::sort(m_flowsIn);
    return Done{};
}

std::vector<std::uint64_t> RecordingWalk::flowsAt(const FlowEnds& ends, std::int64_t slice)
{
    std::vector<std::uint64_t> flows;
    for (auto it = std::ranges::lower_bound(ends, std::pair(slice, std::uint64_t{})); it != ends.end() && it->first == slice; ++it)
        flows.push_back(it->second);
    return flows;
}

/// Returns the index of the track with an id; the number of tracks if the track is not selected.
std::size_t RecordingWalk::trackIndex(std::int64_t id) const
{
    const auto found = std::ranges::lower_bound(m_tracks, id, {}, &WalkedTrack::id);
    return static_cast<std::size_t>((found != m_tracks.end() && found->id == id ? found : m_tracks.end()) - m_tracks.begin());
}

Status RecordingWalk::walk(RecordingVisitor& visitor, Contents contents, double shareBegin, double shareEnd) const
{
    const std::int64_t all = m_end - m_first;
    std::int64_t step = std::max<std::int64_t>(1, all / 1'024);
    CounterValues before;
    for (std::int64_t from = m_first; from < m_end;) {
        if (m_request.stop.stop_requested())
            return Error{Error::Kind::Cancelled, "The export was cancelled"};
        Part part{from, m_end - from > step ? from + step : m_end};
        if (Status read = readPart(part, contents); !read)
            return read;
        visit(part, visitor, before);
        m_request.report(shareBegin + (shareEnd - shareBegin) * double(part.to - m_first) / double(all));
        if (!visitor.partEnded(part.to))
            return Done{};
        if (part.count < ThingsInPart / 2)
            step = step > all / 2 ? all : step * 2;
        else if (part.count >= MostInPart)
            step = std::max<std::int64_t>(1, std::min(step / 2, part.to - from));
        from = part.to;
    }
    return Done{};
}

/// Reads what begins in a part. The things of a kind that are more than a part may have are left to the next part.
Status RecordingWalk::readPart(Part& part, Contents contents) const
{
    const bool hasView = !m_selected.selection().view.empty();
    if (contents.hasScheduling)
        if (Status read = readScheduling(part); !read)
            return read;
    if (contents.hasSlices && hasView)
        readStates(part);
    if (contents.hasSlices && !hasView && !m_tracks.empty()) {
        if (Status read = readSlices(part); !read)
            return read;
        if (Status read = readPoints(part); !read)
            return read;
        if (Status read = readArguments(part); !read)
            return read;
    }
    return Done{};
}

/// Calls `take` with the rows of a statement that begin in a part, in the order of time. `select` ends with a condition; its first column
/// is `ts`. If there are too many rows, the part ends before the last of them.
template <typename Take> Status RecordingWalk::readRows(Part& part, const std::string& select, const Take& take) const
{
    std::size_t rows = 0;
    std::int64_t last = part.from;
    const auto read = [&](std::int64_t to, const std::string& limit) {
        return forEachRow(m_tables,
                          select + " AND ts >= " + std::to_string(part.from) + " AND ts < " + std::to_string(to) + " ORDER BY ts LIMIT "
                              + limit,
                          [&](std::span<const sql::Value> row) {
                              ++rows;
                              last = numberOf(row[0]);
                              take(row);
                          });
    };
    Status done = read(part.to, std::to_string(MostInPart));
    if (done && rows == MostInPart && last > part.from) {
        part.to = last;
    } else if (done && rows == MostInPart) { // All have the same time.
        part.to = part.from + 1;
        done = read(part.to, "-1 OFFSET " + std::to_string(rows));
    }
    part.count += rows;
    return done;
}

Status RecordingWalk::readScheduling(Part& part) const
{
    using Values = std::span<const sql::Value>;
    const auto takeRun = [&](Values row) {
        WalkedRun run;
        run.ts = numberOf(row[0]);
        run.end = endOf(run.ts, numberOf(row[1]));
        run.cpu = cpuWithId(numberOf(row[2]));
        run.utid = numberOf(row[3]);
        run.endState = textOf(row[4]);
        run.priority = optionalNumber(row[5]);
        if (m_selected.hasCpu(run.cpu.host, run.cpu.cpu) && (!run.end || *run.end > m_begin))
            part.runs.push_back(std::move(run));
    };
    if (Status read = readRows(part, "SELECT ts, dur, ucpu, utid, end_state, priority FROM sched_slice WHERE 1", takeRun); !read)
        return read;
    const auto takeWakeup = [&](Values row) {
        WalkedWakeup wakeup;
        wakeup.ts = numberOf(row[0]);
        wakeup.cpu = cpuWithId(numberOf(row[1]));
        wakeup.waker = numberOf(row[2]);
        wakeup.woken = numberOf(row[3]);
        if (wakeup.ts >= m_begin && m_selected.hasCpu(wakeup.cpu.host, wakeup.cpu.cpu))
            part.wakeups.push_back(wakeup);
    };
    if (Status read = readRows(part, "SELECT ts, cpu, from_utid, to_utid FROM link WHERE kind = 'wakeup'", takeWakeup); !read)
        return read;
    const auto takeReadiness = [&](Values row) {
        const WalkedThread& thread = m_threads[static_cast<std::size_t>(numberOf(row[1], 0))];
        if (const std::int64_t ts = numberOf(row[0]); ts >= m_begin && m_selected.hasHost(thread.host))
            part.readiness.push_back({ts, thread.utid});
    };
    if (Status read = readRows(part, "SELECT ts, utid FROM thread_state WHERE state = 'R'", takeReadiness); !read)
        return read;
    const auto takeLoss = [&](Values row) {
        WalkedLoss loss;
        const auto trace = static_cast<std::size_t>(numberOf(row[3], 0));
        loss.ts = numberOf(row[0]);
        loss.end = loss.ts + std::max<std::int64_t>(0, numberOf(row[1]));
        loss.cpu = cpuWithId(numberOf(row[2]));
        if (loss.cpu.cpu < 0)
            loss.cpu.host = m_request.timeline->traces[trace].host;
        if (m_selected.hasHost(loss.cpu.host) && m_haveScheduling[trace])
            part.losses.push_back(loss);
    };
    return readRows(part, "SELECT ts, dur, cpu, trace_id FROM loss WHERE 1", takeLoss);
}

Status RecordingWalk::readSlices(Part& part) const
{
    const auto take = [&](std::span<const sql::Value> row) {
        WalkedSlice slice;
        slice.ts = numberOf(row[0]);
        slice.id = numberOf(row[1]);
        slice.end = endOf(slice.ts, numberOf(row[2]));
        slice.track = trackIndex(numberOf(row[3]));
        slice.depth = numberOf(row[4], 0);
        slice.name = textOf(row[5]);
        part.haveArguments = part.haveArguments || numberOf(row[6]) >= 0;
        if (slice.track >= m_tracks.size())
            return;
        slice.flowsOut = flowsAt(m_flowsOut, slice.id);
        slice.flowsIn = flowsAt(m_flowsIn, slice.id);
        part.slices.push_back(std::move(slice));
    };
    return readRows(part, "SELECT ts, id, dur, track_id, depth, name, arg_set_id FROM slice WHERE " + m_tables.condition("slice"), take);
}

/// Reads the arguments of the slices of a part, and sorts the slices.
Status RecordingWalk::readArguments(Part& part) const
{
    std::vector<WalkedSlice>& slices = part.slices;
    std::erase_if(slices, [&part](const WalkedSlice& slice) { return slice.ts >= part.to; });
    if (part.haveArguments) {
        // Both queries return the slices in the same order.
        std::size_t at = 0;
        const auto take = [&](std::span<const sql::Value> row) {
            const std::int64_t id = numberOf(row[0]);
            const std::size_t start = at;
            while (at < slices.size() && slices[at].id != id)
                ++at;
            if (at == slices.size()) {
                at = start;
                return;
            }
            const sql::Value& value = std::holds_alternative<std::monostate>(row[2]) ? row[3] : row[2];
            addArgument(slices[at].arguments, textOf(row[1]), std::holds_alternative<std::monostate>(value) ? row[4] : value);
        };
        const std::string condition =
            m_tables.condition("slice") + " AND ts >= " + std::to_string(part.from) + " AND ts < " + std::to_string(part.to);
        if (Status read =
                forEachRow(m_tables,
                           "SELECT s.id, a.key, a.int_value, a.real_value, a.string_value FROM (SELECT id, ts, arg_set_id FROM slice WHERE "
                               + condition + " ORDER BY ts) s CROSS JOIN args a ON a.arg_set_id = s.arg_set_id",
                           take);
            !read)
            return read;
    }
    // An outer slice comes before the slices in it that begin at the same time.
    const auto isBefore = [](const WalkedSlice& a, const WalkedSlice& b) {
        constexpr std::int64_t Latest = std::numeric_limits<std::int64_t>::max();
        if (a.ts != b.ts || a.track != b.track || a.depth != b.depth)
            return std::tuple(a.ts, a.track, a.depth) < std::tuple(b.ts, b.track, b.depth);
        return a.end.value_or(Latest) > b.end.value_or(Latest);
    };
    std::ranges::stable_sort(slices, isBefore);
    return Done{};
}

/// Reads the points of the selected counters. Points before the range give the values at its begin.
Status RecordingWalk::readPoints(Part& part) const
{
    if (std::ranges::none_of(m_tracks, &WalkedTrack::isCounter))
        return Done{};
    return readRows(part, "SELECT ts, track_id, value FROM counter WHERE 1", [&](std::span<const sql::Value> row) {
        const auto* value = std::get_if<double>(&row[2]);
        const std::size_t track = trackIndex(numberOf(row[1]));
        if (value && track < m_tracks.size())
            part.points.push_back({numberOf(row[0]), track, *value});
    });
}

void RecordingWalk::readStates(Part& part) const
{
    const Timeline& timeline = *m_request.timeline;
    std::vector<WalkedState>& states = part.states;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const TrackRef ref = m_rows[i].ref;
        for (const Interval& interval : intervals(timeline, ref, {timestamp(part.from), timestamp(part.to)}, m_request.stop)) {
            const std::int64_t begin = nanoseconds(interval.range.begin);
            const std::int64_t end = nanoseconds(interval.range.end);
            if (begin >= part.from && begin < part.to && end > m_begin
                && meaningOf(timeline, ref, interval.state) != StateCategory::Unknown)
                states.push_back(
                    {begin, end, i, std::string(stateName(timeline, ref, interval.state)), valueText(timeline, ref, interval.value)});
        }
        if (states.size() <= MostInPart)
            continue;
        part.count += states.size();
        const auto limit = states.begin() + static_cast<std::ptrdiff_t>(MostInPart);
        std::ranges::nth_element(states, limit, {}, &WalkedState::ts);
        part.to = std::max(part.from + 1, limit->ts);
        std::erase_if(states, [&part](const WalkedState& state) { return state.ts >= part.to; });
    }
    part.count += states.size();
    std::ranges::stable_sort(states, {}, [](const WalkedState& state) { return std::pair(state.ts, state.row); });
}

/// Passes the things of a part to `visitor`. `before` has the values of counters before the range until these are passed.
void RecordingWalk::visit(const Part& part, RecordingVisitor& visitor, CounterValues& before) const
{
    const auto visitAll = [&part](const auto& things, const auto& take) {
        for (const auto& it : things)
            if (it.ts < part.to) // The other things are read again.
                take(it);
    };
    visitAll(part.runs, [&](const WalkedRun& run) { visitor.run(run); });
    visitAll(part.wakeups, [&](const WalkedWakeup& wakeup) { visitor.wakeup(wakeup); });
    visitAll(part.readiness, [&](const WalkedReadiness& readiness) { visitor.readiness(readiness); });
    visitAll(part.losses, [&](const WalkedLoss& loss) { visitor.loss(loss); });
    visitAll(part.slices, [&](const WalkedSlice& slice) { visitor.slice(slice); });
    visitAll(part.states, [&](const WalkedState& state) { visitor.state(state); });
    const auto visitBefore = [&] {
        for (const auto& [track, value] : std::exchange(before, {}))
            visitor.point({m_begin, track, value});
    };
    visitAll(part.points, [&](const WalkedPoint& point) {
        if (point.ts < m_begin) {
            before[point.track] = point.value;
            return;
        }
        if (point.ts > m_begin)
            visitBefore();
        before.erase(point.track);
        visitor.point(point);
    });
    if (part.to > m_begin)
        visitBefore();
}

} // namespace helio
