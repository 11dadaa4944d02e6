#include "core/export/recording/recording_walk.h"

#include "core/query/rows/facts.h"
#include "core/query/rows/rows.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <simdjson.h>
#include <tuple>

namespace helio {
namespace {

/// Part of the time range that is read at once. Its length changes so that a part has about this number of things.
constexpr std::size_t ThingsInPart = 65'536;

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
    if (Status read = forEachRow(m_tables, "SELECT sysname, release, version, arch FROM machine ORDER BY id",
                                 [&](Values row) {
                                     m_hosts.push_back({textOf(row[0]), textOf(row[1]), textOf(row[2]), textOf(row[3])});
                                 });
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
                            numberOf(row[5]), static_cast<std::int32_t>(numberOf(row[6])), numberOf(row[7]) == 1});
    };
    return forEachRow(m_tables,
                      "SELECT id, name, type, unit, machine_id, utid, cpu, is_counter FROM recorded_track WHERE "
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
    };
    if (Status read = forEachRow(m_tables, "SELECT slice_out, slice_in FROM flow WHERE " + m_tables.condition("flow"), take); !read)
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
    for (std::int64_t from = m_first; from < m_end;) {
        if (m_request.stop.stop_requested())
            return Error{Error::Kind::Cancelled, "The export was cancelled"};
        const std::int64_t to = m_end - from > step ? from + step : m_end;
        std::size_t count = 0;
        if (Status read = readPart(visitor, contents, from, to, count); !read)
            return read;
        m_request.report(shareBegin + (shareEnd - shareBegin) * double(to - m_first) / double(all));
        if (!visitor.partEnded(to))
            return Done{};
        if (count < ThingsInPart / 2)
            step = step > all / 2 ? all : step * 2;
        else if (count > ThingsInPart * 2)
            step = std::max<std::int64_t>(1, step / 2);
        from = to;
    }
    return Done{};
}

/// Reads what begins between two times. Adds the number of things to `count`.
Status RecordingWalk::readPart(RecordingVisitor& visitor, Contents contents, std::int64_t from, std::int64_t to, std::size_t& count) const
{
    using Values = std::span<const sql::Value>;
    const std::string part = " ts >= " + std::to_string(from) + " AND ts < " + std::to_string(to);
    const ExportSelection& selection = m_selected.selection();
    if (contents.hasScheduling)
        if (Status read = readScheduling(visitor, part, count); !read)
            return read;
    if (!contents.hasSlices)
        return Done{};
    if (!selection.view.empty())
        return readStates(visitor, from, to, count);
    if (m_tracks.empty())
        return Done{};
    if (Status read = readSlices(visitor, part, count); !read)
        return read;
    return forEachRow(m_tables,
                      "SELECT ts, track_id, value FROM counter WHERE" + part + " AND " + m_tables.condition("counter") + " ORDER BY ts",
                      [&](Values row) {
                          ++count;
                          const auto* value = std::get_if<double>(&row[2]);
                          const std::size_t track = trackIndex(numberOf(row[1]));
                          if (value && track < m_tracks.size())
                              visitor.point({numberOf(row[0]), track, *value});
                      });
}

Status RecordingWalk::readScheduling(RecordingVisitor& visitor, const std::string& part, std::size_t& count) const
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
        ++count;
        if (m_selected.hasCpu(run.cpu.host, run.cpu.cpu) && (!run.end || *run.end > m_begin))
            visitor.run(run);
    };
    if (Status read =
            forEachRow(m_tables, "SELECT ts, dur, ucpu, utid, end_state, priority FROM sched_slice WHERE" + part + " ORDER BY ts", takeRun);
        !read)
        return read;
    const auto takeWakeup = [&](Values row) {
        WalkedWakeup wakeup;
        wakeup.ts = numberOf(row[0]);
        wakeup.cpu = cpuWithId(numberOf(row[1]));
        wakeup.waker = numberOf(row[2]);
        wakeup.woken = numberOf(row[3]);
        ++count;
        if (wakeup.ts >= m_begin && m_selected.hasCpu(wakeup.cpu.host, wakeup.cpu.cpu))
            visitor.wakeup(wakeup);
    };
    if (Status read = forEachRow(m_tables, "SELECT ts, cpu, from_utid, to_utid FROM link WHERE kind = 'wakeup' AND" + part + " ORDER BY ts",
                                 takeWakeup);
        !read)
        return read;
    if (Status read = forEachRow(m_tables, "SELECT ts, utid FROM thread_state WHERE state = 'R' AND" + part + " ORDER BY ts",
                                 [&](Values row) {
                                     ++count;
                                     const WalkedThread& thread = m_threads[static_cast<std::size_t>(numberOf(row[1], 0))];
                                     if (const std::int64_t ts = numberOf(row[0]); ts >= m_begin && m_selected.hasHost(thread.host))
                                         visitor.readiness({ts, thread.utid});
                                 });
        !read)
        return read;
    const auto takeLoss = [&](Values row) {
        WalkedLoss loss;
        loss.ts = numberOf(row[0]);
        loss.end = loss.ts + std::max<std::int64_t>(0, numberOf(row[1]));
        loss.cpu = cpuWithId(numberOf(row[2]));
        if (loss.cpu.cpu < 0)
            loss.cpu.host = m_request.timeline->traces[static_cast<std::size_t>(numberOf(row[3], 0))].host;
        if (m_selected.hasHost(loss.cpu.host))
            visitor.loss(loss);
    };
    if (Status read = forEachRow(m_tables, "SELECT ts, dur, cpu, trace_id FROM loss WHERE" + part + " ORDER BY ts", takeLoss); !read)
        return read;
    return Done{};
}

Status RecordingWalk::readSlices(RecordingVisitor& visitor, const std::string& part, std::size_t& count) const
{
    using Values = std::span<const sql::Value>;
    std::vector<WalkedSlice> slices;
    bool haveArguments = false;
    const std::string condition = part + " AND " + m_tables.condition("slice");
    const auto take = [&](Values row) {
        WalkedSlice slice;
        slice.id = numberOf(row[0]);
        slice.ts = numberOf(row[1]);
        slice.end = endOf(slice.ts, numberOf(row[2]));
        slice.track = trackIndex(numberOf(row[3]));
        slice.depth = numberOf(row[4], 0);
        slice.name = textOf(row[5]);
        haveArguments = haveArguments || numberOf(row[6]) >= 0;
        ++count;
        if (slice.track >= m_tracks.size())
            return;
        slice.flowsOut = flowsAt(m_flowsOut, slice.id);
        slice.flowsIn = flowsAt(m_flowsIn, slice.id);
        slices.push_back(std::move(slice));
    };
    if (Status read = forEachRow(
            m_tables, "SELECT id, ts, dur, track_id, depth, name, arg_set_id FROM slice WHERE" + condition + " ORDER BY ts", take);
        !read)
        return read;
    if (haveArguments) {
        // Both queries return the slices in the same order.
        std::size_t at = 0;
        const auto takeArgument = [&](Values row) {
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
        if (Status read =
                forEachRow(m_tables,
                           "SELECT s.id, a.key, a.int_value, a.real_value, a.string_value FROM (SELECT id, ts, arg_set_id FROM slice WHERE"
                               + condition + " ORDER BY ts) s CROSS JOIN args a ON a.arg_set_id = s.arg_set_id",
                           takeArgument);
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
    for (const WalkedSlice& slice : slices)
        visitor.slice(slice);
    return Done{};
}

Status RecordingWalk::readStates(RecordingVisitor& visitor, std::int64_t from, std::int64_t to, std::size_t& count) const
{
    const Timeline& timeline = *m_request.timeline;
    std::vector<WalkedState> states;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const TrackRef ref = m_rows[i].ref;
        for (const Interval& interval : intervals(timeline, ref, {timestamp(from), timestamp(to)}, m_request.stop)) {
            const std::int64_t begin = nanoseconds(interval.range.begin);
            const std::int64_t end = nanoseconds(interval.range.end);
            if (begin >= from && begin < to && end > m_begin && meaningOf(timeline, ref, interval.state) != StateCategory::Unknown)
                states.push_back(
                    {begin, end, i, std::string(stateName(timeline, ref, interval.state)), valueText(timeline, ref, interval.value)});
        }
    }
    count += states.size();
    std::ranges::stable_sort(states, {}, &WalkedState::ts);
    for (const WalkedState& state : states)
        visitor.state(state);
    return Done{};
}

} // namespace helio
